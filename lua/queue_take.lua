-- take: pop and reserve. With a count of 0 it takes nothing, and a worker that waited leaves by it.
--
-- KEYS   see inc/task_keys.lua
-- ARGV   count (at most a thousand)
--        ms for which the tasks are reserved (0: they are taken for good)
--        what the receipts begin with
--        how often a task is tried (0: no limit)
--        the worker's id, if it may wait (else '')
--        1 if it goes on waiting should there be nothing
--        the server's time in µs until which tasks may be taken (0: at any time): later than that nobody waits for the
--          answer any more, and the worker leaves
-- Reply  {tasks, packed as in inc/task_pack.lua
--         µs until a waiting worker is to look again
--         1 if it is now the timekeeper
--         the server's time in µs}
--@include inc/task_keys.lua
--@include inc/task_wake.lua
--@include inc/task_reclaim.lua
--@include inc/task_pack.lua
--@include inc/spread.lua
local count, visibility_ms, base, most = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local waiter, waits, valid_until = ARGV[5], ARGV[6] == '1', tonumber(ARGV[7])

only_on_a_master()
local now = server_time()
local clock = math.floor(now * 1000000)
if valid_until > 0 and clock > valid_until then
  count, waits = 0, false
end
reclaim(now, most)

local ids, tasks = {}, {} -- of the tasks that are taken: the ids, and the tasks packed
local tried, reserve, states = {}, {}, {} -- those that were tried before; what is written to RESERVED and STATE
local bytes = 0

-- Notes that the task is taken. Nothing is written yet.
local function take(id, score, attempts)
  ids[#ids + 1] = id
  bytes = bytes + #id
  if attempts > 0 then
    tried[#tried + 1] = id
  end
  if visibility_ms > 0 then
    attempts = attempts + 1
    reserve[#reserve + 1] = exact(now + visibility_ms / 1000)
    reserve[#reserve + 1] = id
    states[#states + 1] = id
    states[#states + 1] = state_entry(attempts, score, base .. '.' .. #ids)
  end
  tasks[#tasks + 1] = pack(id, tonumber(score), attempts)
end

-- Takes the tasks that are due, up to `count`. Returns whether a task is left that is due, and how many were set aside:
-- a client that knows nothing of reservations has entered these while a worker has them reserved.
local function collect()
  local due = redis.call('ZRANGEBYSCORE', Q, '-inf', exact(now), 'WITHSCORES', 'LIMIT', 0, count + 1)
  local found = {}
  for i = 1, #due, 2 do
    found[#found + 1] = due[i]
  end
  local aside = 0
  for from, to in pieces(found) do
    local known = redis.call('HMGET', STATE, spread(found, from, to))
    for i = from, to do
      local id, score = found[i], due[2 * i]
      local attempts, _, receipt = read_state(known[i - from + 1])
      if receipt ~= '' then
        redis.call('ZADD', AGAIN, score, id)
        redis.call('ZREM', Q, id)
        aside = aside + 1
      elseif #ids == count or bytes + #id > MOST_BYTES then
        return true, aside
      else
        take(id, score, attempts)
      end
    end
  end
  return false, aside
end

local left, aside
repeat
  left, aside = collect()
until #ids > 0 or aside == 0 or left and count == 0
if left and #ids == 0 and count > 0 then
  return too_long('is due')
end

-- Returns the score of the first entry of a sorted set. `range`: that entry, with its score.
local function lowest(range)
  return tonumber(range[2]) or math.huge
end

if waits and #ids == 0 then
  redis.call('DEL', WAKE) -- nothing is due: a wake-up in the list would wake a worker for nothing
  local look_in = OTHERS_LOOK + now * 1000 % 1000 / 1000
  local keeper = timekeeper(now)
  if refusal then
    return refusal
  end
  local keeps = not keeper or keeper == waiter
  if keeps then
    local due = lowest(redis.call('ZRANGE', Q, 0, 0, 'WITHSCORES'))
    local over = lowest(redis.call('ZRANGE', RESERVED, 0, 0, 'WITHSCORES'))
    look_in = math.max(0, math.min(due - now, over - now, KEEPER_LOOKS))
    redis.call('DEL', TIMER)
    redis.call('SET', KEEPER, waiter .. ' ' .. exact(now + look_in), 'PX', math.ceil(look_in * 1000) + 1000)
  end
  return {'', math.ceil(look_in * 1000000), keeps and 1 or 0, clock}
end

-- The write that removes the tasks from the queue comes last: should one before it be refused, the tasks are still
-- there. A wake-up for the next worker may be refused without an error, since the answer must report the tasks that are
-- taken.
local keeper, looks_at = timekeeper(now)
if keeper and keeper == waiter then
  redis.pcall('DEL', KEEPER)
  keeper = nil
end
local function something_is_to_come()
  return #reserve > 0 or redis.call('ZCARD', Q) > #ids or redis.call('ZCARD', RESERVED) > 0
end
if left or not keeper and something_is_to_come() then
  wake() -- to take what is left, or to become the timekeeper
end
if #reserve > 0 and keeper and now + visibility_ms / 1000 < looks_at then
  wake_timekeeper()
end
for from, to in pieces(reserve) do
  redis.call('ZADD', RESERVED, spread(reserve, from, to))
  redis.call('HSET', STATE, spread(states, from, to))
end
for from, to in pieces(tried) do
  if visibility_ms == 0 then
    redis.call('HDEL', STATE, spread(tried, from, to))
  end
  redis.call('ZREM', DEAD, spread(tried, from, to)) -- a client that knows nothing of the dead may have entered one
end
for from, to in pieces(ids) do
  redis.call('ZREM', Q, spread(ids, from, to))
end
return {table.concat(tasks), 0, 0, clock}
