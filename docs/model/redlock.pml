/* The lock of three servers ("Redlock") as a model for spin: the majority, the undo, the extension, and the fence that
 * is written back. Waiting is that of lock.pml, at one of the nodes; here a client only tries again. There is no time:
 * what time ends may end at any moment, if the rules allow that moment. How to run it: README.md.
 *
 * A client keeps its connection to a node, and a node may be silent for as long as it likes. So what is written behind
 * a request runs behind it, however late.
 */

/* ---- sizes: see docs/model/run ---- */

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef TRIES
#define TRIES 2       /* how often a client tries; each try has a token of its own */
#endif
#ifndef SILENCES
#define SILENCES 1    /* how often a client stops waiting for the nodes that have not answered: node_timeout */
#endif
#ifndef EARLY
#define EARLY 1       /* how often a lease ends on a node before its client has released it */
#endif
#ifndef CRASHES
#define CRASHES 0     /* how many clients die */
#endif
#ifndef EXTENSIONS
#define EXTENSIONS 0  /* 1: a holder may extend its lease once */
#endif
#ifndef FENCES
#define FENCES 0      /* 1: a holder gets a fence */
#endif
#ifndef FORGETS
#define FORGETS 0     /* out of the promise: how often a node loses its data. Then two may hold the lock */
#endif

#define NODES 3
#ifdef BUG_QUORUM_IS_ONE
#define MAJORITY 1
#else
#define MAJORITY (NODES / 2 + 1)
#endif

#define FREE   0
#define TOKENS (CLIENTS * TRIES)
#define client_of(token) ((token - 1) % CLIENTS)
#define at(c, n) ((c) * NODES + (n))
#define bit_of(n) (1 << (n))

/* ---- the nodes ---- */

byte K[NODES];           /* the lock: FREE or a token */
byte counts_from[NODES]; /* the request from which its lease counts: 0 the acquisition, 1 the extension */
byte fence[NODES];       /* the last fence */

/* The clocks of the nodes make the fences, and differ: that of node 0 is ahead. */
#define clock_of(n) (n == 0 -> 5 : 1)

/* ---- the network ---- */

/* A request: what; token; round of the client, so that a late answer is not taken for one to a later request; fence. */
mtype = { ACQUIRE, RAISE, EXTEND, RELEASE };
chan wire[CLIENTS * NODES] = [6] of { mtype, byte, byte, byte };

mtype = { YES, NO };     /* answers; 0: none yet */
mtype said[CLIENTS * NODES];
byte told[CLIENTS * NODES]; /* the fence that came with a yes */
/* A node that owes older answers is not asked for a lock: quorum.c, rl_quorum_skip_silent(). */
bit asked[CLIENTS * NODES];

/* ---- clients ---- */

mtype = { IDLE, TRYING, HOLDING, OVER, DEAD };
mtype doing[CLIENTS];
byte me[CLIENTS];        /* the token of the try */
byte round[CLIENTS];
byte clocks[CLIENTS];    /* a bit for each request that the belief counts from; 0: the client believes in no lock */
byte ended[CLIENTS];     /* a bit for each request whose lease is over by the client's clock */

byte silences = SILENCES, early = EARLY, crashes = CRASHES, forgets = FORGETS;

#define believes(c) (clocks[c] != 0 && (clocks[c] & ended[c]) == 0)
#define count(c, what) ((said[at(c, 0)] == what) + (said[at(c, 1)] == what) + (said[at(c, 2)] == what))
#define is_open(c, n)  (asked[at(c, n)] && said[at(c, n)] == 0)
#define open(c)        (is_open(c, 0) + is_open(c, 1) + is_open(c, 2))

/* ---- what is only there to be checked ---- */

byte last_fence; /* of the last holder */
bit excused[TOKENS + 1];

#define witness(what) c_code { static int reached; if (!reached++) printf("reached: %s\n", what); }

#define witness_of_long(what) witness(what) /* in the larger configurations only */

/* Names for spin's messages, and scratch of a single step. */
hidden byte exclusion, only_the_owner_frees, no_lock_for_nobody, no_trace, fence_grows;
hidden byte i, j, highest, found;

inline check_exclusion(c) {
    exclusion = true;
    i = 0;
    do
    :: i < CLIENTS -> exclusion = exclusion && (i == c || !believes(i)); i++
    :: else -> break
    od;
    assert(exclusion)
}

/* A token on a node is somebody's, or its release is on its way; and when all is over, nothing is left. */
inline check_quiet(n) {
    if
    :: K[n] != FREE ->
        j = client_of(K[n]);
        no_lock_for_nobody = excused[K[n]] || wire[at(j, n)]??[RELEASE,eval(K[n]),_,_] ||
                             me[j] == K[n] && doing[j] != IDLE && doing[j] != OVER && doing[j] != DEAD;
        assert(no_lock_for_nobody)
    :: else
    fi;
    found = (K[n] != FREE && !excused[K[n]]);
    i = 0;
    do
    :: i < CLIENTS -> found = found && doing[i] == OVER && len(wire[at(i, n)]) == 0; i++
    :: else -> break
    od;
    no_trace = !found;
    assert(no_trace)
}

/* ---- a node: lua/, as far as it matters here ---- */

inline run_request(c, n) {
    verdict = NO;
    if
    :: what == ACQUIRE && K[n] == FREE -> /* lua/acquire.lua */
        K[n] = id;
        counts_from[n] = 0;
        if
        :: FENCES -> /* lua/inc/fence.lua */
            fence[n] = (fence[n] + 1 > clock_of(n) -> fence[n] + 1 : clock_of(n));
            number = fence[n]
        :: else
        fi;
        verdict = YES
    :: what == RAISE && K[n] == id -> /* lua/raise_fence.lua */
        fence[n] = (fence[n] < number -> number : fence[n]);
        verdict = YES
    :: what == EXTEND && K[n] == id -> counts_from[n] = 1; verdict = YES /* lua/extend.lua */
#ifdef BUG_BLIND_DEL
    :: what == RELEASE && K[n] != FREE ->
#else
    :: what == RELEASE && K[n] == id -> /* lua/release.lua; also the undo */
#endif
        only_the_owner_frees = K[n] == id && !(me[c] == id && believes(c));
        assert(only_the_owner_frees);
        K[n] = FREE;
        verdict = YES
    :: what == ACQUIRE && K[n] != FREE
    :: what != ACQUIRE && K[n] != id
    fi;
    if
#ifdef BUG_LATE_ANSWER_COUNTS
    :: what == ACQUIRE && doing[c] == TRYING ->
#else
    :: which == round[c] && doing[c] != OVER && doing[c] != DEAD ->
#endif
        said[at(c, n)] = verdict;
        told[at(c, n)] = (what == ACQUIRE && verdict == YES -> number : told[at(c, n)])
    :: else -> witness("an answer comes too late")
    fi;
    check_quiet(n)
}

proctype node(byte n; byte c) {
    mtype what, verdict;
    byte id, which, number;
end:
    do
    :: d_step {
        wire[at(c, n)] ? what, id, which, number ->
        run_request(c, n);
        what = 0; verdict = 0; id = 0; which = 0; number = 0
    }
    od;
    i = 0
}

/* ---- the client ---- */

/* Asks the nodes, in a new round. Only a request for a lock passes by the nodes that are silent. */
inline ask(c, what, number) {
    d_step {
        round[c] = (round[c] + 1) % 8;
        i = 0;
        do
        :: i < NODES ->
            said[at(c, i)] = 0;
            asked[at(c, i)] = !(what == ACQUIRE && len(wire[at(c, i)]) > 0);
            if
            :: asked[at(c, i)] -> wire[at(c, i)] ! what, me[c], round[c], number
            :: else
            fi;
            i++
        :: else -> break
        od;
        i = 0
    }
}

/* undo.c, lock_attempt_clean_up(): undoes the try if it may have taken the lock, behind the request. Nobody
 * waits for the answer. */
inline undo(c) {
    d_step {
        round[c] = (round[c] + 1) % 8;
        i = 0;
        do
        :: i < NODES ->
            if
#ifdef BUG_NO_UNDO
            :: false
#elif defined(BUG_NO_UNDO_AT_A_SILENT_NODE)
            :: said[at(c, i)] == YES ->
#else
            :: asked[at(c, i)] && said[at(c, i)] != NO ->
#endif
                wire[at(c, i)] ! RELEASE, me[c], round[c], 0
            :: else
            fi;
            said[at(c, i)] = 0;
            asked[at(c, i)] = false;
            told[at(c, i)] = 0;
            i++
        :: else -> break
        od;
        doing[c] = IDLE
    }
}

/* To all nodes: a release, or the undo of a try that a majority has granted. A node may have the lock whatever it said
 * since. */
inline undo_all(c) {
    d_step {
        round[c] = (round[c] + 1) % 8;
        i = 0;
        do
        :: i < NODES ->
            wire[at(c, i)] ! RELEASE, me[c], round[c], 0;
            said[at(c, i)] = 0;
            asked[at(c, i)] = false;
            told[at(c, i)] = 0;
            i++
        :: else -> break
        od;
        doing[c] = IDLE
    }
}

inline find_highest(c) {
    highest = 0;
    i = 0;
    do
    :: i < NODES ->
        highest = (said[at(c, i)] == YES && told[at(c, i)] > highest -> told[at(c, i)] : highest);
        i++
    :: else -> break
    od;
    i = 0
}

inline crash(c) {
    d_step {
        crashes--;
        clocks[c] = 0;
        doing[c] = DEAD;
        i = 1 + c;
        do
        :: i <= TOKENS -> excused[i] = true; i = i + CLIENTS
        :: else -> break
        od;
        i = 0
    }
}

proctype client(byte c) {
    byte tries, my_fence;

try:
    atomic {
        if
        :: tries == TRIES -> goto over
        :: else
        fi;
        me[c] = 1 + c + CLIENTS * tries; /* drawn anew for each try: its undo may come late */
        tries++;
        doing[c] = TRYING;
        ended[c] = 0;                    /* the lease counts from before the first request is sent */
        ask(c, ACQUIRE, 0)
    }
    if /* try.c, attempt_is_decided() */
    :: atomic {
        count(c, YES) >= MAJORITY ->
        d_step {
            find_highest(c);
            my_fence = highest;
            i = 0;
            do
            :: i < NODES -> told[at(c, i)] = 0; i++
            :: else -> break
            od;
            i = 0
        }
    }
    :: atomic { count(c, YES) + open(c) < MAJORITY -> witness("votes are split"); undo(c); goto try }
    :: atomic { silences > 0 && open(c) > 0 && count(c, YES) < MAJORITY -> silences--; undo(c); goto try }
    :: atomic { crashes > 0 -> crash(c); goto dead }
    fi;

#if FENCES && !defined(BUG_FENCE_IS_NOT_WRITTEN_BACK)
    /* try.c, attempt_write_fence_back() */
    ask(c, RAISE, my_fence);
    if
    :: count(c, YES) >= MAJORITY
    :: atomic {
        count(c, YES) + open(c) < MAJORITY ->
        witness_of_long("a fence is not written back");
        undo_all(c);
        goto try
    }
    :: atomic { silences > 0 && open(c) > 0 && count(c, YES) < MAJORITY -> silences--; undo_all(c); goto try }
    :: atomic { crashes > 0 -> crash(c); goto dead }
    fi;
#endif

    atomic { /* src/lock/acquire.c, lock_acquire_with() */
#ifdef BUG_LEASE_COUNTS_FROM_THE_ANSWER
        ended[c] = 0;
#endif
        if
        :: ended[c] -> witness("a lock that comes too late is given back"); undo_all(c); goto try
        :: else -> 
            d_step {
                check_exclusion(c);
                fence_grows = !FENCES || my_fence > last_fence;
                assert(fence_grows);
                last_fence = my_fence;
                my_fence = 0;
                clocks[c] = bit_of(0);
                doing[c] = HOLDING
            }
        fi
    }

    if
    :: EXTENSIONS > 0 -> /* lock_core.c, lock_extend(): until the answer is known, the shorter lease counts */
        atomic { clocks[c] = bit_of(0) | bit_of(1); ask(c, EXTEND, 0) }
        if
#ifdef BUG_ONE_NODE_EXTENDS
        :: atomic { count(c, YES) > 0 -> clocks[c] = bit_of(1) }
#else
        :: atomic { count(c, YES) >= MAJORITY -> witness("a majority extends"); clocks[c] = bit_of(1) }
#endif
        :: atomic { count(c, YES) + open(c) < MAJORITY -> clocks[c] = 0 } /* it is lost */
        :: atomic { silences > 0 && open(c) > 0 && count(c, YES) < MAJORITY -> silences-- }
        :: atomic { crashes > 0 -> crash(c); goto dead }
        fi
    :: true
    :: atomic { crashes > 0 -> crash(c); goto dead }
    fi;

    atomic { /* release.c: to all nodes. Whatever they answer, the client does not believe in the lock any more; a
              * silent node carries it out when it goes on */
        clocks[c] = 0;
        undo_all(c)
    };

over:
    skip;
    d_step {
        doing[c] = OVER;
        tries = 0;
        my_fence = 0;
        ended[c] = 0;
        i = 0;
        do
        :: i < NODES -> said[at(c, i)] = 0; asked[at(c, i)] = false; told[at(c, i)] = 0; i++
        :: else -> break
        od;
        i = 0
    }

dead:
    skip
}

/* ---- time, and what else happens by itself ---- */

#define is_at_work(token) \
    (me[client_of(token)] == token && doing[client_of(token)] != IDLE && doing[client_of(token)] != OVER && \
     doing[client_of(token)] != DEAD)

proctype time(byte n) {
end:
    do
    :: d_step { /* The lease ends on this node. If its client counts it, it has ended by the client's clock before. */
        K[n] != FREE && (early > 0 || !is_at_work(K[n])) ->
        j = client_of(K[n]);
        early = (is_at_work(K[n]) && !(ended[j] & bit_of(counts_from[n])) -> early - 1 : early);
#ifndef BUG_NO_DRIFT
        ended[j] = (me[j] == K[n] && doing[j] != OVER -> ended[j] | bit_of(counts_from[n]) : ended[j]);
#endif
        K[n] = FREE;
        counts_from[n] = 0
    }
    :: d_step { forgets > 0 && K[n] != FREE -> forgets--; K[n] = FREE; counts_from[n] = 0 }
    od
}

init {
    atomic {
        byte c = 0, n = 0;
        do
        :: c < CLIENTS -> doing[c] = IDLE; run client(c); c++
        :: else -> c = 0; break
        od;
        do
        :: n < NODES ->
            run time(n);
            do
            :: c < CLIENTS -> run node(n, c); c++
            :: else -> c = 0; break
            od;
            n++
        :: else -> n = 0; break
        od
    }
}
