-- Gives the lock to whoever waits longest, or frees it when nobody waits.
--
-- The lock's value becomes a baton that is good for the grace time, and the same baton goes through the list to the
-- client that has been blocked on it longest. Where a step is refused (no right to a command, a key of another type),
-- the lock is freed all the same, since a lock that nobody holds is worse than waiters who find it by looking; the
-- refusal is returned then.
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
    -- The first write is one that is allowed when memory is short; those after it are then allowed too.
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
