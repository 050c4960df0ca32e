-- Waiting workers block on a list. A script that makes a task due pushes one element to the list: one task wakes one
-- worker. A worker that takes a task and finds another one due behind it wakes the next worker.
--
-- Redis gives no signal when a delayed task comes due or a reservation ends. So one of the waiting workers is the
-- timekeeper: it alone looks at that time. A script that enters something that is due earlier wakes the timekeeper, by
-- a list of its own, so that it sets its alarm anew. In any case the timekeeper looks once in a while and the others
-- look rarely, in case a worker was killed after it had received a wake-up.
local KEEPER_LOOKS = 1 -- s between two looks of the timekeeper, at most
local OTHERS_LOOK = 2 -- s between two looks of another worker, and up to one more
local LATE = 0.1 -- s after its alarm a timekeeper counts as dead

-- Pushes a wake-up to the list, unless one is there that nobody has taken yet. Here and below, `call` is redis.call, or
-- redis.pcall where a refusal is to be ignored.

local function push(list, call)
  if call('LLEN', list) == 0 then
    call('RPUSH', list, '1')
    call('PEXPIRE', list, TOKEN_LIFE)
  end
end

local function wake(call)
  push(WAKE, call)
end

-- Returns the id of the timekeeper and when it will look, or nil if none is alive.
local function timekeeper(now, call)
  local entry = call('GET', KEEPER)
  if type(entry) ~= 'string' then
    return nil
  end
  local waiter, alarm = string.match(entry, '^(%S+) (%S+)$')
  alarm = tonumber(alarm)
  if not alarm or alarm < now - LATE then
    return nil
  end
  return waiter, alarm
end

-- Wakes whoever has to learn that a task comes due at `at`: any worker if that is in the past, else the timekeeper if
-- it would look later. Where there is no timekeeper, a waiting worker is woken to become it.
local function announce(at, now, call)
  if at <= now then
    return wake(call)
  end
  local waiter, alarm = timekeeper(now, call)
  if not waiter then
    wake(call)
  elseif at < alarm then
    push(TIMER, call)
  end
end
