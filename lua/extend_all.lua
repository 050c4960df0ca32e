-- extend_all: sets the remaining lease of many locks, if every one of them is its token's.
--
-- KEYS   of each: lock, baton list, waiters
-- ARGV   lease in ms (0: without end), the tokens
-- Reply  1  done; 0  at least one is not its token's, and none was changed
--@include inc/keys.lua
--@include inc/many.lua
local count = #ARGV - 1

for i = 1, count do
  turn_to(i)
  if holder() ~= ARGV[1 + i] then
    only_on_a_master()
    return 0
  end
end
for i = 1, count do
  turn_to(i)
  if ARGV[1] == '0' then
    redis.call('PERSIST', K)
  else
    redis.call('PEXPIRE', K, ARGV[1])
  end
end
return 1
