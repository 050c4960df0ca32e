-- The waiters: a sorted set of waiter id -> server time in ms until which the entry lives.
--
-- The BLPOP of a waiter does not end when the holder dies, so some waiter has to look now and then. But n waiters
-- should not look n times as often. So some of them are the lookouts (the "watch"). They look in turn, one in each
-- STEP, so that a lookout that is killed or leaves is missed for one turn only. The newest waiters become lookouts,
-- since they leave last. A new waiter is a lookout. A lookout is relieved when it looks and there are enough other
-- lookouts that will still wait at its own next look. A relieved waiter looks rarely, in case all lookouts died. Unless
-- there is a crowd, it also looks when the lease is to end, as far as it knows.
--
-- A fraction in the score marks a lookout, and says how long it will still wait after its next look: MARK, and MARK
-- once more for each WAITS ms.
local SLACK = 1500 -- ms by which a look may be late before its waiter counts as dead
local STEP = 200 -- ms between two looks of the watch
local WATCH = 3 -- lookouts that are enough
local LONGEST = 5900 -- ms between two looks of one waiter, at most
local SHARE = 450 -- ms that each waiter adds to the time between two looks of one that is no lookout
local CROWD = 40 -- with more waiters, only the lookouts look at the end of a lease
local MARK = 1 / 256 -- fraction of a score: see above
local WAITS = 100 -- ms: see above

local function drop_dead(now)
  redis.call('ZREMRANGEBYSCORE', W, '-inf', now)
end

-- Returns how many ms apart the looks of the watch are while `held_by` has the lock. `retry`: ms between looks at a
-- holder of another kind (no token of ours), which will not signal its release.
local function step_of(held_by, retry)
  if type(held_by) ~= 'string' or string.sub(held_by, 1, 3) ~= 'rl:' then
    return math.min(retry, LONGEST)
  end
  return STEP
end

-- Finds the other lookouts that will look within `span` ms. Returns a list of in how many ms each of them looks, in
-- order; and for how many ms at least WATCH of them will still wait, 0 if there are fewer.
local function watch(waiter, span, now)
  local from = now + SLACK
  local looks, stays = {}, {}
  local soon = redis.call('ZRANGEBYSCORE', W, '(' .. from, from + span + 1, 'WITHSCORES')
  for i = 1, #soon, 2 do
    local mark = tonumber(soon[i + 1]) % 1
    if mark ~= 0 and soon[i] ~= waiter then
      local look = tonumber(soon[i + 1]) - mark - from
      looks[#looks + 1] = look
      stays[#stays + 1] = look + (mark / MARK - 1) * WAITS
    end
  end
  table.sort(stays, function(a, b) return a > b end)
  return looks, stays[WATCH] or 0
end

-- Returns in how many ms the first turn is that no lookout has. `looks`: see watch(); `step`: ms between two turns.
local function free_turn(looks, step)
  local last = 0
  for _, look in ipairs(looks) do
    if look - last > 1.2 * step then
      break
    end
    last = look
  end
  return math.min(last + step, LONGEST)
end

-- A client without the right to leave the queue is refused here, before it enters. `score`: of its entry, as below.
local function may_enter(waiter, score)
  if not score then
    redis.call('ZREM', W, waiter)
  end
end

-- Enters the waiter, or renews its entry, and returns in how many ms it is to look. `score`: of its entry; false when
-- it is new. `patience`: ms for which it will still wait, -1: without end. `step`: ms between two looks of the watch.
local function enqueue(waiter, score, patience, step, now, usec)
  may_enter(waiter, score)
  local waiting = redis.call('ZCARD', W) + (score and 0 or 1)
  -- Waiters that came together, or that have looked together, are to look at different times.
  local together = waiting <= CROWD or score and tonumber(score) % 1 ~= 0
  local chance = usec % 1000 / 1000 -- Redis' math.random is the same each time
  local rest = math.min(waiting * SHARE, LONGEST) * (together and 0.3 + 0.7 * chance or 0.8 + 0.2 * chance)
  local looks, relief = watch(waiter, (WATCH + 0.5) * step, now)
  local watches = not score or relief < (patience < 0 and rest or math.min(rest, patience))
  local after = not score and step or watches and free_turn(looks, step) or math.max(rest, step)

  local lease = redis.call('PTTL', K)
  if lease >= 0 and (watches or waiting <= CROWD) then
    after = math.min(after, lease + (watches and 1 or waiting))
  end

  after = math.ceil(after)
  local left = patience < 0 and math.huge or patience - after
  local lives = now + after + SLACK
  if left <= 0 then
    lives = now + patience + STEP -- it will not look again, and leaves at its deadline by itself
  elseif watches then
    lives = lives + MARK * (1 + math.min(math.ceil(left / WAITS), 1 / MARK - 2))
  end
  redis.call('ZADD', W, lives, waiter)
  if redis.call('PTTL', W) < LONGEST + SLACK then -- entries of clients that wait for a value live longer
    redis.call('PEXPIRE', W, LONGEST + SLACK)
  end
  return after
end
