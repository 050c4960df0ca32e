-- For scripts over many locks, whose keys come one lock after another: makes the i-th the one that is spoken of.
local function turn_to(i)
  K, B, W = KEYS[3 * i - 2], KEYS[3 * i - 1], KEYS[3 * i]
end
