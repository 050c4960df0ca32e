-- look: a waiter, blocked on another connection, says that it is alive and sees whether the lock came free without a
-- signal: its holder's lease ended, or a client released it that is none of ours. Then it hands it on.
--
-- KEYS   lock, baton list, waiters
-- ARGV   waiter id, patience in ms (-1: without end), ms between looks at a foreign holder, a fresh baton,
--        1 to enter the queue anew, ms since the first of the last looks in a row that were answered by {1, ms}
-- Reply  {0, ms}   look again in so many ms
--        {1, ms}   the same, and whoever was served last does not claim the lock
--        {2, ms}   the same, but this waiter is not in the queue: dropped as dead, or it has claimed meanwhile
--@include inc/keys.lua
--@include inc/hand_over.lua
--@include inc/queue.lua
local waiter, patience, retry, baton = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]

local FIRST_PACE, PACE = 100, 20 -- ms until another is served then, in the first FIRST_PACES ms and later
local FIRST_PACES = 200
local ONE_BY_ONE = 1500 -- ms after which each look serves twice as many as before, and again after so many:
local DOUBLES = 300
local MOST = 128

-- A baton was served and is not claimed in time: the next in line is served the same. Whoever claims first has the lock,
-- so this takes nothing from one that is only slow, unless the next is quicker. `since`: for how many ms the looks of
-- this waiter have found it so. Returns whether it is so, and in how many ms to look.
local function serve_next(holds, since)
  local pace = since < FIRST_PACES and FIRST_PACE or PACE
  local left = until_overdue()
  local overdue = left <= FIRST_PACE
  if left <= 0 then
    local batons = {}
    for i = 1, math.min(2 ^ math.max(0, math.floor((since - ONE_BY_ONE) / DOUBLES)), MOST) do
      batons[i] = holds
    end
    left = pace
    redis.call('PEXPIRE', K, GRACE - CLAIM + pace)
    redis.call('RPUSH', B, unpack(batons))
    redis.call('PEXPIRE', B, 2 * GRACE)
  end
  return overdue, left
end

local now, usec = server_time()
-- A look that arrives after its waiter's claim must not enter it again: a release would hand over to nobody.
local score = redis.call('ZSCORE', W, waiter)
if not score and ARGV[5] ~= '1' then
  only_on_a_master()
  return {2, STEP}
end

local holds, unclaimed, left = holder(), false, LONGEST
if not holds then
  redis.call('ZADD', W, now + SLACK, waiter) -- it waits, as far as the hand-over is concerned
  local refusal = hand_over(baton)
  if refusal then
    return refusal
  end
  holds = baton
elseif is_baton(holds) and not redis.call('LINDEX', B, 0) then
  unclaimed, left = serve_next(holds, tonumber(ARGV[6]))
end
local step = math.min(step_of(holds, retry), left)
return {unclaimed and 1 or 0, enqueue(waiter, score, patience, step, now, usec)}
