-- The first KEYS of every script of a queue.
--
--   queue     sorted set id -> when it is due, in Unix seconds of the server's clock. Ids in it may be taken.
--   reserved  sorted set id -> until when a worker has reserved it
--   state     hash id -> 'attempts score receipt', of each id that was reserved at least once or has died. Without a
--             receipt no worker has it. The attempts of a reserved task are 0 once an enqueue has replaced it.
--   again     sorted set id -> score, of each id that was enqueued while a worker had reserved it. It enters the queue
--             as a new task when the reserved one is done, and also when that fails, if it has replaced it.
--   dead      sorted set id -> when it was given up
--   wake      list; each element wakes one of the waiting workers
--   timer     list; an element wakes the timekeeper (see task_wake.lua)
--   keeper    string 'waiter looks_at': the id of the timekeeper, and when it looks next
local Q, RESERVED, STATE, AGAIN = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local DEAD, WAKE, TIMER, KEEPER = KEYS[5], KEYS[6], KEYS[7], KEYS[8]

-- Every time in the scripts of queues is in s, unless its name ends in `_ms`.
local SCORE_STEP = 2 ^ -21 -- s between the scores of two ids: doubles can tell them apart until 2106
local TOKEN_LIFE_MS = 2000 -- that a wake-up stays in its list for a worker that is about to wait

-- Makes sure that the answer comes from a master, by a write that changes nothing that matters: a replica answers it
-- with READONLY. The write is also allowed when memory is short, and so are then all writes after it: a full server can
-- be emptied.
local function only_on_a_master()
  redis.call('PEXPIRE', WAKE, TOKEN_LIFE_MS)
end

local function server_time() -- s, as scores are
  local time = redis.call('TIME')
  return time[1] + time[2] / 1000000
end

local function exact(number)
  return string.format('%.17g', number)
end

-- Reads an entry of `state` (false: there is none). Returns the attempts so far, the score that the task had, and the
-- receipt of the worker that has reserved it, '' if none has.
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
