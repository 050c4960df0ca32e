-- How one lease of renew is renewed.

-- Is this still the end of K's lease? Up to Redis 7.0 the clock goes on while a script runs.
local function still_ends_at(end_ms)
  local before = server_ms()
  local from = before + redis.call('PTTL', K) - end_ms
  return from > -MARK / 2 and from + server_ms() - before < MARK
end

-- Makes K's lease longer, if K is the token's. `own_end_ms`: the end that the last answer has told, in ms since 1970; nil:
-- none. Returns the answer's character, and how many ms are left of a lease that is left longer.
local function renew(token, lease_ms, source, at, doubt, own_end_ms)
  if holder() ~= token then
    redis.call('PEXPIRE', NOTE, redis.call('PTTL', NOTE)) -- changes nothing, but a replica is not believed: see inc/list.lua
    return '0'
  end
  local is_late, noted = is_overtaken(source, at)
  if is_late then
    return '-'
  end
  local longer = not (own_end_ms and still_ends_at(own_end_ms)) and is_extended(tonumber(lease_ms))
  if longer then
    guard(longer, source, at, doubt, noted)
    return '+', longer
  end
  extend(lease_ms, source, at, doubt, noted)
  return '1'
end
