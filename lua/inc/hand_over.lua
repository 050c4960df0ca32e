-- Hands the lock to the waiter that has waited longest, or frees it when nobody waits.
--
-- The lock's value becomes a baton that stands for the grace time. The same baton goes through the list to the client
-- that has been blocked on it longest. If a step is refused (no right to a command, a key of another type), the lock is
-- freed all the same, and the refusal is returned: a lock that stays taken with no holder is worse than waiters that
-- find the free lock only by looking.

local GRACE = 1000 -- ms for which a baton is the lock's value, unless its waiter claims the lock before

-- Passes the baton. Returns what was refused, if anything was.
local function pass(baton)
  local length = redis.pcall('RPUSH', B, baton)
  if length ~= 1 then
    -- In the list are stale batons, it is no list, or memory is short. A DEL mends all of that: after a write that is
    -- always allowed, the others are allowed too.
    redis.pcall('DEL', B)
    length = redis.pcall('RPUSH', B, baton)
  end
  local lives = type(length) == 'number' and redis.pcall('PEXPIRE', B, LIST_LIFE) or length
  if type(lives) == 'table' then
    return lives
  end
  local set = redis.pcall('SET', K, baton, 'PX', GRACE)
  return set.err and set
end

-- `waiting`: the number of entries in the queue, if that is known.
local function hand_over(baton, waiting)
  waiting = waiting or redis.pcall('ZCARD', W)
  local refusal
  if type(waiting) == 'table' then
    refusal = waiting
  elseif waiting > 0 then
    refusal = pass(baton)
    if not refusal then
      return nil
    end
  end
  redis.call('DEL', K, B)
  return refusal
end
