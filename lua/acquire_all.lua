-- acquire_all: takes many locks, all or none. For a caller that is ready to wait, it takes the locks in front of the
-- first one that may not be taken.
--
-- KEYS   of each lock: lock, baton list, waiters; [behind these, of each lock: fence: the holder gets a fencing token]
-- ARGV   how many locks
--        lease_ms (0: without end)
--        1 if the caller is ready to wait
--        1 for a repeat of a request whose reply was lost
--        the tokens: random, so if one holds its lock already, that is due to the lost request
-- Reply  {how many were taken, fence or 0}
--@include inc/many.lua
--@include inc/list.lua
--@include inc/value.lua
--@include inc/time.lua
--@include inc/waiters.lua
--@include inc/take.lua
local F
--@include inc/fence.lua
--@include inc/mark.lua
--@include inc/extended.lua
local count, lease_ms = tonumber(ARGV[1]), tonumber(ARGV[2])
local waits, repeats = ARGV[3] == '1', ARGV[4] == '1'
local parked = {}   -- lists with a baton that nobody took
local extended = {} -- which of the locks stay as they are

-- May the lock at K be taken? The rule is that of acquire: a caller that does not wait may take a free lock in front of
-- the waiters, but not a lock whose baton one of them may be about to take.
local function may_take(token)
  local holds = holder()
  if holds == token and repeats then
    extended[K] = is_extended(lease_ms)
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

-- Frees the locks up to the `last` one that this call has taken.
local function give_back(last)
  for i = 1, last do
    turn_to(i)
    if not extended[K] then
      withdraw(ARGV[4 + i])
    end
  end
end

-- Writes that may be refused come first, and after a refusal half way the locks that were taken are given back.
local fence = 0
if #KEYS > 3 * count then
  fence = fence_of_now()
  for i = 1, taken do
    F = KEYS[3 * count + i]
    fence = fence_after_last(fence)
  end
  for i = 1, taken do
    F = KEYS[3 * count + i]
    keep_fence(fence)
  end
end
for _, list in ipairs(parked) do
  redis.call('DEL', list)
end
for i = 1, taken do
  turn_to(i)
  local refusal = not extended[K] and put(ARGV[4 + i], lease_ms)
  if refusal then
    give_back(i - 1)
    return refusal
  end
end
local emptied = redis.pcall('DEL', KEYS[2]) -- stale; a client that may not release the locks must not get them
if type(emptied) == 'table' then
  give_back(taken)
  return emptied
end
return {taken, fence}
