-- release_all: hands on those of many locks that are their tokens'.
--
-- KEYS   of each: lock, baton list, waiters
-- ARGV   the tokens, as many fresh batons
-- Reply  how many were; an error if one was refused, and the others are released all the same
--@include inc/keys.lua
--@include inc/many.lua
--@include inc/hand_over.lua
local count = #ARGV / 2
local released, refusal = 0, nil

for i = 1, count do
  turn_to(i)
  if holder() == ARGV[i] then
    refusal = hand_over(ARGV[count + i]) or refusal
    released = released + 1
  end
end
if released == 0 then
  only_on_a_master()
end
return refusal or released
