-- raise_fence: a lock on several nodes gets its fencing token from one of them; the other nodes store it by this
-- script.
--
-- KEYS   lock, baton list, waiters, fence
-- ARGV   token
--        fence
-- Reply  1  the lock is this token's on this node, and no smaller fence will follow here; 0  it is not this token's
local K, B, F = KEYS[1], KEYS[2], KEYS[4]
--@include inc/list.lua
--@include inc/value.lua
--@include inc/fence.lua
if holder() ~= ARGV[1] then
  only_on_a_master()
  return 0
end
local last = redis.call('GET', F)
if not last or tonumber(last) < tonumber(ARGV[2]) then
  keep_fence(tonumber(ARGV[2]))
end
return 1
