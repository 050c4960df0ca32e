-- stats: how many tasks there are of each kind.
--
-- KEYS   see inc/task_keys.lua
-- Reply  {due, delayed, reserved, dead}. What was enqueued while a worker has it counts as delayed.
--@include inc/task_keys.lua
only_on_a_master()
local now = exact(server_time())
local due = redis.call('ZCOUNT', Q, '-inf', now)
local over = redis.call('ZCOUNT', RESERVED, '-inf', now) -- they are back as soon as somebody asks for a task
return {
  due + over,
  redis.call('ZCARD', Q) - due + redis.call('ZCARD', AGAIN),
  redis.call('ZCARD', RESERVED) - over,
  redis.call('ZCARD', DEAD),
}
