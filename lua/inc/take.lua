-- Taking the lock, and giving it up before anybody was told that it is taken.

-- Makes the token the lock's value, for so many ms (0: without end). Returns what was refused, if anything was.
local function put(token, lease_ms)
  local set
  if lease_ms > 0 then
    set = redis.pcall('SET', K, token, 'PX', lease_ms)
  else
    set = redis.pcall('SET', K, token)
  end
  return set.err and set
end

-- Frees the lock that was just put: the token expires at once. Not every client that may put it may delete it.
local function withdraw(token)
  redis.call('SET', K, token, 'PXAT', 1)
end
