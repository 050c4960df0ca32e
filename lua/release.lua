-- release and leave: hands the lock on if it is this token's; a waiter that gives up leaves the queue.
--
-- KEYS   lock, baton list, waiters [, note of extensions: goes with the lock]
-- ARGV   token ('': nobody's), a fresh baton; of a waiter also its id, the baton that it was served: '' none, '*' one
--        that it may have been served without learning which
-- Reply  1  it was this token's; 0  it was not

-- Mostly nobody waits: see acquire.
if not KEYS[4] and not ARGV[3] and redis.pcall('ZCARD', KEYS[3]) == 0 and redis.pcall('GET', KEYS[1]) == ARGV[1] then
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
if token ~= '' and holds == token then
  if KEYS[4] then
    redis.pcall('DEL', KEYS[4])
  end
  return hand_over(baton) or 1
end
if served ~= '' and is_baton(holds) then
  -- With '*', a baton that has left the list was served to somebody. Should that be another waiter, which has not
  -- claimed it yet, then that one finds it gone and queues again.
  if holds == served or served == '*' and not is_parked(holds) then
    return hand_over(baton) or 0
  end
end
-- A baton that came when this waiter had just gone lies there for nobody, unless somebody else waits.
if waiter ~= '' and is_parked(holds) and redis.call('ZCARD', W) == 0 then
  redis.call('DEL', K, B)
  return 0
end
-- A connection over which this ran without an error may release what it locks: see attempt_may_ask_plainly() in src/lock/attempt.c.
if is_baton(holds) then
  only_on_a_master()
else
  redis.call('DEL', B) -- stale
end
return 0
