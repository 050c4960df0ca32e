-- enqueue: enters ids, each due after the delay, in the order in which they are given.
--
-- An enqueue is sent again when its answer is lost, and a worker may have taken meanwhile what the first request
-- entered. So the last call of each client leaves a receipt. A second request of that call does nothing, whichever of
-- the two arrives first. A request of an earlier call comes too late and is refused: that call is over. A call that
-- entered nothing leaves a receipt as well: its repeat must not enter what has gone since.
--
-- KEYS   see inc/task_keys.lua; behind these: the receipt of this client
-- ARGV   the call: its number, in 20 digits, and its token
--        ms for which its receipt is kept
--        delay in ms
--        1 to replace ids that stand in the queue already, or are dead (else they stay as they are)
--        the ids (at most a thousand)
-- Reply  how many were entered; of a repeat, 1 if any was
local RECEIPT = KEYS[9]
--@include inc/task_keys.lua
--@include inc/task_wake.lua
--@include inc/spread.lua
local CALL, RECEIPT_LIFE = ARGV[1], ARGV[2]
local NOTHING = ' entered nothing' -- stands behind the call in the receipt of one that did
local IDS = 5 -- where they begin in ARGV
local replace = ARGV[4] == '1'
local now = server_time()
local first = now + ARGV[3] / 1000

local enter, again, forget, replaced = {}, {}, {}, {}

-- Notes what is to be written for an id. `due`: its score; `standing`: that under which it stands in the queue;
-- `state`: its entry there.
local function enter_id(id, due, standing, state)
  if standing and tonumber(standing) == due then
    due = due + SCORE_STEP -- never the old score: a caller that saw that one must not remove the new task
  end
  local _, score, receipt = read_state(state)
  local list = enter
  if receipt ~= '' then
    list = again
    if replace then
      replaced[#replaced + 1] = id
      replaced[#replaced + 1] = state_entry(0, score, receipt)
    end
  elseif state and (replace or not standing) then
    if not replace and redis.call('ZSCORE', DEAD, id) then
      return
    end
    forget[#forget + 1] = id -- a new task has not been tried, and is not dead
  end
  list[#list + 1] = exact(due)
  list[#list + 1] = id
end

for from, to in pieces(ARGV, IDS) do
  local standing = redis.call('ZMSCORE', Q, spread(ARGV, from, to))
  local states = redis.call('HMGET', STATE, spread(ARGV, from, to))
  for i = from, to do
    enter_id(ARGV[i], first + (i - IDS) * SCORE_STEP, standing[i - from + 1], states[i - from + 1])
  end
end

local function leave_receipt(text)
  return redis.call('SET', RECEIPT, text, 'PX', RECEIPT_LIFE, 'GET')
end

local last = leave_receipt(CALL)
if last == CALL then
  return 1
elseif last and last > CALL then
  leave_receipt(last)
  return last == CALL .. NOTHING and 0 or redis.error_reply('ERR a later call of this client was carried out before')
end

-- Returns how many of these `count` ids a ZADD has entered: none if it was refused; all of them if they replace, since a score
-- may happen to be the old one.
local function added(reply, count)
  return type(noted(reply)) ~= 'number' and 0 or replace and count or reply
end

local how = replace and 'CH' or 'NX'
local entered, set_aside = 0, 0
for from, to in pieces(enter) do
  entered = entered + added(redis.pcall('ZADD', Q, how, spread(enter, from, to)), (to - from + 1) / 2)
end
for from, to in pieces(refusal and {} or again) do
  set_aside = set_aside + added(redis.pcall('ZADD', AGAIN, how, spread(again, from, to)), (to - from + 1) / 2)
end
if refusal then -- it may be carried out again, and those before it may not
  if last then
    leave_receipt(last)
  else
    redis.call('DEL', RECEIPT)
  end
  return refusal
elseif entered + set_aside == 0 then
  leave_receipt(CALL .. NOTHING)
end
for from, to in pieces(forget) do
  redis.call('HDEL', STATE, spread(forget, from, to))
  redis.call('ZREM', DEAD, spread(forget, from, to))
end
for from, to in pieces(replaced) do
  redis.call('HSET', STATE, spread(replaced, from, to))
end
if entered > 0 then
  announce(first, now)
end
return refusal or entered + set_aside
