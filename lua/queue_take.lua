-- take: pop, and reserve; or, with a count of 0, nothing: a worker that waited leaves.
--
-- KEYS   see inc/task_keys.lua
-- ARGV   count (at most a thousand), ms for which they are reserved (0: they are taken for good), what the receipts
--        begin with, how often a task is tried (0: no limit), the worker's id while it waits (else ''), 1 if it goes on
--        waiting should there be nothing, µs of the server's clock until when this may be done (0: whenever): later nobody
--        waits for the answer any more, and nothing is taken
-- Reply  {tasks, µs until a worker that waits shall look again, 1 if it is the timekeeper now, µs of the server's clock}
--@include inc/task_keys.lua
--@include inc/task_wake.lua
--@include inc/task_reclaim.lua
--@include inc/task_pack.lua
local count, visibility, base, most = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local waiter, waits, valid_until = ARGV[5], ARGV[6] == '1', tonumber(ARGV[7])

only_on_a_master()
local now = server_time()
local clock = math.floor(now * 1000000)
if valid_until > 0 and clock > valid_until then
  count, waits = 0, false
end
reclaim(now, most)

local ids, tasks = {}, {} -- what is taken
local forget, reserve, states = {}, {}, {} -- what that changes beside the queue
local bytes = 0

local function take(id, score, attempts)
  ids[#ids + 1] = id
  bytes = bytes + #id
  if visibility > 0 then
    attempts = attempts + 1
    reserve[#reserve + 1] = exact(now + visibility / 1000)
    reserve[#reserve + 1] = id
    states[#states + 1] = id
    states[#states + 1] = state_entry(attempts, score, base .. '.' .. #ids)
  elseif attempts > 0 then
    forget[#forget + 1] = id
  end
  tasks[#tasks + 1] = pack(id, tonumber(score), attempts)
end

-- Looks through what is due. Returns whether something is left, and how many could not be taken: a client that knows
-- nothing of reservations has entered them while a worker has them. Those are set aside.
local function collect()
  local due = redis.call('ZRANGEBYSCORE', Q, '-inf', exact(now), 'WITHSCORES', 'LIMIT', 0, count + 1)
  local found = {}
  for i = 1, #due, 2 do
    found[#found + 1] = due[i]
  end
  if #found == 0 then
    return false, 0
  end
  local known = redis.call('HMGET', STATE, unpack(found))
  local aside = 0
  for i, id in ipairs(found) do
    local score = due[2 * i]
    local attempts, _, receipt = read_state(known[i])
    if receipt ~= '' then
      redis.call('ZADD', AGAIN, score, id)
      redis.call('ZREM', Q, id)
      aside = aside + 1
    elseif #ids == count then
      return true, aside
    elseif bytes + #id > MOST_BYTES then
      return true, aside
    else
      take(id, score, attempts)
    end
  end
  return false, aside
end

local left, aside
repeat
  left, aside = collect()
until #ids > 0 or aside == 0 or left and count == 0
if left and #ids == 0 and count > 0 then
  return redis.error_reply('ERR the first id that is due is too long to be delivered')
end

local function lowest(list)
  return tonumber(redis.call('ZRANGE', list, 0, 0, 'WITHSCORES')[2]) or math.huge
end

if waits and #ids == 0 then
  redis.call('DEL', WAKE) -- nothing is due: what lies there would wake a worker for nothing
  local look_in = OTHERS_LOOK + now * 1000 % 1000 / 1000
  local keeper = timekeeper(now, redis.call)
  local keeps = not keeper or keeper == waiter
  if keeps then
    look_in = math.max(0, math.min(math.min(lowest(Q), lowest(RESERVED)) - now, KEEPER_LOOKS))
    redis.call('DEL', TIMER)
    redis.call('SET', KEEPER, waiter .. ' ' .. exact(now + look_in), 'PX', math.ceil(look_in * 1000) + 1000)
  end
  return {'', math.ceil(look_in * 1000000), keeps and 1 or 0, clock}
end

-- The last thing is what removes them from the queue: should it be refused, they are still there. To wake the next is
-- tried only, since those that are taken must be told.
local keeper, alarm = timekeeper(now, redis.pcall)
if keeper and keeper == waiter then
  redis.pcall('DEL', KEEPER)
  keeper = nil
end
local function something_is_to_come()
  return #reserve > 0 or redis.call('ZCARD', Q) > #ids or redis.call('ZCARD', RESERVED) > 0
end
if left or not keeper and something_is_to_come() then
  wake(redis.pcall) -- to take what is left, or to become the timekeeper
end
if #reserve > 0 then
  if keeper and now + visibility / 1000 < alarm then
    push(TIMER, redis.pcall)
  end
  redis.call('ZADD', RESERVED, unpack(reserve))
  redis.call('HSET', STATE, unpack(states))
end
if #forget > 0 then
  redis.call('HDEL', STATE, unpack(forget))
end
if #ids > 0 then
  redis.call('ZREM', Q, unpack(ids))
end
return {table.concat(tasks), 0, 0, clock}
