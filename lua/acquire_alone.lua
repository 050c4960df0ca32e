-- acquire_alone: acquire and claim while the slot moves, by the lock's key alone. Nobody stands in line meanwhile.
--
-- KEYS   lock
-- ARGV   as those of acquire; the waiter's id only says whether the caller waits
-- Reply  {1, 0}    taken
--        {0, 0}    held, and the caller does not wait
--        {2, 0}    held, and the caller waits, but does not stand in line: it is to ask again
local K = KEYS[1]
--@include inc/value.lua
--@include inc/take.lua
local token, lease_ms, wait_ms, repeats, served = ARGV[1], tonumber(ARGV[2]), ARGV[4], ARGV[6], ARGV[7] or ''
local holds = holder()

-- Whether a baton was taken from its list is not known here. One that should have been claimed by now is as good as none: if
-- its waiter claims it all the same, it finds the lock held.
local is_free = not holds or is_baton(holds) and (holds == served or until_overdue() <= 0)
local left = holds == token and redis.call('PTTL', K)
if left and repeats == '1' and (left == -1 or lease_ms > 0 and left > lease_ms) then
  if left == -1 then -- it was extended meanwhile, and stays as it is; but WAIT counts what is written: see inc/extend.lua
    redis.call('SET', K, token)
  else
    redis.call('PEXPIRE', K, left)
  end
  return {1, 0}
end
if not is_free and not (left and repeats == '1') then
  return {wait_ms == '0' and 0 or 2, 0}
end
return put(token, lease_ms) or {1, 0}
