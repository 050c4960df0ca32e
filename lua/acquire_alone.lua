-- acquire_alone: acquire and claim while the slot moves, by the lock's key alone. Nobody stands in line meanwhile.
--
-- KEYS   lock
-- ARGV   as those of acquire; the waiter's id only says whether the caller waits
-- Reply  {1, 0}    taken
--        {0, 0}    held, and the caller does not wait
--        {2, 0}    held, and the caller waits, but does not stand in line: it is to ask again
local K = KEYS[1]
local token, lease, patience, repeats, served = ARGV[1], tonumber(ARGV[2]), ARGV[4], ARGV[6], ARGV[7] or ''
local OVERDUE = 700 -- as in inc/keys.lua

-- The value of a key that is no string is true: nobody's token, and no baton.
local holds = redis.pcall('GET', K)
if type(holds) == 'table' then
  if not string.find(holds.err, 'WRONGTYPE', 1, true) then
    return holds
  end
  holds = true
end

-- Whether a baton was taken from its list is not known here. One that should have been claimed by now is as good as none: if
-- its waiter claims it all the same, it finds the lock held.
local is_baton = type(holds) == 'string' and string.sub(holds, 1, 9) == 'rl:baton:'
local is_free = not holds or is_baton and (holds == served or redis.call('PTTL', K) <= OVERDUE)
local left = holds == token and redis.call('PTTL', K)
if left and repeats == '1' and (left == -1 or lease > 0 and left > lease) then
  if left == -1 then -- it was extended meanwhile, and stays as it is; but WAIT counts what is written: see inc/extend.lua
    redis.call('SET', K, token)
  else
    redis.call('PEXPIRE', K, left)
  end
  return {1, 0}
end
if not is_free and not (left and repeats == '1') then
  return {patience == '0' and 0 or 2, 0}
end
if lease > 0 then
  redis.call('SET', K, token, 'PX', lease)
else
  redis.call('SET', K, token)
end
return {1, 0}
