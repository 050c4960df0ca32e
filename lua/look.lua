-- look: a waiter that is blocked on another connection shows that it is alive and checks whether the lock became free
-- without a signal: the holder's lease has ended, or a client of another kind has released it. Then the script hands
-- the lock on.
--
-- KEYS   lock, baton list, waiters
-- ARGV   waiter id
--        wait_ms (-1: without end)
--        ms between looks at a foreign holder
--        1 to enter the queue anew
--        ms since the first of the latest looks in a row that were all answered by {1, ms}
-- Reply  {0, ms}   look again in so many ms
--        {1, ms}   look again in so many ms; the waiter that was served last does not claim the lock
--        {2, ms}   look again in so many ms; this waiter is not in the queue: it was dropped as dead, or has claimed
local K, B, W = KEYS[1], KEYS[2], KEYS[3]
--@include inc/list.lua
--@include inc/value.lua
--@include inc/hand_over.lua
--@include inc/baton.lua
--@include inc/time.lua
--@include inc/waiters.lua
--@include inc/enter.lua
--@include inc/watch.lua
local waiter, wait_ms, retry = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

-- While served waiters do not claim the lock, a look serves the next waiter every FIRST_PACE ms for the first
-- FIRST_PACES ms, and every PACE ms after that.
local FIRST_PACE = 100
local FIRST_PACES = 200
local PACE = 20
-- For the first ONE_BY_ONE ms a look serves one waiter. The number then doubles every DOUBLES ms, up to MOST.
local ONE_BY_ONE = 1500
local DOUBLES = 300
local MOST = 128

-- Handles a baton that was served: if the lock is not claimed in time, serves the same baton to the next in line. The
-- first claim gets the lock, so this takes nothing from a waiter that is only slow, unless the next is quicker.
-- `since`: for how many ms the looks of this waiter have found the lock unclaimed. Returns whether the claim is overdue
-- or nearly so, and in how many ms to look.
local function serve_next(holds, since)
  local pace = since < FIRST_PACES and FIRST_PACE or PACE
  local left = until_overdue()
  local overdue = left <= FIRST_PACE
  if left <= 0 then
    left = pace
    redis.call('PEXPIRE', K, OVERDUE + pace)
    for _ = 1, math.min(2 ^ math.max(0, math.floor((since - ONE_BY_ONE) / DOUBLES)), MOST) do
      redis.call('RPUSH', B, holds)
    end
    redis.call('PEXPIRE', B, LIST_LIFE)
  end
  return overdue, left
end

local now, usec = server_ms()
-- A look that arrives after its waiter's claim must not enter it again: a release would hand over to nobody.
local score = redis.call('ZSCORE', W, waiter)
if not score and ARGV[4] ~= '1' then
  only_on_a_master()
  return {2, STEP}
end

local holds, unclaimed, left = holder(), false, LONGEST
if not holds then
  stand_in_line(waiter, wait_ms, 0, false, now) -- so that the hand-over finds a waiter
  local baton = fresh_baton(waiter)
  local refusal = hand_over(baton)
  if refusal then
    if not score then
      redis.call('ZREM', W, waiter) -- its call fails, and it waits for nothing
    end
    return refusal
  end
  holds = baton
elseif is_baton(holds) and not redis.call('LINDEX', B, 0) then
  unclaimed, left = serve_next(holds, tonumber(ARGV[5]))
end
local step = math.min(step_of(holds, retry), left)
local ms = score and stay_in_line(waiter, score, wait_ms, step, now, usec) or enter(waiter, wait_ms, step)
drop_dead(now) -- last: behind another write, Redis would not refuse the entry when memory is short
return {unclaimed and 1 or 0, ms}
