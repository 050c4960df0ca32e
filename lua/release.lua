-- release and leave: hands the lock on if it is this token's; a waiter that gives up leaves the queue.
--
-- KEYS   lock, baton list, waiters
-- ARGV   token, a fresh baton; of a waiter also its id, the baton that it was served: '' none, '*' one that it may have
--        been served without learning which
-- Reply  1  it was this token's; 0  it was not

-- Mostly nobody waits: see acquire.
if not ARGV[3] and redis.pcall('ZCARD', KEYS[3]) == 0 and redis.pcall('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1], KEYS[2])
  return 1
end

--@include inc/keys.lua
--@include inc/hand_over.lua
local token, baton, waiter, served = ARGV[1], ARGV[2], ARGV[3] or '', ARGV[4] or ''

if waiter ~= '' then
  redis.pcall('ZREM', W, waiter) -- the entry would die by itself; the lock must go on
end

local holds = holder()
if holds == token then
  return hand_over(baton) or 1
end
if served ~= '' and is_baton(holds) then
  -- With '*', a baton that has left the list was served to somebody. Should that be another waiter, which has not
  -- claimed it yet, then that one finds it gone and queues again.
  if holds == served or served == '*' and redis.call('LINDEX', B, 0) ~= holds then
    return hand_over(baton) or 0
  end
end
-- A baton that came when this waiter had just gone lies there for nobody, unless somebody else waits.
if waiter ~= '' and is_baton(holds) and redis.call('ZCARD', W) == 0 and redis.call('LINDEX', B, 0) == holds then
  redis.call('DEL', K, B)
  return 0
end
only_on_a_master()
return 0
