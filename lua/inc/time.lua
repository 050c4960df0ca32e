-- Every time in the scripts of locks and values is in ms, unless its name says otherwise.
local function server_ms() -- ms, and the µs of its second, as text
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000), time[2]
end
