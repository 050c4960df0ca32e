-- release_alone: release and leave while the slot moves, by the lock's key alone. Nobody is told: who waits asks again.
--
-- KEYS   lock
-- ARGV   as those of release
-- Reply  1  the lock was this token's; 0  it was not
local K = KEYS[1]
local token, served = ARGV[1], ARGV[4] or ''
local holds = redis.pcall('GET', K)
if type(holds) == 'table' and not string.find(holds.err, 'WRONGTYPE', 1, true) then
  return holds
end
local is_own = token ~= '' and holds == token
if is_own or served ~= '' and holds == served and string.sub(served, 1, 9) == 'rl:baton:' then
  redis.call('DEL', K)
end
return is_own and 1 or 0
