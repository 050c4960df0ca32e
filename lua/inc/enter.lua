-- The waiters: a sorted set of waiter id -> server time in ms until which the entry lives. The set expires with the
-- entry that lives longest, so that if it exists, somebody waits. In between, entries that are dead are dropped when
-- a waiter looks, and when their number matters.
--
-- The BLPOP of a waiter does not end when the holder dies, so some waiter has to look now and then. But n waiters
-- should not look n times as often. So some of them are the lookouts (the "watch"). They look in turn, one in each
-- STEP, so that a lookout that is killed or leaves is missed for one turn only. The newest waiters become lookouts,
-- since they leave last. A new waiter is a lookout. How it is relieved is told in watch.lua.
--
-- A fraction in the score marks a lookout, and says how long it will still wait after its next look: LOOKOUT, and LOOKOUT
-- once more for each WAITS ms.
local SLACK = 1500 -- ms by which a look may be late before its waiter counts as dead
local STEP = 200 -- ms between two looks of the watch
local LOOKOUT = 1 / 256 -- fraction of a score: see above
local WAITS = 100 -- ms: see above

-- Is the lock's value a token of ours, whose holder will hand the lock over, or a baton?
local function is_ours(holds)
  return type(holds) == 'string' and string.sub(holds, 1, 3) == 'rl:'
end

-- Writes the waiter's entry, which lives for `life` ms from `now`. `mark`: the fraction.
local function write_entry(waiter, life, mark, now)
  local lives = redis.call('PTTL', W) -- before the entry: without the right to ask, nobody enters a set that does not expire
  redis.call('ZADD', W, now + life + mark, waiter)
  if lives < life then -- other waiters may live longer
    redis.call('PEXPIRE', W, life)
  end
end

-- Enters the waiter, or renews its entry: it is to look `after` ms from `now`. `wait_ms`: for how long it will still wait, -1:
-- without end. `watches`: it is a lookout. Returns `after` in whole ms.
local function stand_in_line(waiter, wait_ms, after, watches, now)
  after = math.ceil(after)
  local left = wait_ms < 0 and math.huge or wait_ms - after
  local life, mark = after + SLACK, 0
  if left <= 0 then
    life = wait_ms + STEP -- it will not look again, and leaves at its deadline by itself
  elseif watches then
    mark = LOOKOUT * (1 + math.min(math.ceil(left / WAITS), 1 / LOOKOUT - 2))
  end
  write_entry(waiter, life, mark, now)
  return after
end

-- Enters a waiter that is new, and returns in how many ms it is to look: with the watch, or when the lease of the
-- holder has ended if that is earlier. `step`: ms between two looks of the watch.
local function enter(waiter, wait_ms, step)
  local now, left = server_ms(), redis.call('PTTL', K)
  local after = left >= 0 and math.min(step, left + 1) or step
  return stand_in_line(waiter, wait_ms, after, true, now)
end
