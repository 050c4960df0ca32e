-- renew: makes the remaining leases of many locks longer, of each lock that is its token's.
--
-- KEYS   of each lock: lock, note of extensions
-- ARGV   when the renewal was requested: see extend
--        of each lock: token; lease in ms; the source, and whether an earlier answer was lost, as in extend
-- Reply  of each lock one character:  1  it is its token's, and at least this much of its lease is left now
--                                     0  it is not its token's
--                                     -  it is, but a later extension arrived before: its lease was left as it is
local K, NOTE -- keys of the lock that has its turn
local B, W -- what is included names them too, but nothing that is called here uses them
--@include inc/keys.lua
--@include inc/extended.lua
--@include inc/extend.lua
local at, answers = ARGV[1], {}

for i = 1, #KEYS / 2 do
  K, NOTE = KEYS[2 * i - 1], KEYS[2 * i]
  local token, lease, source, doubt = ARGV[4 * i - 2], ARGV[4 * i - 1], ARGV[4 * i], ARGV[4 * i + 1]
  if holder() ~= token then
    redis.call('PEXPIRE', NOTE, redis.call('PTTL', NOTE)) -- changes nothing, but a replica is not believed: see inc/keys.lua
    answers[i] = '0'
  else
    local is_late, noted = is_overtaken(source, at)
    if not is_late and not is_extended(tonumber(lease)) then
      extend(lease, source, at, doubt, noted)
    end
    answers[i] = is_late and '-' or '1'
  end
end
return table.concat(answers)
