local RECLAIMED_AT_ONCE = 100 -- what one script does at most

-- Ends a reservation that was not acknowledged: the task stands in the queue again, with this score; or it is dead,
-- when it was tried `most` times (0: there is no limit). What was enqueued meanwhile takes its place, as a new task.
local function give_back(id, attempts, score, now, most)
  local again = redis.call('ZSCORE', AGAIN, id)
  if again then
    score = again
    redis.call('ZADD', Q, score, id)
    redis.call('ZREM', AGAIN, id)
    redis.call('HDEL', STATE, id)
  elseif most > 0 and attempts >= most then
    redis.call('ZADD', DEAD, exact(now), id)
    redis.call('HSET', STATE, id, state_entry(attempts, score, ''))
    score = nil
  else
    redis.call('ZADD', Q, score, id)
    redis.call('HSET', STATE, id, state_entry(attempts, score, ''))
  end
  redis.call('ZREM', RESERVED, id)
  return tonumber(score)
end

-- The same for those whose worker did not come back in time: they stand where they stood.
local function reclaim(now, most)
  local ids = redis.call('ZRANGEBYSCORE', RESERVED, '-inf', exact(now), 'LIMIT', 0, RECLAIMED_AT_ONCE)
  for _, id in ipairs(ids) do
    local attempts, score = read_state(redis.call('HGET', STATE, id))
    give_back(id, attempts, score or exact(now), now, most)
  end
end
