-- force_alone: force while the slot moves, by the lock's key alone. Nobody is told: who waits asks again.
--
-- KEYS   lock
-- ARGV   as those of force
-- Reply  as that of force
local K = KEYS[1]
--@include inc/value.lua
local holds = redis.call('GET', K)
if holds and not is_baton(holds) then
  redis.call('DEL', K)
  return 1
end
return 0
