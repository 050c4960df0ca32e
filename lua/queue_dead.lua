-- dead: lists the tasks that were given up, those that died first in front.
--
-- KEYS   see inc/task_keys.lua
-- ARGV   count
-- Reply  tasks, packed as in inc/task_pack.lua; the score is when the task was given up
--@include inc/task_keys.lua
--@include inc/task_pack.lua
only_on_a_master()
local found = redis.call('ZRANGE', DEAD, 0, ARGV[1] - 1, 'WITHSCORES')
local tasks, bytes = {}, 0
for i = 1, #found, 2 do
  bytes = bytes + #found[i]
  if bytes > MOST_BYTES then
    break
  end
  local attempts = read_state(redis.call('HGET', STATE, found[i]))
  tasks[#tasks + 1] = pack(found[i], tonumber(found[i + 1]), attempts)
end
return table.concat(tasks)
