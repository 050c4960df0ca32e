-- Returns a baton that was never used before, for a waiter that hands the lock on: its id is random.
local function fresh_baton(waiter)
  local time = redis.call('TIME')
  return 'rl:baton:' .. string.sub(redis.sha1hex(waiter .. time[1] .. '.' .. time[2]), 1, 32)
end
