-- The waiters: a sorted set of waiter id -> server time until which its entry lives.
--
-- It is also the timetable of their looks. The BLPOP of a waiter says nothing when a holder dies, so somebody has to
-- look now and then; but n waiters should not look n times as often. Each look is told the time of the next: one step
-- after the last one that is already in the table, at most about 5 s away. So the waiters of a name look in turn, one
-- every step, a crowd each once in 5 s, and the end of a known lease is looked at by one of them.
local SLACK = 1500 -- ms that a look may be late before its waiter counts as dead
local LONGEST = 5000 -- ms between two looks of one waiter, give or take 500
local STEP_ALONE = 200 -- ms between looks where one waits
local STEP_TOGETHER = 140 -- ms between the looks of several, together

local function drop_dead(now)
  redis.call('ZREMRANGEBYSCORE', W, '-inf', now)
end

-- Enters the waiter, or renews its entry, and returns in how many ms it shall look. `patience`: ms that it will still
-- wait, -1 without end. `retry`: ms between looks at a holder that will send no signal, being none of ours.
local function enqueue(waiter, patience, holder, retry, now, usec)
  redis.call('ZREM', W, waiter)
  local last = redis.call('ZREVRANGE', W, 0, 0, 'WITHSCORES')
  local step = last[2] and STEP_TOGETHER or STEP_ALONE
  if type(holder) ~= 'string' or string.sub(holder, 1, 3) ~= 'rl:' then
    step = retry
  end

  local at = now + step
  if last[2] then
    at = math.max(at, tonumber(last[2]) - SLACK + step)
  end
  if at > now + LONGEST then
    at = now + LONGEST - 500 + usec % 1000 -- Redis' own math.random gives the same numbers each time
  end

  local lease = redis.call('PTTL', K)
  local lease_end = now + lease + 1
  if lease >= 0 and lease_end < at and redis.call('ZCOUNT', W, lease_end + SLACK, lease_end + SLACK + 10) == 0 then
    at = lease_end
  end

  local lives = at
  if patience >= 0 and now + patience < at then
    lives = now + patience
  end
  redis.call('ZADD', W, lives + SLACK, waiter)
  redis.call('PEXPIRE', W, LONGEST + 500 + SLACK)
  return at - now
end
