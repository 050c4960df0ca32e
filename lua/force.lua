-- force: takes the lock away from its holder and hands it on.
--
-- KEYS   lock, baton list, waiters, note of extensions: deleted with the lock
-- ARGV   a fresh baton
-- Reply  1  the lock was held; 0  it was free or about to be claimed; an error for a key that is no lock
local K, B, W, NOTE = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
--@include inc/list.lua
--@include inc/value.lua
--@include inc/hand_over.lua
local holds = redis.call('GET', K)
if holds and not is_baton(holds) then
  redis.pcall('DEL', NOTE)
  return hand_over(ARGV[1]) or 1
end
only_on_a_master()
return 0
