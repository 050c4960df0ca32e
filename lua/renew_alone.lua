-- renew_alone: renew of one lease while the slot moves, by the lock's key alone.
--
-- KEYS   lock
-- ARGV   as those of renew, of one lock
-- Reply  as that of renew; a lease that is longer is left as it is
local K = KEYS[1]
--@include inc/mark.lua
--@include inc/extended.lua
local began = redis.call('TIME')
local token, lease_ms = ARGV[2], tonumber(ARGV[3])
local holds = redis.pcall('GET', K)
if type(holds) == 'table' and not string.find(holds.err, 'WRONGTYPE', 1, true) then
  return holds
end
local answer, left = '0', ''
if holds == token then
  local longer = is_extended(lease_ms)
  answer = longer and '+' or '1'
  if longer then
    left = string.format(' %.0f', longer)
  elseif lease_ms == 0 then
    redis.call('PERSIST', K)
  else
    redis.call('PEXPIRE', K, lease_ms)
  end
end
local ended = redis.call('TIME')
return answer .. ' ' .. began[1] .. ' ' .. began[2] .. ' ' .. ended[1] .. ' ' .. ended[2] .. left
