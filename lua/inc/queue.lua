-- The waiters: a sorted set of waiter id -> server time until which its entry lives.
--
-- The BLPOP of a waiter says nothing when a holder dies, so somebody has to look now and then; but n waiters should not
-- look n times as often. So some of them are the watch: they look in turn, one in each STEP, so that one that is killed
-- or leaves is missed for one turn only. The newest come to the watch, since they leave last: a new waiter is of the
-- watch, and one that looks is relieved when there are enough others that will still wait at its own next look. Those
-- that were relieved look rarely, in case the whole watch died; and, unless they are a crowd, at the end of the lease
-- that they were told.
--
-- A fraction in its score marks a waiter of the watch, and tells how long it will still wait after its next look.
local SLACK = 1500 -- ms that a look may be late before its waiter counts as dead
local STEP = 200 -- ms between two looks of the watch
local WATCH = 3 -- so many are enough
local LONGEST = 5900 -- ms between two looks of another, at most
local SHARE = 450 -- ms of that for each that waits
local CROWD = 40 -- so many do not all look at the end of a lease
local MARK = 1 / 256 -- of the watch, and the same once more
local WAITS = 100 -- for each time so many ms that it will still wait

local function drop_dead(now)
  redis.call('ZREMRANGEBYSCORE', W, '-inf', now)
end

-- How often shall somebody look while `held_by` has the lock? `retry`: ms between looks at one that will send no
-- signal, being none of ours.
local function step_of(held_by, retry)
  if type(held_by) ~= 'string' or string.sub(held_by, 1, 3) ~= 'rl:' then
    return math.min(retry, LONGEST)
  end
  return STEP
end

-- The others of the watch that will look within `span` ms: in how many ms, in order; and for how many ms enough of them
-- will wait.
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

-- The first turn of the watch that nobody has.
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

-- Enters the waiter, or renews its entry, and returns in how many ms it shall look. `score`: of its entry; false when it
-- comes just now. `patience`: ms that it will still wait, -1 without end. `step`: ms between two looks of the watch.
local function enqueue(waiter, score, patience, step, now, usec)
  if not score then
    redis.call('ZREM', W, waiter) -- who may not leave shall not enter
  end
  local waiting = redis.call('ZCARD', W) + (score and 0 or 1)
  -- Those that come together, or that have looked together, shall not do so again.
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
    lives = now + patience + STEP -- it will not look again, and says so at its deadline
  elseif watches then
    lives = lives + MARK * (1 + math.min(math.ceil(left / WAITS), 1 / MARK - 2))
  end
  redis.call('ZADD', W, lives, waiter)
  if redis.call('PTTL', W) < LONGEST + SLACK then -- who waits for a value stands there for longer
    redis.call('PEXPIRE', W, LONGEST + SLACK)
  end
  return after
end
