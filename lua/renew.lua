-- renew: makes the remaining leases of many locks longer, of each lock that is its token's.
--
-- KEYS   of each lock: lock, note of extensions
-- ARGV   when the renewal was requested: see extend
--        of each lock: token; lease_ms; the source, and whether an earlier answer was lost, as in extend
--        [of each lock: the end that the last answer of this server to this renewal has told, in ms since 1970, which
--          that has set. The lease is longer than ever since the clock was set back, and becomes short again if that is
--          still its end. '0': it does not become shorter]
-- Reply  a string: of each lock one character:
--          1  it is its token's, and this is its lease from now on
--          0  it is not its token's
--          +  it is its token's and has a longer lease, which is left to it
--          -  it is its token's, but a later extension arrived before: its lease was left as it is
--        then numbers, with a space in front of each: the server's time when the script began and when it had ended, each in
--        s since 1970 and µs of that; and of each + how many ms are left, -1: without end
local K, NOTE -- keys of the lock that has its turn
--@include inc/value.lua
--@include inc/time.lua
--@include inc/mark.lua
--@include inc/extended.lua
--@include inc/extend.lua
--@include inc/renew.lua
local began = redis.call('TIME')
local at, answers, left = ARGV[1], {}, ''
local known_at = #ARGV > 2 * #KEYS + 1 and 2 * #KEYS + 1 -- behind which argument the ends come

for i = 1, #KEYS / 2 do
  K, NOTE = KEYS[2 * i - 1], KEYS[2 * i]
  local token, lease_ms, source, doubt = ARGV[4 * i - 2], ARGV[4 * i - 1], ARGV[4 * i], ARGV[4 * i + 1]
  local answer, longer = renew(token, lease_ms, source, at, doubt, known_at and ARGV[known_at + i])
  answers[i] = answer
  left = longer and left .. string.format(' %.0f', longer) or left
end
local ended = redis.call('TIME')
return table.concat(answers) .. ' ' .. began[1] .. ' ' .. began[2] .. ' ' .. ended[1] .. ' ' .. ended[2] .. left
