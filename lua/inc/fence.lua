-- Fencing tokens: microseconds of the server's clock, or one more than the last, so they grow even where the last was
-- lost.
local FENCE_LIFE = 30 * 86400 * 1000 -- ms; the server's clock keeps fences growing past it

-- `key`: of the fence; without it, that of the script's one lock.
local function keep_fence(fence, key)
  redis.call('SET', key or KEYS[4], string.format('%.0f', fence), 'PX', FENCE_LIFE)
end

-- `keys`: of the fences of many locks, which get the same.
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
