-- An extension whose answer was lost may arrive late, behind one that was asked for after it, and must not undo that: the
-- holder believes the later one. So one that is asked for after such a loss leaves a note, and one that was asked for
-- before the note was left is not carried out. Notes go with the lease that they guard.
local NOTE_LIFE = 86400 * 1000 -- ms at most; nothing is under way for that long

-- `source`: who asks; `at`: when, by a clock of its own.
local function is_overtaken(note, source, at)
  local by, last = string.match(redis.call('GET', note) or '', '^(%x+) (%d+)$')
  return by == source and tonumber(last) > tonumber(at)
end

-- `lease`: ms, '0' without end; `doubt`: '1' where an earlier one was lost.
local function extend(lease, note, source, at, doubt)
  local life = lease == '0' and NOTE_LIFE or math.min(tonumber(lease), NOTE_LIFE)
  redis.call('PEXPIRE', note, life) -- also the first write, which is one that is allowed when memory is short
  if doubt == '1' then
    redis.call('SET', note, source .. ' ' .. at, 'PX', life)
  end
  if lease == '0' then
    redis.call('PERSIST', K)
  else
    redis.call('PEXPIRE', K, lease)
  end
end
