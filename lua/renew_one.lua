-- renew_one: renew of one lock. Its keys are written as some proxies want them, which check a script as text.
--
-- KEYS   lock, note of extensions
-- ARGV   as those of renew, of one lock
-- Reply  as that of renew
local K, NOTE = KEYS[1], KEYS[2]
--@include inc/value.lua
--@include inc/time.lua
--@include inc/mark.lua
--@include inc/extended.lua
--@include inc/extend.lua
--@include inc/renew.lua
local began = redis.call('TIME')
local answer, longer = renew(ARGV[2], ARGV[3], ARGV[4], ARGV[1], ARGV[5], ARGV[6])
local ended = redis.call('TIME')
return answer .. ' ' .. began[1] .. ' ' .. began[2] .. ' ' .. ended[1] .. ' ' .. ended[2] ..
  (longer and string.format(' %.0f', longer) or '')
