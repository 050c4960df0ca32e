-- dead: lists the tasks that were given up, those that died first in front.
--
-- KEYS   see inc/task_keys.lua
-- ARGV   count
-- Reply  tasks, packed as in inc/task_pack.lua; the score is when the task was given up
--@include inc/task_keys.lua
--@include inc/task_pack.lua
--@include inc/task_list.lua
local function attempts_of(id)
  return (read_state(redis.call('HGET', STATE, id)))
end

only_on_a_master()
return pack_all(redis.call('ZRANGE', DEAD, 0, ARGV[1] - 1, 'WITHSCORES'), attempts_of, 'died')
