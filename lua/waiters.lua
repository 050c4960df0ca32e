-- waiters: counts the clients that wait for the lock.
--
-- KEYS   lock, baton list, waiters
-- Reply  the number
--@keys K B W
--@include inc/keys.lua
redis.call('ZREMRANGEBYSCORE', W, '-inf', (server_time()))
return redis.call('ZCARD', W)
