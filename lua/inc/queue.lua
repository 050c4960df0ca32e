-- The waiters: a sorted set of waiter id -> server time until which its entry lives.
--
-- The BLPOP of a waiter says nothing when a holder dies, so somebody has to look now and then; but n waiters should not
-- look n times as often. So one of them is the lookout, and looks every STEP: the newest, since it will leave last. It
-- is marked by half a millisecond in its score. A waiter that looks and finds that another is about to look as lookout
-- is relieved; one that finds none becomes it. The others look rarely, in case the lookout died, a crowd each once in
-- about 5 s; and, unless they are a crowd, at the end of the lease that they were told.
local SLACK = 1500 -- ms that a look may be late before its waiter counts as dead
local STEP = 200 -- ms between two looks of the lookout
local LONGEST = 5400 -- ms between two looks of another, give or take a tenth
local SHARE = 350 -- ms between two looks of another, for each that waits
local CROWD = 40 -- so many do not all look at the end of a lease

local function drop_dead(now)
  redis.call('ZREMRANGEBYSCORE', W, '-inf', now)
end

-- Will another waiter look as lookout within the next `step` ms?
local function is_relieved(waiter, step, now)
  local from = now + SLACK
  local soon = redis.call('ZRANGEBYSCORE', W, '(' .. from, from + step + 1, 'WITHSCORES')
  for i = 1, #soon, 2 do
    if soon[i] ~= waiter and tonumber(soon[i + 1]) % 1 ~= 0 then
      return true
    end
  end
  return false
end

-- Enters the waiter, or renews its entry, and returns in how many ms it shall look. `is_new`: it comes just now, as the
-- newest. `patience`: ms that it will still wait, -1 without end. `held_by`: who has the lock. `retry`: ms between looks
-- at a holder that will send no signal, being none of ours.
local function enqueue(waiter, is_new, patience, held_by, retry, now, usec)
  if is_new then
    redis.call('ZREM', W, waiter) -- who may not leave shall not enter
  end
  local waiting = redis.call('ZCARD', W) + (is_new and 1 or 0)
  local step = STEP
  if type(held_by) ~= 'string' or string.sub(held_by, 1, 3) ~= 'rl:' then
    step = retry
  end

  local is_lookout = is_new or not is_relieved(waiter, step, now)
  local after = step
  if not is_lookout then
    after = math.min(waiting * SHARE, LONGEST)
    after = math.max(after * 0.9 + after * 0.2 * usec / 1000000, step) -- Redis' math.random is the same each time
  end

  local lease = redis.call('PTTL', K)
  if lease >= 0 and (is_lookout or waiting <= CROWD) then
    after = math.min(after, lease + (is_lookout and 1 or waiting))
  end

  after = math.ceil(after)
  local lives = now + after + SLACK + (is_lookout and 0.5 or 0)
  if patience >= 0 and patience <= after then
    lives = now + patience + STEP -- it will not look again, and says so at its deadline
  end
  redis.call('ZADD', W, lives, waiter)
  redis.call('PEXPIRE', W, math.ceil(LONGEST * 1.1) + SLACK)
  return after
end
