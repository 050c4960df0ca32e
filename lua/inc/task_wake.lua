-- Workers that wait block on a list, and whoever makes a task due puts one element there: one task wakes one worker, and
-- a worker that takes a task and sees another behind it wakes the next.
--
-- Redis does not tell when a delayed task comes due or a reservation ends. So one of those that wait is the timekeeper:
-- it alone looks at that time. What comes due before that wakes it by a list of its own, to look earlier. It looks once
-- in a while in any case, the others rarely, in case somebody was killed with a wake-up in its hands.
local KEEPER_LOOKS = 1 -- s
local OTHERS_LOOK = 2 -- s, and up to one more
local LATE = 0.1 -- s after its alarm a timekeeper counts as dead

local function push(list, call)
  if call('LLEN', list) == 0 then
    call('RPUSH', list, '1')
    call('PEXPIRE', list, TOKEN_LIFE)
  end
end

local function wake(call)
  push(WAKE, call)
end

-- Who is the timekeeper, and when it will look; nil: there is none that is alive.
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

-- Something comes due at `at`. Where there is no timekeeper, a worker that waits is woken to become it.
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
