-- Hands the lock to the waiter that has waited longest, or frees it when nobody waits.
--
-- The lock's value becomes a baton that stands for the grace time. The same baton goes through the list to the client
-- that has been blocked on it longest. If a step is refused (no right to a command, a key of another type), the lock is
-- freed all the same, and the refusal is returned: a lock that stays taken with no holder is worse than waiters that
-- find the free lock only by looking.
local function hand_over(baton)
  local refusal
  local function try(...)
    local reply = redis.pcall(...)
    if type(reply) == 'table' and reply.err then
      refusal = refusal or reply
      return nil
    end
    return reply
  end

  local waiting = try('ZCARD', W)
  if waiting and waiting > 0 then
    local time = try('TIME')
    -- The first write is a command that is allowed when memory is short; the writes after it are then allowed too.
    local dropped = time and try('ZREMRANGEBYSCORE', W, '-inf', in_ms(time))
    waiting = dropped and try('ZCARD', W)
    if waiting and waiting > 0
      and try('DEL', B) and try('RPUSH', B, baton) and try('PEXPIRE', B, 2 * GRACE)
      and try('SET', K, baton, 'PX', GRACE) then
      return refusal
    end
  end
  redis.call('DEL', K, B)
  return refusal
end
