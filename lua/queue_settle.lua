-- ack, release and touch: a worker reports what became of the task that it has reserved.
--
-- KEYS   see inc/task_keys.lua
-- ARGV   'ack', 'release' or 'touch'
--        id
--        receipt
--        ms: for release the delay, for touch the time for which the task stays reserved
--        how often a task is tried (0: no limit)
-- Reply  1  done; 0  the task is not reserved under this receipt any more
--@include inc/task_keys.lua
--@include inc/task_wake.lua
--@include inc/task_reclaim.lua
local what, id, span = ARGV[1], ARGV[2], ARGV[4] / 1000

only_on_a_master()
local attempts, _, receipt = read_state(redis.call('HGET', STATE, id))
if receipt == '' or receipt ~= ARGV[3] then
  return 0
end

local now = server_time()
local next_at
if what == 'touch' then
  next_at = now + span
  redis.call('ZADD', RESERVED, exact(next_at), id)
elseif what == 'release' then
  next_at = give_back(id, attempts, exact(now + span), now, tonumber(ARGV[5]))
else
  next_at = redis.call('ZSCORE', AGAIN, id)
  if next_at then
    redis.call('ZADD', Q, next_at, id)
    redis.call('ZREM', AGAIN, id)
    next_at = tonumber(next_at)
  end
  redis.call('HDEL', STATE, id)
  redis.call('ZREM', RESERVED, id)
end
if next_at then
  announce(next_at, now)
end
return refusal or 1
