-- enqueue: enters ids, each due after the delay, in the order in which they are given.
--
-- An enqueue is sent again when its answer is lost, and a worker may have taken meanwhile what the first request
-- entered. So the last call of each client leaves a receipt. A second request of that call does nothing, whichever of
-- the two arrives first. A request of an earlier call comes too late and is refused: that call is over.
--
-- KEYS   see inc/task_keys.lua; behind these: the receipt of this client
-- ARGV   the call: its number, in 20 digits, and its token
--        ms for which its receipt is kept
--        delay in ms
--        1 to replace ids that stand in the queue already (else they stay as they are)
--        the ids (at most a thousand)
-- Reply  how many were entered; of a repeat, 1
local Q, RESERVED, STATE, AGAIN, DEAD = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local WAKE, TIMER, KEEPER, RECEIPT = KEYS[6], KEYS[7], KEYS[8], KEYS[9]
--@include inc/task_keys.lua
--@include inc/task_wake.lua
local CALL, RECEIPT_LIFE = ARGV[1], ARGV[2]
local replace = ARGV[4] == '1'
local ids = {unpack(ARGV, 5)}

local now = server_time()
local first = now + ARGV[3] / 1000

local standing = redis.call('ZMSCORE', Q, unpack(ids))
local states = redis.call('HMGET', STATE, unpack(ids))
local enter, again, forget = {}, {}, {}
for i, id in ipairs(ids) do
  local score = first + (i - 1) * STEP
  if standing[i] and tonumber(standing[i]) == score then
    score = score + STEP -- never the old score: a caller that saw that one must not remove the new task
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

local last = redis.call('SET', RECEIPT, CALL, 'PX', RECEIPT_LIFE, 'GET')
if last == CALL then
  return 1
elseif last and last > CALL then
  redis.call('SET', RECEIPT, last, 'PX', RECEIPT_LIFE)
  return redis.error_reply('ERR a later call of this client was carried out before')
end

local function add(list, entries)
  return #entries > 0 and redis.pcall('ZADD', list, replace and 'CH' or 'NX', unpack(entries)) or 0
end

local entered = add(Q, enter)
local set_aside = type(entered) == 'number' and add(AGAIN, again) or 0
local refused = type(entered) == 'table' and entered or type(set_aside) == 'table' and set_aside
if refused or entered + set_aside == 0 then
  redis.call('DEL', RECEIPT) -- a call that entered nothing may be carried out again
end
if refused then
  return refused
end
if #forget > 0 then
  redis.call('HDEL', STATE, unpack(forget))
  redis.call('ZREM', DEAD, unpack(forget))
end
if entered > 0 then
  announce(first, now, redis.call)
end
return entered + set_aside
