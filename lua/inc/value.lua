-- The value of the lock, at K: the token of its holder, or a baton.

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

-- Is it the token of a client that builds a value?
local function is_builder(value)
  return type(value) == 'string' and string.sub(value, 1, 9) == 'rl:build:'
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
  redis.call('PEXPIRE', B, LIST_LIFE)
end
