-- owner_alone: owner while the slot moves, by the lock's key alone. It knows no fence, and no waiters: nobody stands in line
-- then.
--
-- KEYS   lock
-- ARGV   as those of owner
-- Reply  as that of owner
local K = KEYS[1]
--@include inc/value.lua
--@include inc/mark.lua
local holds = redis.call('GET', K)
if not holds or is_baton(holds) then
  return {false, 0, false}
end
local left = redis.call('PTTL', K)
if holds == ARGV[1] and holds ~= '' and left >= 0 then
  count_on(left)
end
return {holds, left, false}
