-- Fencing tokens ("fences"): the µs of the server's clock, or one more than the last fence if that is greater. So they
-- grow even after the last one was lost.
local FENCE_LIFE = 30 * 86400 * 1000 -- ms; after that the server's clock alone keeps fences growing

-- Stores the fence as the last one, at `key`, or without it at the fence key of the script's one lock.
local function keep_fence(fence, key)
  redis.call('SET', key or KEYS[4], string.format('%.0f', fence), 'PX', FENCE_LIFE)
end

-- Makes, stores and returns a new fence. `keys`: the fence keys of many locks, which all get the same fence; without
-- it, that of the script's one lock.
local function next_fence(keys)
  keys = keys or {KEYS[4]}
  local t = redis.call('TIME')
  local fence = t[1] * 1000000 + t[2]
  for _, key in ipairs(keys) do
    local last = redis.call('GET', key)
    if last then
      fence = math.max(fence, tonumber(last) + 1)
    end
  end
  for _, key in ipairs(keys) do
    keep_fence(fence, key)
  end
  return fence
end
