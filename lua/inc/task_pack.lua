-- A list of tasks as one string: an array of thousands of elements costs both sides more than it tells.
local MOST_BYTES = 900000 -- of ids; what a client is ready to read is a little more

local function pack(id, score, attempts)
  return struct.pack('>dI4I4', score, attempts, #id) .. id
end
