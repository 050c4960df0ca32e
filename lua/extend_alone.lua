-- extend_alone: extend while the slot moves, by the lock's key alone. It only lengthens a lease: only the note could tell
-- whether this extension has come late, behind a later one.
--
-- KEYS   lock
-- ARGV   as those of extend
-- Reply  1  done; 0  the lock is not this token's; TRYAGAIN  the lease would become shorter
local K = KEYS[1]
local token, lease_ms = ARGV[1], tonumber(ARGV[2])
--@include inc/mark.lua
local holds = redis.pcall('GET', K)
if type(holds) == 'table' and not string.find(holds.err, 'WRONGTYPE', 1, true) then
  return holds
end
if holds ~= token then
  return 0
end
local left = redis.call('PTTL', K)
if lease_ms == 0 then
  if redis.call('PERSIST', K) == 0 then -- so that it writes in any case: see inc/extend.lua
    redis.call('PEXPIRE', K, 1000)
    redis.call('PERSIST', K)
  end
elseif left == -1 or left > lease_ms + MARK then
  return redis.error_reply('TRYAGAIN a lease is not shortened while its slot moves')
else
  redis.call('PEXPIRE', K, math.max(left, apart(lease_ms)))
end
return 1
