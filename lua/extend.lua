-- extend: sets the remaining lease, if the lock is this token's.
--
-- KEYS   lock, baton list, waiters, note of extensions
-- ARGV   token, lease in ms (0: without end), who asks: hex digits, when: a number that grows from one extension of who
--        asks to the next, and is the same where one is repeated; 1 where the answer to an earlier one was lost
-- Reply  1  done; 0  it is not this token's, or a later extension was here before
--@include inc/keys.lua
--@include inc/extend.lua
local token, lease, source, at, doubt = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

if holder() == token and not is_overtaken(KEYS[4], source, at) then
  extend(lease, KEYS[4], source, at, doubt)
  return 1
end
only_on_a_master()
return 0
