-- acquire_all: takes many locks, all or none; for who will wait, those before the first that may not be taken.
--
-- KEYS   of each: lock, baton list, waiters; [behind them, of each: fence: the holder gets a fencing token]
-- ARGV   how many, lease in ms (0: without end), 1 for who will wait, 1 for a repeat of a request whose reply was lost,
--        the tokens: random, so one that is there already is from that request
-- Reply  {how many were taken, fence or 0}
--@include inc/keys.lua
--@include inc/many.lua
--@include inc/fence.lua
local count, lease = tonumber(ARGV[1]), tonumber(ARGV[2])
local waits, repeats = ARGV[3] == '1', ARGV[4] == '1'
local parked = {} -- lists with a baton that nobody took

local function others_wait()
  if redis.call('ZCARD', W) == 0 then
    return false
  end
  redis.call('ZREMRANGEBYSCORE', W, '-inf', (server_time()))
  return redis.call('ZCARD', W) > 0
end

-- The same question as in acquire: who will not wait may take what is free from those who do, but not a baton that one
-- of them may be on its way to take.
local function may_take(token)
  local holds = holder()
  if holds == token and repeats then
    return true
  end
  local is_free = not holds or is_parked(holds)
  local yields = waits or holds and until_overdue() > 0
  if not is_free or yields and others_wait() then
    return false
  end
  if holds then
    parked[#parked + 1] = B
  end
  return true
end

local taken = 0
for i = 1, count do
  turn_to(i)
  if not may_take(ARGV[4 + i]) then
    if taken == 0 or not waits then
      only_on_a_master()
      return {0, 0}
    end
    break
  end
  taken = i
end

local function give_back(last)
  for i = 1, last do
    redis.call('SET', KEYS[3 * i - 2], ARGV[4 + i], 'PXAT', 1) -- over long ago: not all may delete
  end
end

-- What may be refused comes first, and a refusal half way gives back what was taken.
local fence = 0
if #KEYS > 3 * count then
  local fences = {}
  for i = 1, taken do
    fences[i] = KEYS[3 * count + i]
  end
  fence = next_fence(fences)
end
for _, list in ipairs(parked) do
  redis.call('DEL', list)
end
for i = 1, taken do
  turn_to(i)
  local reply
  if lease > 0 then
    reply = redis.pcall('SET', K, ARGV[4 + i], 'PX', lease)
  else
    reply = redis.pcall('SET', K, ARGV[4 + i])
  end
  if reply.err then
    give_back(i - 1)
    return reply
  end
end
local emptied = redis.pcall('DEL', KEYS[2]) -- stale; who may not release them shall not have them
if type(emptied) == 'table' then
  give_back(taken)
  return emptied
end
return {taken, fence}
