-- top: lists the tasks that are due, without taking them.
--
-- KEYS   see inc/task_keys.lua
-- ARGV   count
--        how often a task is tried (0: no limit)
-- Reply  tasks, packed as in inc/task_pack.lua; the attempts are always 0
--@include inc/task_keys.lua
--@include inc/task_reclaim.lua
--@include inc/task_pack.lua
--@include inc/task_list.lua
only_on_a_master()
local now = server_time()
reclaim(now, tonumber(ARGV[2]))

local function no_attempts()
  return 0
end

local due = redis.call('ZRANGEBYSCORE', Q, '-inf', exact(now), 'WITHSCORES', 'LIMIT', 0, ARGV[1])
return pack_all(due, no_attempts, 'is due')
