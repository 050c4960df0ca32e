-- cache_fetch: the value if it is there; else the turn to build it, which is the lock; else a place among those who wait
-- for it.
--
-- Who waits for the value stands in the same queue as who waits for the lock, and is woken in two ways: all of them
-- through the wake list when the value is there, which mostly brings it, and the one that came first through the baton list when the lock came
-- free without it. The value begins with the server's time, in ms, until which it is fresh.
--
-- KEYS   lock, baton list, waiters, wake list, value [, fence: who builds it gets a fencing token]
-- ARGV   token, lease in ms (0: without end), waiter id, patience in ms (0: will not wait, -1: without end), most waiters
--        (0: no limit), 0 when it asks for the first time, 1 when it has asked before, 2 when the outcome of that is
--        unknown, the baton that it was served or '', ms for which a value past its end will do (-1: none is kept here)
-- Reply  {1, value}       fresh
--        {2, value}       past its end, and somebody builds a new one
--        {3, fence or 0}  it is the caller's turn to build it
--        {0, ms}          somebody builds it; who waits shall ask again in so many ms, if it is not woken before
--        {-1, 0}          the same, and the queue is full
--@include inc/keys.lua
--@include inc/hand_over.lua
--@include inc/fence.lua
local G, V = KEYS[4], KEYS[5]
local token, waiter, asked, served = ARGV[1], ARGV[3], ARGV[6], ARGV[7]
local lease, patience, limit, stale = tonumber(ARGV[2]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[8])

local LONGEST = 10000 -- ms that a waiter sleeps, and up to a fifth more: who builds may have died, and the next too
local FOREIGN = 1000 -- ms, while the lock is held by a client that sends no signal
local SLACK = 1500 -- ms that a waiter may be late before it counts as dead

local function leave()
  if asked ~= '0' then
    redis.call('ZREM', W, waiter)
  end
end

-- Enters the waiter, or renews its entry, and returns in how many ms it shall ask again: at the end of the lease, but not
-- all of a crowd at the same moment.
local function enqueue(holds, waiting, now, usec)
  local chance = usec / 1000000 -- Redis' math.random is the same each time
  local after = LONGEST * (1 + chance / 5)
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
    redis.call('DEL', G) -- who builds a value has done that
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
local parked = is_parked(holds) -- a baton that nobody took: free
if not holds or parked or is_baton(served) and holds == served or holds == token and asked == '2' then
  -- What may be refused comes first, the lock last.
  leave()
  local fence = KEYS[6] and next_fence({KEYS[6]}) or 0
  redis.call('DEL', G) -- what lies there is of an earlier value
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

redis.call('ZREMRANGEBYSCORE', W, '-inf', now)
local waiting = redis.call('ZCARD', W)
if limit > 0 and waiting >= limit and not redis.call('ZSCORE', W, waiter) then
  return {-1, 0}
end
return {0, enqueue(holds, waiting, now, usec)}
