-- acquire and claim: takes the lock if it may be taken, otherwise enters or leaves the queue.
--
-- KEYS   lock, baton list, waiters [, fence: the holder gets a fencing token]
-- ARGV   token
--        lease_ms (0: without end)
--        waiter id, or ''
--        wait_ms (0: does not wait, -1: without end)
--        [limit of waiters (0: none)]
--        [1 for a repeat of a request whose reply was lost; a token is used once, so if it holds the lock already, that
--          is due to the lost request; a lease that was extended meanwhile is not shortened]
--        [the baton that this waiter was served, or '']
--        [ms between looks at a foreign holder; without it, 100]
--        [1: it is not known whether this client may release the lock, or leave the queue]
-- Reply  'taken'           without a fence
--        {1, fence or 0}   taken
--        {0, ms}           held, and the caller waits: it is to look in so many ms
--        {0, n}            held, and the caller does not wait: n others wait; n is 0 if the caller is no waiter
--        {-1, n}           held, and the queue is full: n wait
local K, B, W, F = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, lease_ms, waiter, wait_ms = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local limit, served = ARGV[5] or '0', ARGV[7] or ''
local holds, yields

-- Nearly all requests are one of three: for a free lock, for a held one, and with the baton that the holder handed over.
-- They come first, before anything is set up for the others. A command that is refused here is refused again below, if
-- it matters there.
local is_common = not F and lease_ms ~= '0' and not ARGV[9]
if is_common and served ~= '' then
  if redis.pcall('GET', K) == served -- otherwise another client has claimed the lock with this baton
    and type(redis.pcall('ZREM', W, waiter)) == 'number'
    and redis.pcall('SET', K, token, 'PX', lease_ms).ok then
    return 'taken'
  end
elseif is_common and (wait_ms ~= '0' or waiter == '') then
  if redis.REDIS_VERSION_NUM then -- Redis 7.0, which takes NX together with GET: one command for both
    holds = redis.pcall('SET', K, token, 'NX', 'GET', 'PX', lease_ms)
  else
    holds = redis.pcall('GET', K) or not redis.pcall('SET', K, token, 'PX', lease_ms).ok
  end
  if not holds then
    if waiter == '' or redis.pcall('ZCARD', W) == 0 then
      return 'taken'
    end
    yields = true -- others wait, and come first
  end
end

--@include inc/time.lua
--@include inc/enter.lua
-- If the lock is a baton that nobody has taken, the BLPOP of this waiter finds it in the list. A stale one may be left
-- there, whose time is over, and the lock was taken by a plain SET meanwhile. Then the BLPOP brings that one, and the
-- claim with it fails, deletes what is left in the list, and enters the waiter anew. That costs a request and perhaps a
-- place in line, never safety; a DEL here would cost every waiter that enters a command.
if is_ours(holds) and holds ~= token and waiter ~= '' and limit == '0' then
  return {0, enter(waiter, tonumber(wait_ms), STEP)}
end

--@include inc/list.lua
--@include inc/value.lua
--@include inc/hand_over.lua
--@include inc/baton.lua
--@include inc/waiters.lua
--@include inc/watch.lua
--@include inc/take.lua
--@include inc/fence.lua
--@include inc/mark.lua
--@include inc/extended.lua
lease_ms, wait_ms = tonumber(lease_ms), tonumber(wait_ms)
if yields then
  withdraw(token)
end
holds = holder()

-- Takes the lock. Writes that may be refused come first, the lock last, so that a script that fails half way leaves
-- nothing locked. The DEL removes a baton that is stale, or that this call has taken from the list. It is a test too: a
-- client that may not release the lock must not get it. It comes after the SET, since a script that has written is no
-- longer refused for lack of memory.
local function take()
  if waiter ~= '' then
    redis.call('ZREM', W, waiter)
  end
  local fence = F and next_fence() or 0
  local left = holds == token and is_extended(lease_ms)
  if left == -1 then
    redis.call('SET', K, token) -- it stays as it is, but WAIT counts what is written: see inc/extend.lua
  end
  if left then
    return {1, fence}
  end
  local refusal = put(token, lease_ms)
  if refusal then
    return refusal
  end
  local emptied = redis.pcall('DEL', B)
  if type(emptied) == 'table' then
    withdraw(token)
    return emptied
  end
  return {1, fence}
end

if is_baton(served) and (holds == served or not holds) or holds == token and ARGV[6] == '1' then
  return take()
end

-- A lock whose baton nobody has taken is as good as free. At first it is so only for the clients that already wait,
-- since one of them may be about to take the baton. A waiter at its deadline is still one of them.
local parked = is_parked(holds)
local at_once = wait_ms == 0
  and (not parked or until_overdue() <= 0 or waiter ~= '' and redis.call('ZSCORE', W, waiter))
if (not holds or parked) and (at_once or not others_wait(waiter)) then
  return take()
end

if wait_ms == 0 then
  local waiting = 0
  if waiter ~= '' then
    redis.call('ZREM', W, waiter)
    waiting = count_waiters()
  end
  only_on_a_master()
  return {0, waiting}
end

if limit ~= '0' then
  local waiting = count_waiters()
  if waiting >= tonumber(limit) and not redis.call('ZSCORE', W, waiter) then
    return {-1, waiting}
  end
end
if ARGV[9] then
  redis.call('ZREM', W, waiter) -- a client without the right to leave the queue is refused before it enters
end
if not holds then
  local baton = fresh_baton(waiter)
  local refusal = hand_over(baton)
  if refusal then
    return refusal
  end
  holds = baton
elseif not is_baton(holds) then
  redis.call('DEL', B) -- a baton in the list is stale, and would wake this waiter for nothing
end
return {0, enter(waiter, wait_ms, step_of(holds, tonumber(ARGV[8]) or 100))}
