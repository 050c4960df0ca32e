-- Packs the tasks of a reply WITHSCORES as a script's reply, as many as one answer may hold. `attempts_of`: a function
-- that tells how often an id was tried. `which`: what the first one is or has done, for the error if it is too long.
local function pack_all(found, attempts_of, which)
  local tasks, bytes = {}, 0
  for i = 1, #found, 2 do
    local task = pack(found[i], tonumber(found[i + 1]), attempts_of(found[i]))
    bytes = bytes + #task
    if bytes > MOST_BYTES then
      break
    end
    tasks[#tasks + 1] = task
  end
  if #found > 0 and #tasks == 0 then
    return too_long(which)
  end
  return table.concat(tasks)
end
