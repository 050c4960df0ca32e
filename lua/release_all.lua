-- release_all: hands on each of many locks that is its token's.
--
-- KEYS   of each lock: lock, baton list, waiters; [behind these, of each lock: note of extensions: deleted with the lock]
-- ARGV   the tokens
--        as many fresh batons
-- Reply  how many locks were their tokens'; an error if a hand-over was refused: the others are released all the same
--@include inc/many.lua
--@include inc/list.lua
--@include inc/value.lua
--@include inc/hand_over.lua
local count = #ARGV / 2
local released, refusal = 0, nil

for i = 1, count do
  turn_to(i)
  if holder() == ARGV[i] then
    refusal = hand_over(ARGV[count + i]) or refusal
    released = released + 1
    local NOTE = KEYS[3 * count + i]
    if NOTE then
      redis.pcall('DEL', NOTE)
    end
  end
end
if released == 0 then
  only_on_a_master()
end
return refusal or released
