-- Whoever leaves a longer lease as it is counts on its end from then on, and marks that end by moving it a little: a
-- renewal may make a lease short again only if the end is still the one that it has set itself. See lua/renew.lua.
local MARK = 5 -- ms: two ends that are less than this apart may be the same one

-- Marks the end of K's lease, of which `left` ms are left. Returns how much is left then.
local function count_on(left)
  redis.call('PEXPIRE', K, left + MARK)
  return left + MARK
end

-- The lease that an extension sets K, for `lease_ms` ('0': without end): a little more if K's lease would end as it does
-- already. For if the clock was set back meanwhile, a renewal that has set that end would make it short again.
local function apart(lease_ms)
  local left = redis.call('PTTL', K)
  return lease_ms ~= '0' and math.abs(left - lease_ms) < MARK and left + MARK or lease_ms
end
