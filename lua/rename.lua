-- rename: the holder's token gives way to that of the next holder, without the lock being free, or a baton, in between.
--
-- KEYS   lock, baton list, waiters [, fence]
-- ARGV   token
--        the next token
--        lease_ms of the next token (0: without end). A repeat does not begin it anew
--        [another token of the holder, under which the lock may stand as well; '': none]
-- Reply  {1, waiting}         the lock is the next token's, be it by an earlier request whose answer was lost; `waiting`: how
--                             many waiters stand in line here
--        {1, waiting, fence}  the same, with the fence's key
--        {0, 0}               it is neither token's: nothing was changed
local K, B, W, F = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, next_token, lease_ms, other = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

-- Can the value be an owner's? A lock that is free, a baton, an empty string, and what is no string are nobody's.
local function is_token(value)
  return type(value) == 'string' and value ~= '' and string.sub(value, 1, 9) ~= 'rl:baton:'
end

-- Mostly nobody waits here, and this case comes first, before anything is set up for the others. A command that is refused here
-- is refused again below, if it matters there.
local is_common = not F and lease_ms ~= '0' and token ~= next_token and is_token(token) and is_token(next_token)
if is_common and redis.pcall('GET', K) == token and redis.pcall('ZCARD', W) == 0
  and redis.pcall('SET', K, next_token, 'PX', lease_ms).ok then
  return {1, 0}
end

--@include inc/list.lua
--@include inc/value.lua
--@include inc/time.lua
--@include inc/waiters.lua
--@include inc/fence.lua
--@include inc/take.lua
local holds = holder()
only_on_a_master() -- also of a yes: it makes the first write one that is allowed when memory is short, as for a release
if not is_token(holds) or not is_token(next_token) or holds ~= token and holds ~= other and holds ~= next_token then
  return {0, 0}
end

-- What may be refused comes first, the lock last.
local waiting = redis.call('ZCARD', W)
if waiting > 0 then
  waiting = count_waiters()
end
if holds ~= next_token then
  local fence = F and next_fence() or nil
  return put(next_token, tonumber(lease_ms)) or {1, waiting, fence}
end

-- A repeat. The lease stays as it is, but WAIT counts what is written: see inc/extend.lua.
local fence = F and (tonumber(redis.call('GET', F)) or next_fence()) or nil
local left = redis.call('PTTL', K)
if left == -1 then
  redis.call('SET', K, next_token)
else
  redis.call('PEXPIRE', K, math.max(left, 1)) -- 0 would delete it
end
return {1, waiting, fence}
