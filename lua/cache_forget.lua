-- cache_forget: removes the value. A client that builds a new one at this moment may have read outdated data: the lock
-- is taken away from it, so that its value is not stored, and handed on.
--
-- KEYS   lock, baton list, waiters, wake list, value
-- ARGV   a fresh baton [, a value: only this one is removed, since its reader cannot decode it; a builder goes on]
-- Reply  1  there was a value; 0  there was none
local K, B, W, G, V = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
--@include inc/list.lua
--@include inc/value.lua
--@include inc/hand_over.lua
if ARGV[2] then
  local value = redis.call('GET', V)
  if value and string.sub(value, 16) == ARGV[2] then
    return redis.call('DEL', V)
  end
  only_on_a_master()
  return 0
end

local forgotten = redis.call('DEL', V)
redis.call('DEL', G)
local holds = holder()
if is_builder(holds) then
  return hand_over(ARGV[1]) or forgotten
end
return forgotten
