-- look: a waiter, blocked on another connection, says that it is alive and sees whether the lock came free without a
-- signal: its holder's lease ended, or a client released it that is none of ours. Then it hands it on.
--
-- KEYS   lock, baton list, waiters
-- ARGV   waiter id, patience in ms (-1: without end), ms between looks at a foreign holder, a fresh baton,
--        1 to enter the queue anew
-- Reply  {0, ms}   look again in so many ms
--        {2, ms}   the same, but this waiter is not in the queue: dropped as dead, or it has claimed meanwhile
--@include inc/keys.lua
--@include inc/hand_over.lua
--@include inc/queue.lua
local waiter, patience, retry, baton = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]

local now, usec = server_time()
-- A look that arrives after its waiter's claim must not enter it again: a release would hand over to nobody.
local is_new = not redis.call('ZSCORE', W, waiter)
if is_new and ARGV[5] ~= '1' then
  only_on_a_master()
  return {2, STEP}
end

local holds = holder()
if not holds then
  redis.call('ZADD', W, now + SLACK, waiter) -- it waits, as far as the hand-over is concerned
  local refusal = hand_over(baton)
  if refusal then
    return refusal
  end
  holds = baton
end
return {0, enqueue(waiter, is_new, patience, holds, retry, now, usec)}
