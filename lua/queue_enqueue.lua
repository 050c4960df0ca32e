-- enqueue: enters ids, each due after the delay, in the order in which they are given.
--
-- KEYS   see inc/task_keys.lua
-- ARGV   delay in ms, 1 to replace what stands already (else it stays as it is), ids (at most a thousand)
-- Reply  how many were entered
--@include inc/task_keys.lua
--@include inc/task_wake.lua
local replace = ARGV[2] == '1'
local ids = {unpack(ARGV, 3)}

local now = server_time()
local first = now + ARGV[1] / 1000

local standing = redis.call('ZMSCORE', Q, unpack(ids))
local states = redis.call('HMGET', STATE, unpack(ids))
local enter, again, forget = {}, {}, {}
for i, id in ipairs(ids) do
  local score = first + (i - 1) * STEP
  if standing[i] and tonumber(standing[i]) == score then
    score = score + STEP -- never the old one: whoever took that must not remove the new one
  end
  local _, _, receipt = read_state(states[i])
  local list = enter
  if receipt ~= '' then
    list = again
  elseif states[i] and (replace or not standing[i]) then
    forget[#forget + 1] = id -- a new task has not been tried, and is not dead
  end
  list[#list + 1] = exact(score)
  list[#list + 1] = id
end

local function add(list, entries)
  return #entries > 0 and redis.call('ZADD', list, replace and 'CH' or 'NX', unpack(entries)) or 0
end

local entered = add(Q, enter)
local set_aside = add(AGAIN, again)
if #forget > 0 then
  redis.call('HDEL', STATE, unpack(forget))
  redis.call('ZREM', DEAD, unpack(forget))
end
if entered > 0 then
  announce(first, now, redis.call)
end
return entered + set_aside
