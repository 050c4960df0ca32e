-- What the scripts of locks share. The keys of a lock are K, the lock itself; B, the list through which its batons pass;
-- and W, its waiters.

-- ms that a baton has left, as the lock's value, when its waiter should have claimed the lock: 300 after the hand-over
local OVERDUE = 700

-- Returns the lock's value (a token or a baton), false when the lock is free, true when the key is no lock at all.
local function holder()
  local value = redis.pcall('GET', K)
  if type(value) == 'table' then
    if string.find(value.err, 'WRONGTYPE', 1, true) then
      return true
    end
    return redis.call('GET', K) -- raises the error for which it was refused
  end
  return value
end

local function is_baton(value)
  return type(value) == 'string' and string.sub(value, 1, 9) == 'rl:baton:'
end

-- Is the lock's value `holds` a baton that no waiter has taken from the list yet?
local function is_parked(holds)
  return is_baton(holds) and redis.call('LINDEX', B, 0) == holds
end

-- Returns in how many ms the lock whose value is a baton should have been claimed; negative once that is overdue.
local function until_overdue()
  return redis.call('PTTL', K) - OVERDUE
end

-- Makes sure that a "no" comes from a master, by a write that changes nothing: a replica answers it with READONLY. It
-- is harmless since a baton list lives this long anyway, and mostly there is none.
local function only_on_a_master()
  redis.call('PEXPIRE', B, 2000)
end

local function server_time() -- ms, and the µs of its second
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000), tonumber(time[2])
end

local function drop_dead(now)
  redis.call('ZREMRANGEBYSCORE', W, '-inf', now)
end
