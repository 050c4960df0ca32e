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
--        lease in ms (0: without end)
--        waiter id
--        patience in ms (0: does not wait, -1: without end)
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
--@include inc/keys.lua
--@include inc/hand_over.lua
--@include inc/fence.lua
local token, waiter, asked, served = ARGV[1], ARGV[3], ARGV[6], ARGV[7]
local lease, patience, limit, stale = tonumber(ARGV[2]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[8])

local LONGEST = 10000 -- ms that a waiter sleeps, and up to a fifth more: the builder may have died, and the next too
-- ms that it sleeps when it enters the queue, and up to as much again. Its wake-up is lost if the value is stored, and
-- forgotten or built anew, before the waiter blocks on the wake list; or if such a waiter takes it.
local FIRST = 1000
local FOREIGN = 1000 -- ms that a waiter sleeps while the lock is held by a client that sends no signal
local SLACK = 1500 -- ms by which a waiter may be late before it counts as dead

-- Takes the caller out of the queue, where it can only be if it has asked before.
local function leave()
  if asked ~= '0' then
    redis.call('ZREM', W, waiter)
  end
end

-- Enters the waiter, or renews its entry, and returns in how many ms it is to ask again: after FIRST or LONGEST, or
-- when the lease has ended if that is earlier, but not all waiters of a crowd at the same moment.
local function enqueue(holds, waiting, now, usec)
  local chance = usec / 1000000 -- Redis' math.random is the same each time
  local after = redis.call('ZSCORE', W, waiter) and LONGEST * (1 + chance / 5) or FIRST * (1 + chance)
  if type(holds) ~= 'string' or string.sub(holds, 1, 3) ~= 'rl:' then
    after = FOREIGN
  end
  local left = redis.call('PTTL', K)
  if left >= 0 then
    after = math.min(after, left + 1 + waiting * chance)
  end
  after = math.ceil(after)
  local lives = after + SLACK
  if patience >= 0 and patience < after then
    lives = patience + SLACK
  end
  if type(holds) ~= 'string' or string.sub(holds, 1, 9) ~= 'rl:build:' then
    redis.call('DEL', G) -- a holder that builds a value has already done so
  end
  redis.call('ZADD', W, now + lives, waiter)
  if redis.call('PTTL', W) < lives then
    redis.call('PEXPIRE', W, lives)
  end
  return after
end

local now, usec = server_time()
local value = stale >= 0 and redis.call('GET', V)
local ends = value and tonumber(string.sub(value, 1, 15))
if ends and ends > now then
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
  if lease > 0 then
    redis.call('SET', K, token, 'PX', lease)
  else
    redis.call('SET', K, token)
  end
  return {3, fence}
end

if ends and ends + stale > now then
  leave()
  return {2, value}
end
if patience == 0 then
  leave()
  only_on_a_master()
  return {0, 0}
end

drop_dead(now)
local waiting = redis.call('ZCARD', W)
if limit > 0 and waiting >= limit and not redis.call('ZSCORE', W, waiter) then
  return {-1, 0}
end
return {0, enqueue(holds, waiting, now, usec)}
