-- requeue: makes tasks that were given up due again, as new ones.
--
-- KEYS   see inc/task_keys.lua
-- ARGV   ids (at most a thousand); none: up to a thousand that died first
-- Reply  {how many were dead and are due again, how many are still dead}
--@include inc/task_keys.lua
--@include inc/task_wake.lua
local AT_ONCE = 1000

only_on_a_master()
local ids = ARGV
if #ids == 0 then
  ids = redis.call('ZRANGE', DEAD, 0, AT_ONCE - 1)
end

local now = server_time()
local moved = 0
for _, id in ipairs(ids) do
  if redis.call('ZSCORE', DEAD, id) then
    local _, score, receipt = read_state(redis.call('HGET', STATE, id))
    if receipt == '' then
      redis.call('ZADD', Q, 'NX', exact(now + moved * SCORE_STEP), id)
      redis.call('HDEL', STATE, id)
    else
      redis.call('ZADD', AGAIN, 'NX', exact(now), id)
      redis.call('HSET', STATE, id, state_entry(0, score, receipt))
    end
    redis.call('ZREM', DEAD, id)
    moved = moved + 1
  end
end
if moved > 0 then
  wake()
end
return refusal or {moved, redis.call('ZCARD', DEAD)}
