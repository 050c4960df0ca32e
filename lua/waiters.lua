-- waiters: counts the clients that wait for the lock.
--
-- KEYS   lock, baton list, waiters
-- Reply  the number
local K, B, W = KEYS[1], KEYS[2], KEYS[3]
--@include inc/time.lua
--@include inc/waiters.lua
return count_waiters()
