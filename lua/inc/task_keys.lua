-- What every script of a queue is given first.
--
--   queue     sorted set id -> when it is due, in Unix seconds of the server's clock. What stands here may be taken.
--   reserved  sorted set id -> until when a worker has it
--   state     hash id -> 'attempts score receipt', of what was reserved at least once, or has died; without a receipt it
--             is with no worker
--   again     sorted set id -> score, of what was enqueued while a worker had it: it enters the queue after the ack
--   dead      sorted set id -> when it was given up
--   wake      list whose elements wake one of the workers that wait
--   timer     list whose elements wake the timekeeper (see task_wake.lua)
--   keeper    string 'waiter alarm': who is the timekeeper, and when it looks next
local Q, RESERVED, STATE, AGAIN = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local DEAD, WAKE, TIMER, KEEPER = KEYS[5], KEYS[6], KEYS[7], KEYS[8]

local STEP = 2 ^ -21 -- s between the scores of two ids: doubles can tell them apart until 2106
local TOKEN_LIFE = 2000 -- ms that a wake-up lies there for a worker that is about to wait

-- An answer must come from a master. This writes without changing anything, so that a replica says READONLY; and what a
-- script writes after its first write is allowed also when memory is short: a full server can be emptied.
local function only_on_a_master()
  redis.call('PEXPIRE', WAKE, TOKEN_LIFE)
end

local function server_time() -- s, as scores are
  local time = redis.call('TIME')
  return time[1] + time[2] / 1000000
end

local function exact(number)
  return string.format('%.17g', number)
end

-- Attempts so far, the score that it had, the receipt of the worker that has it: '' when none has.
local function read_state(entry)
  local attempts, score, receipt
  if entry then
    attempts, score, receipt = string.match(entry, '^(%d+) (%S+) (.*)$')
  end
  return tonumber(attempts or 0), score, receipt or ''
end

local function state_entry(attempts, score, receipt)
  return string.format('%d', attempts) .. ' ' .. score .. ' ' .. receipt
end
