-- extend_all: sets the remaining lease of many locks, if every one of them is its token's.
--
-- KEYS   of each lock: lock, baton list, waiters; behind these, of each lock: note of extensions
-- ARGV   lease_ms (0: without end)
--        the source, when the extension was requested, and whether an earlier answer was lost: three, as in extend
--        the tokens
-- Reply  1  done; 0  at least one lock is not its token's or a later extension arrived before, and none was changed
--@include inc/many.lua
--@include inc/list.lua
--@include inc/value.lua
local NOTE -- key of the lock's note of extensions
--@include inc/mark.lua
--@include inc/extend.lua
local count = #KEYS / 4
local lease_ms, source, at, doubt = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

for i = 1, count do
  turn_to(i)
  NOTE = KEYS[3 * count + i]
  if holder() ~= ARGV[4 + i] or is_overtaken(source, at) then
    only_on_a_master()
    return 0
  end
end
for i = 1, count do
  turn_to(i)
  NOTE = KEYS[3 * count + i]
  extend(apart(lease_ms), source, at, doubt)
end
return 1
