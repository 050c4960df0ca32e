-- raise_fence: a lock of several nodes has its fencing token from one of them; the others keep it too.
--
-- KEYS   lock, baton list, waiters, fence
-- ARGV   token, fence
-- Reply  1  the lock is this token's here, and no smaller fence will follow; 0  it is not
--@include inc/keys.lua
--@include inc/fence.lua
if holder() ~= ARGV[1] then
  only_on_a_master()
  return 0
end
local last = redis.call('GET', KEYS[4])
if not last or tonumber(last) < tonumber(ARGV[2]) then
  keep_fence(tonumber(ARGV[2]))
end
return 1
