-- What every script is given first: the lock, the list through which its batons pass, its waiters.
local K, B, W = KEYS[1], KEYS[2], KEYS[3]

local GRACE = 1000 -- ms that a baton stands for the lock before its waiter has claimed it
local CLAIM = 300 -- ms of them in which the waiter has done so, unless it is stopped or cut off

-- Who holds the lock: a token, false when it is free, true for a key that is no lock at all.
local function holder()
  local value = redis.pcall('GET', K)
  if type(value) == 'table' then
    if string.find(value.err, 'WRONGTYPE', 1, true) then
      return true
    end
    return redis.call('GET', K) -- raises what it was refused for
  end
  return value
end

local function is_baton(value)
  return type(value) == 'string' and string.sub(value, 1, 9) == 'rl:baton:'
end

-- Is what holds the lock a baton that nobody has taken from the list yet?
local function is_parked(holds)
  return is_baton(holds) and redis.call('LINDEX', B, 0) == holds
end

-- ms until the baton that holds the lock should have been claimed; negative: since then.
local function until_overdue()
  return redis.call('PTTL', K) - (GRACE - CLAIM)
end

-- A "no" must come from a master. This writes without changing anything, so that a replica says READONLY:
-- a baton list lives this long anyway, and mostly there is none.
local function only_on_a_master()
  redis.call('PEXPIRE', B, 2 * GRACE)
end

local function in_ms(time)
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function server_time() -- ms, and the µs of its second
  local time = redis.call('TIME')
  return in_ms(time), tonumber(time[2])
end
