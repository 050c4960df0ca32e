-- top: lists the tasks that are due, without taking them.
--
-- KEYS   see inc/task_keys.lua
-- ARGV   count
--        how often a task is tried (0: no limit)
-- Reply  tasks, packed as in inc/task_pack.lua; the attempts are always 0
--@include inc/task_keys.lua
--@include inc/task_reclaim.lua
--@include inc/task_pack.lua
only_on_a_master()
local now = server_time()
reclaim(now, tonumber(ARGV[2]))

local due = redis.call('ZRANGEBYSCORE', Q, '-inf', exact(now), 'WITHSCORES', 'LIMIT', 0, ARGV[1])
local tasks, bytes = {}, 0
for i = 1, #due, 2 do
  bytes = bytes + #due[i]
  if bytes > MOST_BYTES then
    break
  end
  tasks[#tasks + 1] = pack(due[i], tonumber(due[i + 1]), 0)
end
if #due > 0 and #tasks == 0 then
  return redis.error_reply('ERR the first id that is due is too long to be delivered')
end
return table.concat(tasks)
