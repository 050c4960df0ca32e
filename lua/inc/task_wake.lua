-- Waiting workers block on a list. A script that makes a task due pushes one element to the list: one task wakes one
-- worker. A worker that takes a task and finds another one due behind it wakes the next worker.
--
-- Redis gives no signal when a delayed task comes due or a reservation ends. So one of the waiting workers is the
-- timekeeper: it alone looks at that time. A script that enters something that is due earlier wakes the timekeeper, by
-- a list of its own, so that it looks earlier. In any case the timekeeper looks once in a while and the others
-- look rarely, in case a worker was killed after it had received a wake-up.
local KEEPER_LOOKS = 1 -- s between two looks of the timekeeper, at most
local OTHERS_LOOK = 2 -- s between two looks of another worker, and up to one more
local LATE = 0.1 -- s after it should have looked a timekeeper counts as dead

-- A script wakes others when its own work is done, so a command that is refused here does not end it. The refusal is
-- noted, and is the script's reply, unless that must report tasks that were taken.
local refusal

local function noted(reply)
  if type(reply) == 'table' and reply.err then
    refusal = refusal or reply
  end
  return reply
end

-- Wakes a worker, unless a wake-up is there that nobody has taken yet.
local function wake()
  if noted(redis.pcall('LLEN', WAKE)) == 0 then
    noted(redis.pcall('RPUSH', WAKE, '1'))
    noted(redis.pcall('PEXPIRE', WAKE, TOKEN_LIFE_MS))
  end
end

-- The same for the timekeeper.
local function wake_timekeeper()
  if noted(redis.pcall('LLEN', TIMER)) == 0 then
    noted(redis.pcall('RPUSH', TIMER, '1'))
    noted(redis.pcall('PEXPIRE', TIMER, TOKEN_LIFE_MS))
  end
end

-- Returns the id of the timekeeper and when it will look, or nil if none is alive.
local function timekeeper(now)
  local entry = noted(redis.pcall('GET', KEEPER))
  if type(entry) ~= 'string' then
    return nil
  end
  local waiter, looks_at = string.match(entry, '^(%S+) (%S+)$')
  looks_at = tonumber(looks_at)
  if not looks_at or looks_at < now - LATE then
    return nil
  end
  return waiter, looks_at
end

-- Wakes whoever has to learn that a task comes due at `at`: any worker if that is in the past, else the timekeeper if
-- it would look later. If there is no timekeeper, a waiting worker is woken to become it.
local function announce(at, now)
  if at <= now then
    return wake()
  end
  local waiter, looks_at = timekeeper(now)
  if not waiter then
    wake()
  elseif at < looks_at then
    wake_timekeeper()
  end
end
