-- B, the list through which the batons of the lock pass.
local LIST_LIFE = 2000 -- ms for which a baton stays in it, unless a waiter takes it
