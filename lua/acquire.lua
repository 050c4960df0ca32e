-- acquire and claim: takes the lock if it may be taken, otherwise enters or leaves the queue.
--
-- KEYS   lock, baton list, waiters [, fence: the holder gets a fencing token]
-- ARGV   token, lease in ms (0: without end), waiter id or '', patience in ms (0: will not wait, -1: without end),
--        most waiters (0: no limit), how it repeats a request whose reply was lost (0: it is no repeat; 1: with a
--        random token, so one that is there already is from that request; 2: with the caller's, so who knows), the
--        baton that this waiter was served or '', ms between looks at a foreign holder, a fresh baton
-- Reply  {1, fence or 0}   taken
--        {0, ms}           held; a waiter shall look in so many ms
--        {-1, 0}           held, and the queue is full
--        {2, 0}            held by this token, and whether that is from the request before cannot be known

-- Mostly it is free and nobody stands in line: that goes first, before anything is set up for the rest. What is refused
-- here is refused again below, if it matters there.
if not KEYS[4] and ARGV[2] ~= '0' and ARGV[7] == ''
  and (ARGV[3] == '' or ARGV[4] ~= '0' and redis.pcall('ZCARD', KEYS[3]) == 0) then
  local set = redis.pcall('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
  if type(set) == 'table' and set.ok then
    return {1, 0}
  end
end

--@include inc/keys.lua
--@include inc/hand_over.lua
--@include inc/queue.lua
--@include inc/fence.lua
local token, waiter, served = ARGV[1], ARGV[3], ARGV[7]
local lease, patience, limit, retry = tonumber(ARGV[2]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[8])

-- What may be refused comes first, the lock last: nothing stays locked by a script that failed half way.
local function take()
  if waiter ~= '' then
    redis.call('ZREM', W, waiter)
  end
  local fence = KEYS[4] and next_fence() or 0
  if lease > 0 then
    redis.call('SET', K, token, 'PX', lease)
  else
    redis.call('SET', K, token)
  end
  return {1, fence}
end

-- Does anybody else wait? One that will wait itself lets those go first.
local function others_wait(now)
  local waiting = redis.call('ZCARD', W)
  if waiting == 0 then
    return false
  end
  drop_dead(now)
  waiting = redis.call('ZCARD', W)
  return waiting > 1 or waiting == 1 and not redis.call('ZSCORE', W, waiter)
end

local holds = holder()
if is_baton(served) and (holds == served or not holds) or holds == token and ARGV[6] == '1' then
  return take()
end

if holds == token and ARGV[6] == '2' then
  only_on_a_master()
  return {2, 0}
end

local parked = is_baton(holds) and redis.call('LINDEX', B, 0) == holds -- a baton that nobody took: free
if not holds or parked then
  if patience == 0 or not others_wait((server_time())) then
    if parked then
      redis.call('DEL', B)
    end
    return take()
  end
end

if patience == 0 then
  if waiter ~= '' then
    redis.call('ZREM', W, waiter)
  end
  only_on_a_master()
  return {0, 0}
end

local now, usec = server_time()
drop_dead(now)
local is_new = not redis.call('ZSCORE', W, waiter)
if limit > 0 and is_new and redis.call('ZCARD', W) >= limit then
  return {-1, 0}
end
if not holds then
  local refusal = hand_over(ARGV[9])
  if refusal then
    return refusal
  end
  holds = ARGV[9]
elseif not is_baton(holds) then
  redis.call('DEL', B) -- what lies there is stale, and would wake this waiter for nothing
end
return {0, enqueue(waiter, is_new, patience, holds, retry, now, usec)}
