-- cache_fetch: answers with the value if there is one; else with the turn to build it, which is the lock; else with a
-- place among the clients that wait for the value.
--
-- A client that waits for the value stands in the same queue as the waiters for the lock. It is woken in one of two
-- ways. When the value is there, all are woken through the wake list, whose elements mostly bring the value along. When
-- the lock becomes free without a value, the client that came first is woken through the baton list.
--
-- The value begins with the server's time, in ms, until which it is fresh.
--
-- KEYS   lock, baton list, waiters, wake list, value [, fence: the builder gets a fencing token]
-- ARGV   token
--        lease_ms (0: without end)
--        waiter id
--        wait_ms (0: does not wait, -1: without end)
--        limit of waiters (0: none)
--        0: the caller asks for the first time, 1: it has asked before, 2: it has, and the outcome of that is unknown
--        the baton that it was served, or ''
--        ms for which it accepts a value that is past its end (-1: no value is kept here)
-- Reply  {1, value}       fresh
--        {2, value}       past its end, and another client builds a new one
--        {3, fence or 0}  it is the caller's turn to build the value
--        {0, ms}          another client builds it; a waiter is to ask again in so many ms, if it is not woken before
--        {-1, 0}          another client builds it, and the queue is full
local K, B, W, G, V, F = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
--@include inc/list.lua
--@include inc/value.lua
--@include inc/hand_over.lua
--@include inc/fence.lua
--@include inc/take.lua
--@include inc/time.lua
--@include inc/waiters.lua
--@include inc/enter.lua
local token, waiter, asked, served = ARGV[1], ARGV[3], ARGV[6], ARGV[7]
local lease_ms, wait_ms, limit, stale = tonumber(ARGV[2]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[8])

local SLEEP = 10000 -- ms that a waiter sleeps, and up to a fifth more: the builder may have died, and the next too
-- ms that it sleeps when it enters the queue, and up to as much again. Its wake-up is lost if the value is stored, and
-- forgotten or built anew, before the waiter blocks on the wake list; or if such a waiter takes it.
local FIRST_SLEEP = 1000
local FOREIGN_SLEEP = 1000 -- ms that it sleeps while the lock is held by a client that sends no signal

-- Takes the caller out of the queue, where it can only be if it has asked before.
local function leave()
  if asked ~= '0' then
    redis.call('ZREM', W, waiter)
  end
end

-- Enters the waiter, or renews its entry, and returns in how many ms it is to ask again: after FIRST_SLEEP or SLEEP, or
-- when the lease has ended if that is earlier, but not all waiters of a crowd at the same moment.
local function enqueue(holds, waiting, now, usec)
  local chance = usec / 1000000 -- Redis' math.random is the same each time
  local after = redis.call('ZSCORE', W, waiter) and SLEEP * (1 + chance / 5) or FIRST_SLEEP * (1 + chance)
  if not is_ours(holds) then
    after = FOREIGN_SLEEP
  end
  local left = redis.call('PTTL', K)
  if left >= 0 then
    after = math.min(after, left + 1 + waiting * chance)
  end
  after = math.ceil(after)
  if not is_builder(holds) then
    redis.call('DEL', G) -- a holder that builds a value has already done so
  end
  local stays = wait_ms >= 0 and math.min(wait_ms, after) or after
  write_entry(waiter, stays + SLACK, 0, now)
  return after
end

local now, usec = server_ms()
local value = stale >= 0 and redis.call('GET', V)
local fresh_until = value and tonumber(string.sub(value, 1, 15))
if fresh_until and fresh_until > now then
  leave()
  if served ~= '' and holder() == served then
    hand_over(served)
  end
  return {1, value}
end

local holds = holder()
local parked = is_parked(holds) -- nobody took the baton: the lock is as good as free
if not holds or parked or is_baton(served) and holds == served or holds == token and asked == '2' then
  -- Writes that may be refused come first, the lock last.
  leave()
  local fence = F and next_fence() or 0
  redis.call('DEL', G) -- its elements are from an earlier value
  if parked then
    redis.call('DEL', B)
  end
  return put(token, lease_ms) or {3, fence}
end

if fresh_until and fresh_until + stale > now then
  leave()
  return {2, value}
end
if wait_ms == 0 then
  leave()
  only_on_a_master()
  return {0, 0}
end

local waiting = count_waiters(now)
if limit > 0 and waiting >= limit and not redis.call('ZSCORE', W, waiter) then
  return {-1, 0}
end
return {0, enqueue(holds, waiting, now, usec)}
