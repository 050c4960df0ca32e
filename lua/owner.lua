-- owner: which token holds the lock, and for how long.
--
-- KEYS   lock, baton list, waiters [, fence]
-- ARGV   [a token: if it holds the lock, the caller counts on the lease from now on; '': none]
--        [1: the waiters are counted]
-- Reply  {token or nil, remaining lease in ms (-1: without end), fence or nil [, number of waiters]}; an error for a key that
--        is no lock
local K, B, W, F = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
--@include inc/list.lua
--@include inc/value.lua
--@include inc/time.lua
--@include inc/waiters.lua
--@include inc/mark.lua
only_on_a_master()
local holds = redis.call('GET', K)
if not holds or is_baton(holds) then
  return {false, 0, false}
end
local left = redis.call('PTTL', K)
if holds == ARGV[1] and holds ~= '' and left >= 0 then
  count_on(left)
end
local waiting = ARGV[2] and count_waiters() or nil
return {holds, left, F and redis.call('GET', F) or false, waiting}
