-- dequeue: removes an id, if it still has the score that the caller saw.
--
-- KEYS   see inc/task_keys.lua
-- ARGV   id
--        score (a double as eight bytes, big endian)
-- Reply  1  done; 0  the id was taken, or enqueued anew
--@include inc/task_keys.lua
local id, seen = ARGV[1], struct.unpack('>d', ARGV[2])

local function is_seen(score)
  return score and tonumber(score) == seen
end

if is_seen(redis.call('ZSCORE', AGAIN, id)) then
  redis.call('ZREM', AGAIN, id)
  return 1
end
if is_seen(redis.call('ZSCORE', Q, id)) then
  redis.call('ZREM', Q, id)
  local _, _, receipt = read_state(redis.call('HGET', STATE, id))
  if receipt == '' then
    redis.call('HDEL', STATE, id)
  end
  return 1
end
only_on_a_master()
return 0
