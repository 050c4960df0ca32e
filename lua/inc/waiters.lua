-- W, the waiters: see enter.lua. Those that are dead are dropped when their number matters.

local function drop_dead(now)
  redis.call('ZREMRANGEBYSCORE', W, '-inf', now)
end

-- Returns how many wait. `now`: the server's time, if it is known.
local function count_waiters(now)
  drop_dead(now or server_ms())
  return redis.call('ZCARD', W)
end

-- Does anybody but the caller wait? A caller that is ready to wait lets the others go first. `waiter`: its id; nil: it
-- does not stand in line.
local function others_wait(waiter)
  if redis.call('ZCARD', W) == 0 then
    return false
  end
  local waiting = count_waiters()
  return waiting > 1 or waiting == 1 and not (waiter and redis.call('ZSCORE', W, waiter))
end
