-- A list of tasks is answered as one string, since an array of thousands of elements costs both sides much more.
local MOST_BYTES = 900000 -- of the tasks of one answer; a client reads answers that are a little longer than that

-- Returns a task as bytes, to be appended to the string: score, attempts and length of the id, big endian, then the id.
local function pack(id, score, attempts)
  return struct.pack('>dI4I4', score, attempts, #id) .. id
end

local function too_long(which)
  return redis.error_reply('ERR the first id that ' .. which .. ' is too long to be delivered')
end
