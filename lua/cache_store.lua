-- cache_store: stores the value that was built, wakes all clients that wait for it, and releases the lock.
--
-- KEYS   lock, baton list, waiters, wake list, value [, note of extensions: deleted with the lock]
-- ARGV   token
--        a fresh baton
--        ms for which the value is fresh (0: without end)
--        ms until it is removed (0: never)
--        [the value; without it, the caller has stored it elsewhere]
-- Reply  1  done; 0  the lock is not this token's any more, and nothing was done: there may be a newer value
local K, B, W, G, V, NOTE = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
--@include inc/list.lua
--@include inc/value.lua
--@include inc/time.lua
--@include inc/hand_over.lua
--@include inc/spread.lua
local fresh, life, value = tonumber(ARGV[3]), ARGV[4], ARGV[5]

local LARGE = 4 * 1024 * 1024 -- bytes of all values in the wake list together, at most
local refusal

if holder() ~= ARGV[1] then
  only_on_a_master()
  return 0
end

-- This write comes first, since it may be refused: nothing else is done then.
if value then
  local fresh_until = fresh > 0 and (server_ms()) + fresh or 999999999999999
  value = string.format('%015.0f', fresh_until) .. value
  if life ~= '0' then
    redis.call('SET', V, value, 'PX', life)
  else
    redis.call('SET', V, value)
  end
end

-- A refusal from here on does not keep the lock from being released; it is the script's reply.
local function accepted(reply)
  if type(reply) == 'table' and reply.err then
    refusal = reply
    return nil
  end
  return reply
end

-- Pushes one element for each client that waits for the value: the value or, if that would be too much, 'v', which
-- says that it is there. So it does if the list cannot be deleted: then neither can the lock, and a client that comes
-- before its lease ends would find what is left there. Waiters for the lock alone stay in the queue. `ids`: of all waiters;
-- the id of a client that waits for the value begins with a v.
local function wake(ids)
  local theirs, elements = {}, {}
  local is_emptied = accepted(redis.pcall('DEL', G))
  local element = value and is_emptied and #ids * #value <= LARGE and value or 'v'
  for _, id in ipairs(ids) do
    if string.sub(id, 1, 1) == 'v' then
      theirs[#theirs + 1] = id
      elements[#elements + 1] = element
    end
  end
  for from, to in pieces(theirs) do
    accepted(redis.pcall('ZREM', W, spread(theirs, from, to)))
    accepted(redis.pcall('RPUSH', G, spread(elements, from, to)))
  end
  accepted(redis.pcall('PEXPIRE', G, LIST_LIFE)) -- some waiters may be gone, and their elements stay
end

local ids = accepted(redis.pcall('ZRANGEBYSCORE', W, '-inf', '+inf'))
if ids and #ids > 0 then
  wake(ids)
end
if NOTE then
  redis.pcall('DEL', NOTE)
end
return hand_over(ARGV[2]) or refusal or 1
