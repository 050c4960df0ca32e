-- Fencing tokens ("fences"): the µs of the server's clock, or one more than the last fence if that is greater. So they
-- grow even after the last one was lost. The last one stands at F.
local FENCE_LIFE = 30 * 86400 * 1000 -- ms; after that the server's clock alone keeps fences growing

local function fence_of_now()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- Returns `fence`, or one more than the last fence if that is greater.
local function fence_after_last(fence)
  local last = redis.call('GET', F)
  return last and math.max(fence, tonumber(last) + 1) or fence
end

local function keep_fence(fence)
  redis.call('SET', F, string.format('%.0f', fence), 'PX', FENCE_LIFE)
end

-- Makes, stores and returns a new fence.
local function next_fence()
  local fence = fence_after_last(fence_of_now())
  keep_fence(fence)
  return fence
end
