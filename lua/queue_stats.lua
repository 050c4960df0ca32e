-- stats: counts the tasks of each kind.
--
-- KEYS   see inc/task_keys.lua
-- Reply  {due, delayed, reserved, dead}. An id that was enqueued while a worker has it reserved also counts as delayed.
--@include inc/task_keys.lua
only_on_a_master()
local now = exact(server_time())
local due = redis.call('ZCOUNT', Q, '-inf', now)
local over = redis.call('ZCOUNT', RESERVED, '-inf', now) -- the next take or top gives these back
return {
  due + over,
  redis.call('ZCARD', Q) - due + redis.call('ZCARD', AGAIN),
  redis.call('ZCARD', RESERVED) - over,
  redis.call('ZCARD', DEAD),
}
