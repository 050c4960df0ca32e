/* The lock of one server as a model for spin.
 *
 * It has what lua/ does in Redis, what src/lock/ does in a client, and the network between them. It has no time: what
 * time ends may end at any moment, if the rules allow that moment. How to run it, and what it leaves out: README.md.
 *
 * A client makes one call of lock(), may extend the lease, and releases the lock. Every message is one step of its own,
 * so others come in between. A script is one step, as in Redis.
 */

/* ---- sizes: see docs/model/run ---- */

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef LOSSES
#define LOSSES 1      /* how often a client gives up a request: it is lost, its answer is lost, or it comes late */
#endif
#ifndef CUTS
#define CUTS 0        /* how often an undo is not written, or is lost with what is under way before it */
#endif
#ifndef CRASHES
#define CRASHES 0     /* how many clients die */
#endif
#ifndef EARLY
#define EARLY 1       /* how often a lease, or the time to claim, ends before a client that lives has done its part */
#endif
#ifndef GIVE_UPS
#define GIVE_UPS 1    /* how often a waiter comes to its deadline; the others wait as long as it takes */
#endif
#ifndef SLOW
#define SLOW 0        /* how often a waiter that lives is dropped as dead, since its look is late */
#endif
#ifndef EXTENSIONS
#define EXTENSIONS 0  /* how often a holder extends its lease */
#endif
#ifndef FOREIGN
#define FOREIGN 0     /* 1: a client of another kind takes part, by SET NX and compare-and-delete */
#endif
#ifndef WAITS
#define WAITS 1       /* 1: a client may call lock() with a timeout */
#endif
#ifndef TRIES
#define TRIES 1       /* 1: a client may call lock() without a timeout */
#endif
#ifndef LONG_WAY
#define LONG_WAY 0    /* 1: the acquire script takes none of its short ways, as with a fence */
#endif

/* ---- values of the lock's key ---- */

#define FREE        0
/* An owner token is also the id of the waiter, since both are drawn anew at the same moments: see attempt.c,
 * lock_attempt_open(). A client has GENERATIONS of them, and draws one that is nowhere in use. */
#define GENERATIONS 5
#define TOKENS      (CLIENTS * GENERATIONS)
#define OTHER       (TOKENS + 1)               /* the token of the client of another kind */
#define BATON       (OTHER + 1)                /* this and the two above are batons */
#define is_token(v) (v != FREE && v < BATON)
#define is_baton(v) (v >= BATON)
#define STAR        255                        /* instead of a served baton: it may have been served one */
#define client_of(token) ((token - 1) % CLIENTS)

/* ---- Redis ---- */

byte K;               /* the lock: FREE, a token, or a baton */
byte counts_from;     /* the request from which the lease of K counts: 0 the acquisition, n the n-th extension */
bit overdue;          /* K is a baton that should have been claimed by now: lua/inc/value.lua, until_overdue() */
byte B;               /* the list of batons: a baton or FREE. More copies of the same baton would only save time */
bit W[TOKENS + 1];    /* the waiters, by their ids */
byte line[CLIENTS * 2]; /* who is blocked on B, in the order of the BLPOPs: 1 + client, or GONE + 1 + client */
byte note_of, note_at; /* the note of extensions: 1 + client, and the number of its extension; 0: none */

#define GONE CLIENTS  /* a BLPOP on a connection that its client has closed, which the server has not noticed */

#if CLIENTS == 2
#define is_in_line(x) (line[0] == x || line[1] == x || line[2] == x || line[3] == x)
#else
#define is_in_line(x) (line[0] == x || line[1] == x || line[2] == x || line[3] == x || line[4] == x || line[5] == x)
#endif

/* ---- the network ---- */

/* A request: what; token and waiter id; served baton, or number of the extension; wait_ms, or "enter" of a look;
 * repeat, or doubt of an extension. */
mtype = { TRY, ACQUIRE, BLPOP, RELEASE, UNDO, LEAVE, EXTEND, LOOK };
mtype = { YES, NO, HELD, NIL, SERVED }; /* answers */
mtype = { MAIN, SIDE, LATE };            /* connections */

chan main[CLIENTS] = [3] of { mtype, byte, byte, bit, bit };  /* the connection on which a client asks and blocks */
chan reply[CLIENTS] = [2] of { mtype, byte };
chan side[CLIENTS] = [3] of { mtype, byte, byte, bit, bit };  /* the second connection, for looks */
chan late[CLIENTS] = [4] of { mtype, byte, byte, bit, bit };  /* what was written on a connection that is closed */

/* ---- clients ---- */

mtype = { ASKING, WAITING, LEAVING, HOLDING, RELEASING, OVER, DEAD };
mtype doing[CLIENTS];
byte me[CLIENTS];     /* the token and waiter id of the attempt */
byte served[CLIENTS]; /* the baton that this waiter was served, and has not claimed with */
byte looking[CLIENTS]; /* the look: 0 none, 1 under way, 2 answered, 3 answered: the waiter is not in the queue */
bit enter[CLIENTS];   /* the queue has dropped this waiter: the next look enters it anew */
byte clocks[CLIENTS]; /* a bit for each request that the belief counts from; 0: the client believes in no lock */
byte ended[CLIENTS];  /* a bit for each request whose lease is over by the client's clock */
bit other_believes;

byte losses = LOSSES, cuts = CUTS, crashes = CRASHES, early = EARLY, give_ups = GIVE_UPS, slow = SLOW;

/* A client believes in its lock as long as no lease that it counts has ended: lock_core.c, lock_lease_validity(). */
#define believes(c) (clocks[c] != 0 && (clocks[c] & ended[c]) == 0)
#define bit_of(n)   (1 << (n))

/* ---- what is only there to be checked ---- */

bit excused[TOKENS + 1]; /* a crash or a cut has left what this token may have done to its lease, or to the grace */
bit baton_lost;          /* the same of the baton in K */
bit dropped[CLIENTS];    /* the waiter was dropped as dead, though it lives */

/* Prints once that the search has come here. docs/model/run wants to read each of them. */
#define witness(what) c_code { static int reached; if (!reached++) printf("reached: %s\n", what); }

/* Names for spin's messages. */
hidden byte exclusion, only_the_owner_frees, no_overtaking, handed_to_somebody, nobody_is_passed_over,
    no_lock_for_nobody, no_baton_for_nobody, not_refused_by_itself, no_trace;

#define baton_is_out (baton_lost || is_baton(K) && B != K)
#define stands(c) (doing[c] == ASKING || doing[c] == WAITING || doing[c] == LEAVING)
#define is_undone_later(c, id)                                                                                         \
    (late[c]??[UNDO,eval(id),_,_,_] || late[c]??[LEAVE,eval(id),_,_,_] || late[c]??[RELEASE,eval(id),_,_,_] ||         \
     side[c]??[UNDO,eval(id),_,_,_] || side[c]??[LEAVE,eval(id),_,_,_] || main[c]??[RELEASE,eval(id),_,_,_])

/* Scratch of a single step, not part of the state; and the request that the server runs. */
hidden byte i, j, n, fresh, waiting, parked, at_once, found;
hidden mtype answer;
mtype what, from;
byte what_id, arg;
bit flag1, flag2;

inline forget() {
    what = 0;
    from = 0;
    what_id = 0;
    arg = 0;
    flag1 = 0;
    flag2 = 0
}

/* Nobody else may believe in the lock when this client begins to. */
inline check_exclusion(c) {
    exclusion = !other_believes;
    i = 0;
    do
    :: i < CLIENTS -> exclusion = exclusion && (i == c || !believes(i)); i++
    :: else -> break
    od;
    assert(exclusion)
}

/* K is about to change at the request of `id`. No token may go but by its own client, and by that only when it does
 * not believe in it any more, or when it takes the lock again by a repeat. */
inline check_owner(id, is_taken) {
    only_the_owner_frees = !is_token(K) || K == id && (is_taken || !believes(client_of(K)));
    assert(only_the_owner_frees)
}

/* The lock goes to a baton: is there a waiter that it can reach? `W` may have an entry of nobody only if the
 * request that removes it is on its way, or was lost. */
inline check_somebody() {
    handed_to_somebody = false;
    found = false;
    i = 1;
    do
    :: i <= TOKENS ->
        j = client_of(i);
        found = found || W[i] && me[j] == i && stands(j);
        handed_to_somebody = handed_to_somebody || found || W[i] && (excused[i] || is_undone_later(j, i));
        i++
    :: else -> break
    od;
    assert(handed_to_somebody)
}

/* The lock gets free by a release: then nobody may stand in line. */
inline check_nobody_waits() {
    i = 0;
    do
    :: i < CLIENTS ->
        nobody_is_passed_over = !(doing[i] == WAITING && is_in_line((1 + i)) && !dropped[i] && !excused[me[i]]);
        assert(nobody_is_passed_over);
        i++
    :: else -> break
    od
}

/* What holds between any two steps: a token in K is somebody's, or its undo is on its way; so is a baton that has left
 * the list. And when all is over, nothing is left. */
inline check_quiet() {
    if
    :: is_token(K) && K != OTHER ->
        j = client_of(K);
        no_lock_for_nobody = excused[K] || is_undone_later(j, K) || me[j] == K && doing[j] != OVER && doing[j] != DEAD;
        assert(no_lock_for_nobody)
    :: is_baton(K) && B != K && !baton_lost ->
        no_baton_for_nobody = false;
        i = 0;
        do
        :: i < CLIENTS ->
            no_baton_for_nobody = no_baton_for_nobody || served[i] == K || reply[i]??[SERVED,eval(K)] ||
                                  late[i]??[UNDO,_,_,_,_] || main[i]??[ACQUIRE,_,eval(K),_,_];
            i++
        :: else -> break
        od;
        assert(no_baton_for_nobody)
    :: else
    fi;
    found = K != FREE; /* a stale baton in the list is nobody's obstacle */
    i = 0;
    do
    :: i < CLIENTS ->
        found = found && doing[i] == OVER && len(late[i]) + len(side[i]) + len(main[i]) == 0;
        i++
    :: else -> break
    od;
    no_trace = !found || K == OTHER || baton_lost || is_token(K) && excused[K] || CUTS + CRASHES > 0;
    assert(no_trace)
}

/* ---- lua/ ---- */

/* A baton that is nowhere in use. */
inline fresh_baton() {
    fresh = BATON;
    do
    :: fresh < BATON + 2 ->
        found = K == fresh || B == fresh;
        i = 0;
        do
        :: i < CLIENTS ->
            found = found || served[i] == fresh || reply[i]??[SERVED,eval(fresh)] ||
                    main[i]??[ACQUIRE,_,eval(fresh),_,_] || late[i]??[ACQUIRE,_,eval(fresh),_,_] ||
                    late[i]??[UNDO,_,eval(fresh),_,_] ||
                    late[i]??[LEAVE,_,eval(fresh),_,_];
            i++
        :: else -> break
        od;
        if
        :: found -> fresh++
        :: else -> break
        fi
    :: else -> break
    od
}

/* Counts the waiters. Entries that are dead have gone before: see weather(). */
inline count_waiters() {
    waiting = 0;
    i = 1;
    do
    :: i <= TOKENS -> waiting = waiting + W[i]; i++
    :: else -> break
    od
}

/* lua/inc/hand_over.lua: to the waiter that has waited longest; nobody waits: the lock is free. */
inline hand_over() {
    count_waiters();
    if
    :: waiting > 0 ->
        check_somebody();
        baton_lost = !found;
        fresh_baton();
        B = fresh;
        K = fresh;
        overdue = false
    :: else ->
        check_nobody_waits();
        K = FREE;
        B = FREE;
        baton_lost = false
    fi
}

/* The lock is taken. A repeat does not shorten a lease that was extended meanwhile: lua/inc/extended.lua. */
inline set_lock(id) {
    check_owner(id, true);
    counts_from = (K == id -> counts_from : 0);
    K = id;
    baton_lost = false;
    answer = YES
}

inline leave_line(id, waits) {
    if
    :: waits -> W[id] = false
    :: else
    fi
}

#ifdef BUG_CLAIMER_STAYS_IN_LINE
#define leave_line_behind_the_claim(id, waits) skip
#else
#define leave_line_behind_the_claim(id, waits) leave_line(id, waits)
#endif

/* lua/acquire.lua, take() */
inline take(id, waits) {
    leave_line_behind_the_claim(id, waits);
    set_lock(id);
    B = FREE
}

#ifdef BUG_REPEAT_DOES_NOT_SAY_SO
#define is_repeat(flag) false
#else
#define is_repeat(flag) flag
#endif

/* lua/acquire.lua. Sets `answer`. `waits`: the caller has a waiter id; `wait_ms`: it is ready to wait. The short ways come
 * first, which leave in the list what is there. */
inline acquire(id, waits, wait_ms, repeat, baton) {
    count_waiters();
    if
    :: !LONG_WAY && baton != FREE && K == baton ->
        witness("a baton is claimed");
        leave_line_behind_the_claim(id, waits);
        set_lock(id)
    :: !LONG_WAY && baton == FREE && (wait_ms || !waits) && K == FREE && (!waits || waiting == 0) -> set_lock(id)
    :: !LONG_WAY && baton == FREE && wait_ms && K != FREE && K != OTHER && K != id -> enter_line(id)
    :: else -> acquire_the_long_way(id, waits, wait_ms, repeat, baton)
    fi
}

inline enter_line(id) {
#ifndef BUG_NO_ENTRY
    W[id] = true;
#endif
    dropped[client_of(id)] = false;
    answer = HELD
}

/* The rest of lua/acquire.lua. */
inline acquire_the_long_way(id, waits, wait_ms, repeat, baton) {
    parked = is_baton(K) && B == K;
#ifndef BUG_PARKED_IS_FREE
    at_once = !wait_ms && (!parked || overdue || waits && W[id]);
#else
    at_once = !wait_ms;
#endif
    if
#ifdef BUG_CLAIM_UNCHECKED
    :: baton != FREE -> take(id, waits)
#endif
    :: is_baton(baton) && (K == baton || K == FREE) -> take(id, waits)
    :: !(is_baton(baton) && (K == baton || K == FREE)) && K == id && is_repeat(repeat) ->
        witness("a repeat keeps what the first try took");
        take(id, waits)
    :: else ->
        if
        :: (K == FREE || parked) && (at_once || waiting == 0 || waiting == 1 && W[id]) ->
            no_overtaking = !parked || overdue || waits && W[id] || waiting == 0;
            assert(no_overtaking);
            take(id, waits)
        :: else ->
            not_refused_by_itself = K != id || from != MAIN;
            assert(not_refused_by_itself);
            if
            :: !wait_ms ->
#ifndef BUG_LEAVER_STAYS_IN_LINE
                leave_line(id, waits);
#endif
                answer = NO
            :: else ->
                if
                :: K == FREE -> witness("a newcomer hands over"); hand_over()
                :: is_token(K) -> B = FREE /* a stale baton */
                :: else
                fi;
                enter_line(id)
            fi
        fi
    fi
}

/* lua/look.lua. Sets `answer`: NO is a status of 2, the waiter is not in the queue. */
inline look(id, enters) {
    answer = HELD;
    if
#ifndef BUG_LATE_LOOK_ENTERS
    :: !W[id] && !enters -> answer = NO
#endif
    :: else ->
        W[id] = true;
        dropped[client_of(id)] = false;
        if
        :: K == FREE -> witness("a look hands over"); hand_over()
        :: is_baton(K) && B == FREE && overdue -> /* serve_next() */
            witness("a look serves the next");
            B = K;
            overdue = false
        :: else
        fi
    fi
}

/* lua/release.lua. Sets `answer`. `token`, `waiter`: the id, or FREE for none. */
inline release(token, waiter, baton, note) {
    answer = NO;
    if
    :: waiter != FREE -> W[waiter] = false
    :: else
    fi;
    if
#ifdef BUG_BLIND_DEL
    :: token != FREE && is_token(K) ->
#else
    :: token != FREE && K == token ->
#endif
        check_owner(token, false);
        if
        :: note -> note_of = 0; note_at = 0
        :: else
        fi;
#ifdef BUG_RELEASE_ONLY_DELETES
        check_nobody_waits();
        K = FREE;
#else
        hand_over();
#endif
        answer = YES
    :: else ->
        if
        :: baton != FREE && is_baton(K) && (K == baton || baton == STAR && B != K) ->
            witness("an undo hands on a baton");
            hand_over()
        :: else ->
            count_waiters();
            if
            :: waiter != FREE && is_baton(K) && B == K && waiting == 0 -> /* a baton for nobody */
                witness("a leaver takes its baton along");
                K = FREE;
                B = FREE
            :: !(waiter != FREE && is_baton(K) && B == K && waiting == 0) && !is_baton(K) -> B = FREE /* stale */
            :: else
            fi
        fi
    fi
}

/* lua/extend.lua, lua/inc/extend.lua. Sets `answer`. */
inline extend(id, number, doubt) {
    answer = NO;
    if
#ifdef BUG_EXTENSION_REVIVES
    :: K == id || K == FREE ->
        K = id;
#else
    :: K == id ->
#endif
        if
#ifndef BUG_LATE_EXTENSION
        :: note_of == 1 + client_of(id) && note_at > number -> witness("a late extension is not carried out")
#endif
        :: else ->
            counts_from = number;
            if
            :: doubt -> note_of = 1 + client_of(id); note_at = number
            :: else
            fi;
            answer = YES
        fi
    :: else
    fi
}

/* ---- the server ---- */

/* Takes the n-th out of the line. */
inline step_out(n) {
    i = n;
    do
    :: i < 2 * CLIENTS - 1 -> line[i] = line[i + 1]; i++
    :: else -> line[i] = 0; break
    od
}

/* Redis gives what is in the list to the client that has been blocked longest, also if that is gone. */
inline serve_blocked() {
    if
    :: B != FREE && line[0] != 0 ->
        if
        :: line[0] <= CLIENTS -> reply[line[0] - 1] ! SERVED, B
        :: else -> /* the undo that was written behind the BLPOP runs next; after a crash there is none */
            witness("a baton goes to a connection that is closed");
            baton_lost = baton_lost || !late[line[0] - 1 - GONE]??[UNDO,_,_,_,_]
        fi;
        step_out(0);
        B = FREE
    :: else
    fi
}

/* Runs the request that was read into `what`, `what_id` … */
inline execute(c) {
    if
    :: what == TRY -> acquire(what_id, false, false, flag2, FREE)
    :: what == ACQUIRE -> acquire(what_id, true, flag1, flag2, arg)
    :: what == RELEASE -> release(what_id, FREE, FREE, flag1)
    :: what == UNDO -> release(what_id, what_id, arg, false)
    :: what == LEAVE -> release(FREE, what_id, arg, false)
    :: what == EXTEND -> extend(what_id, arg, flag2)
    :: what == LOOK -> look(what_id, flag1)
    :: what == BLPOP -> line_up(c)
    fi;
    serve_blocked();
    check_quiet()
}

inline line_up(c) {
    i = 0;
    do
    :: line[i] != 0 -> i++
    :: else -> line[i] = 1 + c + (from == LATE -> GONE : 0); break
    od
}

#define is_blocked(c) is_in_line((1 + c))

/* Reads the connections of one client. A connection that is blocked in a BLPOP is not read on. */
proctype server(byte c) {
end:
    do
    :: atomic {
        if
        :: nempty(main[c]) && !is_blocked(c) -> main[c] ? what, what_id, arg, flag1, flag2; from = MAIN
        :: nempty(side[c]) -> side[c] ? what, what_id, arg, flag1, flag2; from = SIDE
        :: nempty(late[c]) && !is_in_line((GONE + 1 + c)) -> late[c] ? what, what_id, arg, flag1, flag2; from = LATE
        fi;
        d_step {
            execute(c);
            if
            :: from == MAIN && what != BLPOP -> reply[c] ! answer, FREE
            :: what == LOOK && looking[c] == 1 -> looking[c] = (answer == NO -> 3 : 2)
            :: else
            fi;
            forget()
        }
    }
    :: d_step { /* the BLPOP's own timeout, or the client's: the last try is behind it */
        is_blocked(c) && nempty(main[c]) ->
        n = 0;
        do
        :: line[n] != 1 + c -> n++
        :: else -> break
        od;
        step_out(n);
        reply[c] ! NIL, FREE
    }
    od
}

/* ---- the client: src/lock/ and lock_core.c ---- */

/* All that was written on the main connection before it is closed may still arrive, in order, and later than what the
 * client sends next. One such connection at a time. */
#define can_close(c) (empty(late[c]) && !is_in_line((GONE + 1 + c)))

inline close_main(c) {
    d_step {
        do
        :: main[c] ? what, what_id, arg, flag1, flag2 -> late[c] ! what, what_id, arg, flag1, flag2
        :: empty(main[c]) -> break
        od;
        do
        :: reply[c] ? answer, arg
        :: empty(reply[c]) -> break
        od;
        i = 0;
        do
        :: i < 2 * CLIENTS ->
            line[i] = (line[i] == 1 + c -> GONE + 1 + c : line[i]);
            i++
        :: else -> break
        od;
        forget()
    }
}

#define is_under_way(c, id) (late[c]??[_,eval(id),_,_,_] || side[c]??[_,eval(id),_,_,_])

/* A token and an id that are nowhere in use. */
inline draw(c) {
    d_step {
        n = 1 + c;
        do
        :: n <= TOKENS ->
            found = K == n || W[n] || me[c] == n || is_under_way(c, n);
            if
            :: found -> n = n + CLIENTS
            :: else -> break
            fi
        :: else -> break
        od;
        assert(n <= TOKENS); /* otherwise GENERATIONS is too small */
        me[c] = n;
        excused[n] = false;
        unknown = false
    }
}

inline excuse(c) {
    excused[1 + c] = true;
    excused[1 + c + CLIENTS] = true;
    excused[1 + c + 2 * CLIENTS] = true;
    excused[1 + c + 3 * CLIENTS] = true;
    excused[1 + c + 4 * CLIENTS] = true
}

/* connection.c, rl_conn_close_after(): writes the undo behind what is under way, and closes the connection. If it is
 * written, the attempt goes on with a new token and a new id, since the undo may come late: undo.c,
 * lock_attempt_draw_anew(). Otherwise the next try says that an earlier one is in doubt, if one was under way. */
inline close_after_undo(c, baton) {
    close_main(c);
    if
#ifndef BUG_NO_UNDO
    :: true ->
#ifdef BUG_UNDO_OF_ANOTHER_TOKEN
        draw(c);
        late[c] ! UNDO, me[c], baton, false, false
#else
        late[c] ! UNDO, me[c], baton, false, false;
#ifndef BUG_TOKEN_KEPT
        draw(c)
#endif
#endif
#else
    :: true -> draw(c)
#endif
    :: cuts > 0 ->
        cuts--;
        unknown = unknown || doing[c] != WAITING;
        excused[me[c]] = true;
        baton_lost = baton_is_out
    fi
}

/* wait.c, lock_wait(), at its end: a look whose answer has not come may enter the waiter again. */
inline leave_behind_a_look(c) {
    if
    :: looking[c] == 1 || looking[c] > 1 && enter[c] -> side[c] ! LEAVE, me[c], FREE, false, false
    :: else
    fi;
    looking[c] = 0;
    enter[c] = false
}

/* The process dies: what it has written may arrive, nothing follows. */
inline crash(c) {
    crashes--;
    close_main(c);
    baton_lost = baton_is_out;
    excuse(c);
    clocks[c] = 0;
    served[c] = FREE;
    looking[c] = 0;
    doing[c] = DEAD
}

/* A look that would find nothing to do is left out: it would only keep the entry alive. */
#define look_is_due(c) (K == FREE || is_baton(K) && B == FREE && overdue || !W[me[c]])

#define may_lose(c) (losses > 0 && can_close(c))
#define may_die(c)  (crashes > 0 && can_close(c))

proctype client(byte c) {
    bit waits, patient;
    bit unknown;       /* attempt.h, outcome_unknown: an earlier try with this token may have taken the lock */
    byte number;       /* of the extension */
    bit doubt, doubts; /* an answer to an extension was lost; what the extension under way says of that */

    if
    :: WAITS -> waits = true; patient = true
    :: TRIES
    fi;

ask: /* try.c, lock_attempt_try(); with a baton that was served it is the claim */
    atomic {
        doing[c] = ASKING;
        ended[c] = 0; /* the lease counts from before the request is sent */
        if
        :: waits -> main[c] ! ACQUIRE, me[c], served[c], patient, unknown
        :: else -> main[c] ! TRY, me[c], FREE, false, unknown
        fi
    }
    if
    :: atomic { reply[c] ? YES, _ -> goto taken }
    :: atomic { reply[c] ? NO, _ -> goto over }
    :: atomic { reply[c] ? HELD, _ -> served[c] = FREE; goto wait }
    :: atomic { /* undo.c, lock_attempt_undo_single(); acquire.c, attempt_try_until_answered() */
        may_lose(c) -> losses--;
        close_after_undo(c, served[c]);
        if
        :: served[c] != FREE && len(side[c]) < 3 -> /* wait_give_up() leaves the queue, and hands the baton on */
            side[c] ! UNDO, me[c], served[c], false, false;
            looking[c] = 0;
            goto over
        :: served[c] = FREE; goto ask
        :: goto over
        fi
    }
    :: atomic { may_die(c) -> crash(c); goto dead }
    fi;

wait: /* wait.c, wait_block() and wait_watch() */
    atomic { doing[c] = WAITING; main[c] ! BLPOP, FREE, FREE, false, false }
    do
    :: atomic { /* the baton is a hint: nothing is ours before the claim is answered */
        reply[c] ? SERVED, served[c] ->
        witness("a waiter is served");
#ifdef BUG_BATON_IS_THE_LOCK
        goto taken
#else
        if
        :: goto ask
        :: give_ups > 0 -> give_ups--; patient = false; goto ask /* it is past the deadline */
        fi
#endif
    }
#ifndef BUG_NO_LOOK
    :: atomic {
        looking[c] == 0 && look_is_due(c) && empty(side[c]) ->
        looking[c] = 1;
        side[c] ! LOOK, me[c], FREE, enter[c], false
    }
    :: d_step { looking[c] > 1 -> enter[c] = (looking[c] == 3); looking[c] = 0 }
#endif
    :: atomic { /* wait_end(): the last try, behind the BLPOP */
        give_ups > 0 -> give_ups--;
        doing[c] = LEAVING;
        patient = false;
        ended[c] = 0;
        main[c] ! ACQUIRE, me[c], FREE, false, unknown;
        goto last
    }
    :: atomic { /* the connection breaks, and the waiter queues anew: wait_close_main(), wait_recover() */
        may_lose(c) -> losses--;
        close_after_undo(c, STAR);
        goto ask
    }
    :: atomic { /* interrupted, or refused for good: wait_leave_queue() comes first, on the second connection */
        may_lose(c) && len(side[c]) < 3 -> losses--;
        witness("a waiter is interrupted");
        side[c] ! UNDO, me[c], FREE, false, false;
        looking[c] = 0;
        close_after_undo(c, STAR);
        goto over
    }
    :: atomic { may_die(c) -> crash(c); goto dead }
    od;

last: /* wait.c, wait_end() */
    do
    :: atomic { reply[c] ? NIL, _ }
    :: atomic { reply[c] ? SERVED, served[c] }
    :: atomic { reply[c] ? YES, _ -> witness("the last try takes the lock"); goto taken }
    :: atomic {
        reply[c] ? NO, _ ->
        if
        :: served[c] != FREE -> witness("the BLPOP brought a baton all the same"); goto ask
        :: else -> goto over
        fi
    }
    :: atomic { /* A baton is not claimed while the last try is open: leaving the queue hands it on. wait_give_up() */
        may_lose(c) && len(side[c]) < 3 -> losses--;
#ifdef BUG_CLAIMS_BESIDE_THE_LAST_TRY
        if
        :: served[c] != FREE -> close_main(c); unknown = true; goto ask
        :: else
        fi;
#endif
        if
        :: served[c] != FREE -> witness("a waiter that leaves hands on the baton that it was served")
        :: else
        fi;
        side[c] ! UNDO, me[c], served[c], false, false;
        looking[c] = 0;
        close_after_undo(c, STAR);
        goto over
    }
    :: atomic { /* The last try goes out early if a round trip is long: there may be time for another. wait_recover() */
        may_lose(c) -> losses--;
        close_after_undo(c, STAR);
        served[c] = FREE;
        goto ask
    }
    :: atomic { may_die(c) -> crash(c); goto dead }
    od;

taken: /* src/lock/acquire.c, lock_acquire_with() */
    atomic {
        served[c] = FREE;
#ifndef BUG_LOOK_IS_LEFT_BEHIND
        leave_behind_a_look(c);
#else
        looking[c] = 0; enter[c] = false;
#endif
#ifdef BUG_LEASE_COUNTS_FROM_THE_ANSWER
        ended[c] = 0;
#endif
        if
        :: !ended[c] -> d_step { check_exclusion(c) }; clocks[c] = bit_of(0); doing[c] = HOLDING
        :: (ended[c] || losses > 0) && can_close(c) ->
            witness("a lock that comes too late is given back");
            losses = (ended[c] -> losses : losses - 1);
            close_after_undo(c, FREE);
            draw(c); /* undo.c, lock_attempt_give_back(), does so in any case */
            if
            :: patient -> goto ask
            :: else -> goto over
            fi
        fi
    }

    do
    :: atomic { /* lock_core.c, lock_extend(): until the answer is known, the shorter lease counts */
        number < EXTENSIONS ->
        number++;
        doubts = doubt;
#ifdef BUG_LONGER_LEASE_AT_ONCE
        clocks[c] = bit_of(number);
#else
        clocks[c] = clocks[c] | bit_of(number);
#endif
ask_extension:
        main[c] ! EXTEND, me[c], number, false, doubts
      }
      if
      :: atomic { reply[c] ? YES, _ -> clocks[c] = bit_of(number) }
      :: atomic { reply[c] ? NO, _ -> clocks[c] = 0; goto over }
      :: atomic {
          may_lose(c) -> losses--;
          close_main(c);
          doubt = true;
          if
          :: goto ask_extension
          :: skip
          fi
      }
      :: atomic { may_die(c) -> crash(c); goto dead }
      fi
    :: break
    :: atomic { may_die(c) -> crash(c); goto dead }
    od;

give: /* release.c, lock_release_all(): whatever comes of it, the client does not believe in the lock any more */
    atomic {
        doing[c] = RELEASING;
#ifndef BUG_BELIEVES_UNTIL_RELEASED
        clocks[c] = 0;
#endif
        main[c] ! RELEASE, me[c], FREE, doubt, false
    }
    if
    :: atomic { reply[c] ? YES, _ -> clocks[c] = 0 }
    :: atomic { reply[c] ? NO, _ -> clocks[c] = 0 }
    :: atomic { /* release_op_leave_silent(), and the backlog */
        may_lose(c) -> losses--;
        close_main(c);
        late[c] ! RELEASE, me[c], FREE, doubt, false;
        if
        :: goto give
        :: skip
        fi
    }
    :: atomic { may_die(c) -> crash(c); goto dead }
    fi;

over:
    atomic {
        served[c] = FREE;
        leave_behind_a_look(c);
        if
        :: unknown && doing[c] != RELEASING -> can_close(c) -> late[c] ! RELEASE, me[c], FREE, false, false
        :: else
        fi;
        doing[c] = OVER;
        ended[c] = 0;
        number = 0; doubt = false; doubts = false; unknown = false; waits = false; patient = false;
        d_step { check_quiet() }
    }

dead:
    skip
}

/* ---- time, and what else happens by itself ---- */

/* The client of this token has the lock, or is about to learn that it has it. */
#define is_at_work(token)                                                                                              \
    (me[client_of(token)] == token && doing[client_of(token)] != WAITING && doing[client_of(token)] != OVER &&         \
     doing[client_of(token)] != DEAD)


#define may_take_it(c) (served[c] == K || B == K && stands(c) || reply[c]??[SERVED,eval(K)])
#if CLIENTS == 2
#define baton_has_a_taker (may_take_it(0) || may_take_it(1))
#else
#define baton_has_a_taker (may_take_it(0) || may_take_it(1) || may_take_it(2))
#endif

proctype time() {
end:
    do
    :: d_step { /* The lease of K ends. If the owner counts it, it has ended by the owner's clock before. */
        is_token(K) && (K == OTHER || early > 0 || !is_at_work(K)) ->
        j = client_of(K);
        if
        :: K == OTHER -> other_believes = false
        :: else ->
            early = (is_at_work(K) -> early - 1 : early);
#ifndef BUG_NO_DRIFT
            ended[j] = (me[j] == K -> ended[j] | bit_of(counts_from) : ended[j]);
#endif
            if
            :: note_of == 1 + j -> note_of = 0; note_at = 0 /* the note ends with the lease that it guards */
            :: else
            fi
        fi;
        K = FREE;
        counts_from = 0
    }
    :: d_step { /* The baton should have been claimed by now: the looks serve the next waiter. */
        is_baton(K) && !overdue && (early > 0 || !baton_has_a_taker) ->
        early = (baton_has_a_taker -> early - 1 : early);
        overdue = true
    }
    :: d_step { is_baton(K) && overdue -> K = FREE; overdue = false; baton_lost = false } /* the grace is over */
    :: d_step { B != FREE && !is_baton(K) -> B = FREE } /* the list lives longer than the grace */
    od
}

#define is_of_nobody(c, id) (W[id] && !(me[c] == id && stands(c)))

inline drop_late(c) {
    do
    :: late[c] ? what, what_id, arg, flag1, flag2 -> excused[what_id] = what_id != FREE
    :: empty(late[c]) -> break
    od;
    forget()
}

proctype weather(byte c) {
end:
    do
    /* An entry of nobody is dropped as dead: lua/inc/waiters.lua, drop_dead(). */
    :: d_step { is_of_nobody(c, (1 + c)) -> W[1 + c] = false }
    :: d_step { is_of_nobody(c, (1 + c + CLIENTS)) -> W[1 + c + CLIENTS] = false }
    :: d_step { is_of_nobody(c, (1 + c + 2 * CLIENTS)) -> W[1 + c + 2 * CLIENTS] = false }
    :: d_step { is_of_nobody(c, (1 + c + 3 * CLIENTS)) -> W[1 + c + 3 * CLIENTS] = false }
    :: d_step { is_of_nobody(c, (1 + c + 4 * CLIENTS)) -> W[1 + c + 4 * CLIENTS] = false }
    :: d_step { /* A waiter that lives is late with its look. */
        slow > 0 && doing[c] == WAITING && W[me[c]] ->
        slow--;
        dropped[c] = true;
        W[me[c]] = false
    }
    :: d_step { /* The server notices that a blocked client is gone, and drops what is behind the BLPOP. It was
               * served nothing; its entry expires. */
        is_in_line((GONE + 1 + c)) ->
        n = 0;
        do
        :: line[n] != GONE + 1 + c -> n++
        :: else -> break
        od;
        step_out(n);
        drop_late(c)
    }
    :: d_step { /* What is under way on a connection that is closed is lost. */
        cuts > 0 && nempty(late[c]) ->
        cuts--;
        drop_late(c);
        baton_lost = baton_is_out
    }
    od
}

/* A client of another kind: docs/protocol.md, "three lines". */
proctype foreign() {
    d_step { K == FREE -> check_exclusion(CLIENTS); K = OTHER; other_believes = true }
    atomic {
        other_believes = false;
        if
        :: K == OTHER -> K = FREE
        :: else
        fi
    }
}

init {
    atomic {
        i = 0;
        j = 0;
        run time();
        if
        :: FOREIGN -> run foreign()
        :: else
        fi;
        byte c = 0;
        do
        :: c < CLIENTS ->
            me[c] = 1 + c;
            run client(c);
            run server(c);
            run weather(c);
            c++
        :: else -> c = 0; break
        od
    }
}
