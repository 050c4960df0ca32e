-- put_back: puts tasks that pop took and that could not be delivered back into the queue, with their old scores. An id
-- that was enqueued anew meanwhile stays as it is, also if that task is dead.
--
-- KEYS   see inc/task_keys.lua
-- ARGV   tasks, packed as in the reply of take
-- Reply  how many were put back
--@include inc/task_keys.lua
--@include inc/task_wake.lua
local function put_back(id, score, attempts)
  local _, _, receipt = read_state(redis.call('HGET', STATE, id))
  if receipt ~= '' then
    return redis.call('ZADD', AGAIN, 'NX', score, id)
  elseif redis.call('ZSCORE', DEAD, id) or redis.call('ZADD', Q, 'NX', score, id) == 0 then
    return 0
  elseif attempts > 0 then
    redis.call('HSET', STATE, id, state_entry(attempts, score, ''))
  else
    redis.call('HDEL', STATE, id)
  end
  return 1
end

only_on_a_master() -- first, so that a server that is short of memory does not refuse the writes below
local packed, at, count = ARGV[1], 1, 0
while at <= #packed do
  local score, attempts, length, from = struct.unpack('>dI4I4', packed, at)
  at = from + length
  count = count + put_back(string.sub(packed, from, at - 1), exact(score), attempts)
end
if count > 0 then
  wake()
end
return refusal or count
