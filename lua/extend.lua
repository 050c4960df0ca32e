-- extend: sets the remaining lease, if the lock is this token's.
--
-- KEYS   lock, baton list, waiters, note of extensions
-- ARGV   token
--        lease_ms (0: without end)
--        source: hex digits that name the client
--        when the extension was requested: a number that grows from one extension of this source to the next; a repeat
--          has the number of the first request
--        1 if the answer to an earlier extension was lost
-- Reply  1  done; 0  the lock is not this token's, or a later extension arrived before this one
local K, B, NOTE = KEYS[1], KEYS[2], KEYS[4]
--@include inc/list.lua
--@include inc/value.lua
--@include inc/mark.lua
--@include inc/extend.lua
local token, lease_ms, source, at, doubt = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

if holder() == token and not is_overtaken(source, at) then
  extend(apart(lease_ms), source, at, doubt)
  return 1
end
only_on_a_master()
return 0
