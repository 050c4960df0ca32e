-- How the waiters share the looks: see enter.lua. A lookout is relieved when it looks and there are enough other lookouts
-- that will still wait at its own next look. A relieved waiter looks rarely, in case all lookouts died. Unless there is a
-- crowd, it also looks when the lease is to end, as far as it knows.
local LONGEST = 5900 -- ms between two looks of one waiter, at most
local WATCH = 3 -- lookouts that are enough
local SHARE = 450 -- ms that each waiter adds to the time between two looks of one that is no lookout
local CROWD = 40 -- with more waiters, only the lookouts look at the end of a lease

-- Returns how many ms apart the looks of the watch are while the lock's value is `holds`. `retry`: ms between looks at
-- a holder of another kind, which will not signal its release.
local function step_of(holds, retry)
  return is_ours(holds) and STEP or math.min(retry, LONGEST)
end

-- Finds the other lookouts that will look within `span` ms. Returns a list of in how many ms each of them looks, in
-- order; and for how many ms at least WATCH of them will still wait, 0 if there are fewer.
local function watch(waiter, span, now)
  local from = now + SLACK
  local looks, stays = {}, {}
  local soon = redis.call('ZRANGEBYSCORE', W, '(' .. from, from + span + 1, 'WITHSCORES')
  for i = 1, #soon, 2 do
    local mark = tonumber(soon[i + 1]) % 1
    if mark ~= 0 and soon[i] ~= waiter then
      local look = tonumber(soon[i + 1]) - mark - from
      looks[#looks + 1] = look
      stays[#stays + 1] = look + (mark / LOOKOUT - 1) * WAITS
    end
  end
  table.sort(stays, function(a, b) return a > b end)
  return looks, stays[WATCH] or 0
end

-- Returns in how many ms the first turn is that no lookout has. `looks`: see watch(); `step`: ms between two turns.
local function free_turn(looks, step)
  local last = 0
  for _, look in ipairs(looks) do
    if look - last > 1.2 * step then
      break
    end
    last = look
  end
  return math.min(last + step, LONGEST)
end

-- Renews the entry of a waiter that looks, and returns in how many ms it is to look again. `score`: of its entry.
-- `wait_ms`, `step`: as in enter.lua.
local function stay_in_line(waiter, score, wait_ms, step, now, usec)
  local waiting = redis.call('ZCARD', W)
  -- Waiters that came together, or that have looked together, are to look at different times.
  local together = waiting <= CROWD or tonumber(score) % 1 ~= 0
  local chance = usec % 1000 / 1000 -- Redis' math.random is the same each time
  local rest = math.min(waiting * SHARE, LONGEST) * (together and 0.3 + 0.7 * chance or 0.8 + 0.2 * chance)
  local looks, relief = watch(waiter, (WATCH + 0.5) * step, now)
  local watches = relief < (wait_ms < 0 and rest or math.min(rest, wait_ms))
  local after = watches and free_turn(looks, step) or math.max(rest, step)

  local left = redis.call('PTTL', K)
  if left >= 0 and (watches or waiting <= CROWD) then
    after = math.min(after, left + (watches and 1 or waiting))
  end
  return stand_in_line(waiter, wait_ms, after, watches, now)
end
