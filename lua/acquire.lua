-- acquire and claim: takes the lock if it may be taken, otherwise enters or leaves the queue.
--
-- KEYS   lock, baton list, waiters [, fence: the holder gets a fencing token]
-- ARGV   token, lease in ms (0: without end), waiter id or '', patience in ms (0: will not wait, -1: without end),
--        most waiters (0: no limit), 1 for a repeat of a request whose reply was lost (a token is used once, so one that
--        is there already is from that request), the baton that this waiter was served or '', ms between looks at a
--        foreign holder, a fresh baton [, 1: nobody has released a lock over this connection yet]
-- Reply  {1, fence or 0}   taken
--        {0, ms}           held; a waiter shall look in so many ms
--        {0, n}            held, where it will not wait; n others do, if it has waited
--        {-1, n}           held, and the queue is full: n wait

-- Whoever may not release the lock shall not have it: the refusal, or nil. What stands in the list is stale, or taken now.
-- Behind the lock, since a script that has written is not refused for lack of memory any more.
local function give_back_if_refused()
  local emptied = redis.pcall('DEL', KEYS[2])
  if type(emptied) == 'table' then
    redis.call('SET', KEYS[1], ARGV[1], 'PXAT', 1) -- over long ago
    return emptied
  end
end

-- Mostly it is free and nobody stands in line: that goes first, before anything is set up for the rest. What is refused
-- here is refused again below, if it matters there.
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
  return give_back_if_refused() or {1, fence}
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

-- A baton that nobody took is as good as free, but at first only for those who wait already: one of them may be on its
-- way to take it. A waiter at its deadline is still one of them.
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
  redis.call('DEL', B) -- what lies there is stale, and would wake this waiter for nothing
end
return {0, enqueue(waiter, score, patience, step_of(holds, retry), now, usec)}
