local RECLAIMED_AT_ONCE = 100 -- reservations that one script reclaims at most

-- Ends a reservation that was not acknowledged. The task stands in the queue again with `score`, or is dead if it was
-- tried `most` times (0: there is no limit). A new task that has replaced it meanwhile takes its place. One that was
-- only to be there is there: it is the task that failed. Returns the score with which the id stands in the queue, nil
-- if it is dead.
local function give_back(id, attempts, score, now, most)
  local again = redis.call('ZSCORE', AGAIN, id)
  if again and attempts == 0 then
    score = again
    redis.call('ZADD', Q, score, id)
    redis.call('HDEL', STATE, id)
  elseif most > 0 and attempts >= most then
    redis.call('ZADD', DEAD, exact(now), id)
    redis.call('HSET', STATE, id, state_entry(attempts, score, ''))
    score = nil
  else
    redis.call('ZADD', Q, score, id)
    redis.call('HSET', STATE, id, state_entry(attempts, score, ''))
  end
  if again then
    redis.call('ZREM', AGAIN, id)
  end
  redis.call('ZREM', RESERVED, id)
  return tonumber(score)
end

-- Gives back the tasks whose reservation has run out: they stand in the queue with their old scores.
local function reclaim(now, most)
  local ids = redis.call('ZRANGEBYSCORE', RESERVED, '-inf', exact(now), 'LIMIT', 0, RECLAIMED_AT_ONCE)
  for _, id in ipairs(ids) do
    local attempts, score = read_state(redis.call('HGET', STATE, id))
    give_back(id, attempts, score or exact(now), now, most)
  end
end
