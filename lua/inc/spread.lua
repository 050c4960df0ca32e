-- Spreads a list over the arguments of commands, piece by piece. Lua has a function for that, but some proxies refuse a
-- script in which they read its name.
local PIECE = 50 -- elements; even, since some lists are made of pairs

-- Returns list[from], …, list[to]. Each level copies what the levels below it return, so the list should be short.
local function spread(list, from, to)
  if from < to then
    return list[from], spread(list, from + 1, to)
  end
  return list[from]
end

-- for from, to in pieces(list): where each piece begins and ends. `first`: where the first one begins, if not at 1.
local function pieces(list, first)
  local to = (first or 1) - 1
  return function()
    if to < #list then
      local from = to + 1
      to = math.min(to + PIECE, #list)
      return from, to
    end
  end
end
