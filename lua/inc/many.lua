-- For scripts over many locks, whose keys come one lock after another: points K, B and W to the keys of the i-th lock.
local K, B, W

local function turn_to(i)
  K, B, W = KEYS[3 * i - 2], KEYS[3 * i - 1], KEYS[3 * i]
end
