-- A repeat of a request for the lock may arrive late, for example from a proxy that has lost the client: behind the
-- repeat that took the lock, and behind an extension. It must not shorten the lease, in which the holder believes.
--
-- Does K, which the caller's token holds, have a longer lease than the request asks for? Returns false, or how much is
-- left of it, in ms; -1: it has no end.
local function is_extended(lease_ms)
  local left = lease_ms > 0 and redis.call('PTTL', K) or 0
  return left == -1 and left or left > lease_ms and count_on(left)
end
