-- An extension whose answer was lost may arrive late, behind a later extension. It must not undo the later one, in
-- which the holder believes. So an extension that is requested after such a loss leaves a note with the time of its
-- request, and an extension that was requested before that time is not carried out. A note expires with the lease that
-- it guards.
local NOTE_LIFE = 86400 * 1000 -- ms at most; no request is under way for that long

-- Was this extension requested before the one that left the note? `source` is the client, `at` the time of the request
-- by the client's own clock. The second result: is there a note at all?
local function is_overtaken(source, at)
  local note = redis.call('GET', NOTE)
  local by, last = string.match(note or '', '^(%x+) (%d+)$')
  return by == source and tonumber(last) > tonumber(at), note ~= false
end

-- Guards a lease of `lease_ms` (0 or -1: without end), which is as this extension wants it. `doubt`: '1' if the answer to an
-- earlier extension was lost, so that this one leaves a note; `noted`: false if there is none yet, so that none has to live
-- on with the lease.
local function guard(lease_ms, source, at, doubt, noted)
  if doubt == '1' or noted ~= false then
    local life = lease_ms > 0 and math.min(lease_ms, NOTE_LIFE) or NOTE_LIFE
    redis.call('PEXPIRE', NOTE, life) -- also makes the first write one that is allowed when memory is short
    if doubt == '1' then
      redis.call('SET', NOTE, source .. ' ' .. at, 'PX', life)
    end
  end
end

-- Sets the remaining lease. `lease_ms`: '0': without end; the others as for guard(). Writes also if that changes nothing:
-- WAIT counts the replicas that have what its connection has written, and a repeat comes over another connection than the
-- request whose reply was lost.
local function extend(lease_ms, source, at, doubt, noted)
  guard(tonumber(lease_ms), source, at, doubt, noted)
  if lease_ms == '0' then
    if redis.call('PERSIST', K) == 0 then -- it had no end
      redis.call('PEXPIRE', K, NOTE_LIFE)
      redis.call('PERSIST', K) -- which is not refused now
    end
  else
    redis.call('PEXPIRE', K, lease_ms)
  end
end
