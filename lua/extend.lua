-- extend: sets the remaining lease, if the lock is this token's.
--
-- KEYS   lock, baton list, waiters
-- ARGV   token, lease in ms (0: without end)
-- Reply  1  done; 0  it is not this token's
--@include inc/keys.lua
if holder() == ARGV[1] then
  if ARGV[2] == '0' then
    redis.call('PERSIST', K)
  else
    redis.call('PEXPIRE', K, ARGV[2])
  end
  return 1
end
only_on_a_master()
return 0
