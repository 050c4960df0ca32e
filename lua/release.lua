-- release and leave: hands the lock on if it is this token's. A waiter that gives up leaves the queue by it.
--
-- KEYS   lock, baton list, waiters [, note of extensions: deleted with the lock]
-- ARGV   token ('': none)
--        [a fresh baton; without it, the one that the digits of the token make]
--        [the waiter's id]
--        [the baton that the waiter was served; '': none, '*': it may have been served one without learning which]
-- Reply  1  the lock was this token's; 0  it was not
local K, B, W, NOTE = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
-- Mostly nobody waits, so this case comes first, before anything is set up for the others.
local holds = redis.pcall('GET', K)
local waiting = holds == ARGV[1] and not NOTE and not ARGV[3] and redis.pcall('ZCARD', W)
if waiting == 0 then
  redis.call('DEL', K, B)
  return 1
end

--@include inc/list.lua
--@include inc/hand_over.lua
local token, waiter, served = ARGV[1], ARGV[3] or '', ARGV[4] or ''
local baton = ARGV[2] or 'rl:baton:' .. string.sub(token, 4, 35)
if waiting then
  return hand_over(baton, waiting) or 1
end

--@include inc/value.lua
if waiter ~= '' then
  redis.pcall('ZREM', W, waiter) -- may be refused: the entry expires by itself, and the lock must be handed on
end

holds = holder()
if token ~= '' and holds == token then
  if NOTE then
    redis.pcall('DEL', NOTE)
  end
  return hand_over(baton) or 1
end
if served ~= '' and is_baton(holds) then
  -- With '*', a baton that has left the list is taken for this waiter's. If it was served to another waiter, which has
  -- not claimed the lock yet, that waiter finds the baton gone and queues again.
  if holds == served or served == '*' and not is_parked(holds) then
    return hand_over(baton) or 0
  end
end
-- A baton that was pushed for this waiter just after it had gone is for nobody, unless another client waits.
if waiter ~= '' and is_parked(holds) and redis.call('ZCARD', W) == 0 then
  redis.call('DEL', K, B)
  return 0
end
if is_baton(holds) then
  only_on_a_master()
else
  redis.call('DEL', B) -- stale
end
return 0
