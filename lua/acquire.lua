-- acquire and claim: takes the lock if it may be taken, otherwise enters or leaves the queue.
--
-- KEYS   lock, baton list, waiters [, fence: the holder gets a fencing token]
-- ARGV   token
--        lease in ms (0: without end)
--        waiter id, or ''
--        patience in ms (0: does not wait, -1: without end)
--        limit of waiters (0: none)
--        1 for a repeat of a request whose reply was lost; a token is used once, so if it holds the lock already, that
--          is due to the lost request; a lease that was extended meanwhile is not shortened
--        the baton that this waiter was served, or ''
--        ms between looks at a foreign holder
--        a fresh baton
--        [1: no lock has been released over this connection yet]
-- Reply  {1, fence or 0}   taken
--        {0, ms}           held, and the caller waits: it is to look in so many ms
--        {0, n}            held, and the caller does not wait: n others wait; n is 0 if the caller is no waiter
--        {-1, n}           held, and the queue is full: n wait
--@keys K B W F

-- Tests, after the lock was set, whether the client may also delete, as a release does: a client that may not release
-- the lock must not get it. Returns the refusal, after giving the lock back, or nil. A baton in the list is stale, or
-- was taken by this call: it is deleted. The test comes after the SET, since a script that has written is no longer
-- refused for lack of memory.
local function give_back_if_refused()
  local emptied = redis.pcall('DEL', KEYS[2])
  if type(emptied) == 'table' then
    redis.call('SET', KEYS[1], ARGV[1], 'PXAT', 1) -- expires at once
    return emptied
  end
end

-- Mostly the lock is free and nobody waits. This case comes first, before anything is set up for the others. A command
-- that is refused here is refused again below, if it matters there.
if not KEYS[4] and ARGV[2] ~= '0' and ARGV[7] == ''
  and (ARGV[3] == '' or ARGV[4] ~= '0' and redis.pcall('ZCARD', KEYS[3]) == 0)
  and (not ARGV[10] or redis.pcall('GET', KEYS[1]) == false) then
  local set = redis.pcall('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
  if type(set) == 'table' and set.ok then
    return ARGV[10] and give_back_if_refused() or {1, 0}
  end
end

--@include inc/keys.lua
--@include inc/hand_over.lua
--@include inc/wait_queue.lua
--@include inc/fence.lua
--@include inc/extended.lua
local token, waiter, served = ARGV[1], ARGV[3], ARGV[7]
local lease, patience, limit, retry = tonumber(ARGV[2]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[8])
local holds = holder()

-- Takes the lock. Writes that may be refused come first, the lock last, so that a script that fails half way leaves
-- nothing locked.
local function take()
  if waiter ~= '' then
    redis.call('ZREM', W, waiter)
  end
  local fence = KEYS[4] and next_fence() or 0
  if holds == token and is_extended(lease) then
    return {1, fence}
  end
  if lease > 0 then
    redis.call('SET', K, token, 'PX', lease)
  else
    redis.call('SET', K, token)
  end
  return give_back_if_refused() or {1, fence}
end

-- Does anybody but the caller wait? A caller that is ready to wait lets the others go first.
local function others_wait(now)
  local waiting = redis.call('ZCARD', W)
  if waiting == 0 then
    return false
  end
  drop_dead(now)
  waiting = redis.call('ZCARD', W)
  return waiting > 1 or waiting == 1 and not redis.call('ZSCORE', W, waiter)
end

if is_baton(served) and (holds == served or not holds) or holds == token and ARGV[6] == '1' then
  return take()
end

-- A lock whose baton nobody has taken is as good as free. At first it is so only for the clients that already wait,
-- since one of them may be about to take the baton. A waiter at its deadline is still one of them.
local parked = is_parked(holds)
local at_once = patience == 0
  and (not parked or until_overdue() <= 0 or waiter ~= '' and redis.call('ZSCORE', W, waiter))
if (not holds or parked) and (at_once or not others_wait((server_time()))) then
  return take()
end

if patience == 0 then
  local waiting = 0
  if waiter ~= '' then
    redis.call('ZREM', W, waiter)
    drop_dead((server_time()))
    waiting = redis.call('ZCARD', W)
  end
  only_on_a_master()
  return {0, waiting}
end

local now, usec = server_time()
drop_dead(now)
local score = redis.call('ZSCORE', W, waiter)
if limit > 0 and not score and redis.call('ZCARD', W) >= limit then
  return {-1, redis.call('ZCARD', W)}
end
if not holds then
  local refusal = hand_over(ARGV[9])
  if refusal then
    return refusal
  end
  holds = ARGV[9]
elseif not is_baton(holds) then
  redis.call('DEL', B) -- a baton in the list is stale, and would wake this waiter for nothing
end
return {0, enqueue(waiter, score, patience, step_of(holds, retry), now, usec)}
