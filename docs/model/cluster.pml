/* One lock in a slot of a cluster that moves from one master to another, key by key, and whose master may be replaced by its
 * replica, as a model for spin. The line of waiters is that of lock.pml, in less detail: here it is about which node runs what,
 * and what a client makes of a refusal. There is no time: what time ends may end at any moment. How to run it, and what it
 * leaves out: README.md.
 *
 * A client makes one call of lock() and releases the lock. A request takes one step to be written, one to be carried out and
 * one for its answer. Looks, and what the backlog sends, take one step in all.
 */

/* ---- sizes: see docs/model/run ---- */

#ifndef MOVES
#define MOVES 1     /* how often the slot begins to move */
#endif
#ifndef BREAKS_OFF
#define BREAKS_OFF 0 /* 1: the move stops before its end, and the slot stays open for good */
#endif
#ifndef CANCELS
#define CANCELS 0   /* how often a move is cancelled before a key has gone */
#endif
#ifndef SOURCE_FIRST
#define SOURCE_FIRST 0 /* out of the promise: a move is cancelled at its source first. Then two may hold the lock */
#endif
#ifndef FAILOVERS
#define FAILOVERS 0 /* 1: the replica of the slot's master takes over */
#endif
#ifndef FORGETS
#define FORGETS 0   /* 1: it may lack the last write. Then two may hold the lock */
#endif
#ifndef STRICT
#define STRICT 0    /* 1: what a failover loses is an error as well, and what is taken where no client finds it */
#endif
#ifndef LOSSES
#define LOSSES 0    /* how often a client gives up a request: it is lost, its answer is lost, or it comes late */
#endif
#ifndef CUTS
#define CUTS 0      /* how often the undo of such a request is not written */
#endif
#ifndef EARLY
#define EARLY 0     /* how often a lease ends before a client that lives has released it */
#endif
#ifndef GIVE_UPS
#define GIVE_UPS 0  /* how often a client comes to its deadline; the others wait as long as it takes */
#endif
#ifndef WAITS
#define WAITS 2     /* how many clients may call lock() with a timeout */
#endif
#ifndef TRIES
#define TRIES 0     /* 1: they may as well call it without one, as the others do */
#endif
#ifndef LEFT
#define LEFT 0      /* 1: earlier clients may have left a baton in the list, and an entry in the queue */
#endif
#ifndef OLD
#define OLD 0       /* 1: Redis before 7.0, which answers ASK to a request of which any key has gone */
#endif

#define CLIENTS     2
#define GENERATIONS 5
#define TOKENS      (CLIENTS * GENERATIONS)
#define FREE        0
#define BATON       (TOKENS + 1) /* this and the two above are batons */
#define STAR        255          /* instead of a served baton: it may have been served one */
#define is_token(v) (v != FREE && v < BATON)
#define is_baton(v) (v >= BATON)
#define client_of(token)     ((token - 1) % CLIENTS)
#define generation_of(token) ((token - 1) / CLIENTS)
#define bit_of(n) (1 << (n))

/* ---- the keys, and where they are ---- */

/* A token is also the id of the waiter, since a client draws both anew at the same moments. */
byte K[2];       /* the lock at either node: FREE, a token or a baton */
bit overdue;     /* it is a baton that should have been claimed by now */
byte B;          /* the list of batons: a baton or FREE */
bit W[CLIENTS];  /* the waiters; and whether there are entries of nobody among them */
bit ghosts;
bit b_at, w_at;  /* where the list and the waiters are */

#define waiters_but(c) (W[0] && c != 0 || W[1] && c != 1 || ghosts)
#define any_W (W[0] || W[1] || ghosts)
#define has_B(n) (B != FREE && b_at == n)
#define has_W(n) (any_W && w_at == n)

/* ---- the cluster ---- */

/* Node n is at the address n, and when its replica has taken over, at n + 2. */
bit promoted[2];
bit old_redirects;     /* the old master is a replica now and redirects; otherwise it only says that it is no master */
bit sees[2];           /* which node serves the slot, as each of the two says itself */
bit source;            /* of the move */
bit migrating;         /* the source gives the slot away */
bit importing;         /* the other node takes it */
bit broken_off;        /* the slot stays open for good */
bit cancelling;

#define target         (1 - source)
#define address_of(n)  ((n) + 2 * promoted[n])
#define node_at(a)     ((a) % 2)
#define is_settled     (!migrating && !importing && sees[0] == sees[1])

byte moves = MOVES, cancels = CANCELS, failovers = FAILOVERS, losses = LOSSES, cuts = CUTS, early = EARLY, give_ups = GIVE_UPS;

#if FORGETS
byte K_before;         /* what the last write has replaced */
#define note_write(n) K_before = K[n]
#define was_before(token) (K_before == token)
#else
#define note_write(n) skip
#define was_before(token) false
#endif

/* ---- the network ---- */

/* A request: what; token and waiter id; served baton; address; flags. */
mtype = { SETNX, ACQUIRE, BLPOP, RELEASE, UNDO, LOOK };
#define BEHIND_ASK    1
#define ALONE         2  /* the form that needs the lock's key alone */
#define PATIENT       4
#define REPEAT        8
#define WAITER        16 /* the caller has a waiter id */

/* Answers; and those that say that nothing ran, but for HALF: a script has stopped half-way. */
mtype = { YES, NO, HELD, AGAIN, PARKED, SERVED };
mtype = { MOVED, ASK, TRYAGAIN, NO_MASTER, HALF, RUNS };

chan wire[CLIENTS] = [1] of { mtype, byte, byte, byte, byte };
chan late[CLIENTS] = [4] of { mtype, byte, byte, byte, byte }; /* what was written on a connection that is closed */
mtype reply[CLIENTS];
byte reply_arg[CLIENTS];
byte blocked[CLIENTS]; /* the BLPOP: 1 + node, 0: none */

/* ---- clients ---- */

mtype = { ASKING, WAITING, PAUSING, HOLDING, RELEASING, OVER };
mtype doing[CLIENTS];
byte me[CLIENTS];
byte served[CLIENTS];
bit believes[CLIENTS], ended[CLIENTS];
byte owed[CLIENTS];    /* the backlog: a bit for each generation of a token that is to be released */
byte ran_at[TOKENS + 1]; /* 1 + the address where that release ran ahead of its request; 0: it has not */

/* The map, a guess: cluster.c */
byte map[CLIENTS];     /* the address that serves the slot */
bit moving[CLIENTS];   /* the slot counts as moving */
byte ask_to[CLIENTS];  /* 1 + address: the lock's key alone was answered by this ASK */
bit follows[CLIENTS];  /* the next request is to follow it */
byte refused[CLIENTS]; /* how often in a row since the cluster has last changed */

/* ---- what is only there to be checked ---- */

bit excused[BATON + 3]; /* this token may be left until its lease ends */
bit parted;             /* the lock has been where no client finds it, or was lost in a failover */

/* Prints once that the search has come here. docs/model/run wants to read each of them. */
#define witness(what) c_code { static int reached; if (!reached++) printf("reached: %s\n", what); }
#define witness_of_long(what) witness(what) /* in the larger configurations only */

/* Names for spin's messages. */
hidden byte exclusion, only_the_owner_frees, no_overtaking, no_lock_for_nobody, not_refused_by_itself, no_trace,
    no_key_is_left, is_led_on;

/* Scratch of a single step, not part of the state; and the request that a node runs. */
hidden byte i, j, n, at, to, found, fresh, drawn;
hidden mtype verdict, answer;
mtype what;
byte id, arg, address, flags;

#define has(flag) ((flags & flag) != 0)

inline forget() {
    what = 0; id = 0; arg = 0; address = 0; flags = 0
}

/* A lock is out of reach, or lost: see docs/guarantees.md. */
inline part(value) {
    parted = !STRICT;
    excused[value] = true
}

inline check_exclusion(c) {
    exclusion = parted || !believes[1 - c];
    assert(exclusion)
}

/* K at node n is about to change at the request of `id`. */
inline check_owner(n, id) {
    only_the_owner_frees = parted || !is_token(K[n]) || K[n] == id && !believes[client_of(id)];
    assert(only_the_owner_frees)
}

#define is_undone_later(c, id) (late[c]??[UNDO,eval(id),_,_,_] || late[c]??[RELEASE,eval(id),_,_,_])
#define owes(c, id) ((owed[c] & bit_of(generation_of(id))) != 0)

/* Will the release find a lock at node n? What ran ahead there is sent there again only while the slot moves. */
#define owes_at(c, id, n) (owes(c, id) && (ran_at[id] != 1 + address_of(n) || migrating && source == n))

/* The client of this token has the lock, or may learn that it has it. */
#define is_at_work(token) (me[client_of(token)] == token && doing[client_of(token)] != OVER)

/* What holds between any two steps: a token in K is somebody's, or its release is on its way; when all calls are over and
 * nothing is on its way, there is none; and nothing is left at a node that does not serve the slot. */
inline check_quiet() {
    n = 0;
    do
    :: n < 2 ->
        if
        :: is_token(K[n]) && !excused[K[n]] ->
            j = client_of(K[n]);
            no_lock_for_nobody = owes_at(j, K[n], n) || is_undone_later(j, K[n]) || is_at_work(K[n]);
            assert(no_lock_for_nobody);
            no_trace = owes_at(j, K[n], n) || doing[0] != OVER || doing[1] != OVER || len(late[0]) + len(late[1]) > 0;
            assert(no_trace)
        :: else
        fi;
        no_key_is_left = !is_settled || parted || sees[0] == n || K[n] == FREE && !has_B(n) && !has_W(n);
        assert(no_key_is_left);
        n++
    :: else -> break
    od
}

/* ---- what a node does with a request ---- */

#define needs_all (what == LOOK || !has(ALONE) && (what == ACQUIRE || what == RELEASE || what == UNDO))
#define has_key(n) (what == BLPOP -> has_B(n) : K[n] != FREE)
#define has_all(n)  (K[n] != FREE && has_B(n) && has_W(n))
#define has_none(n) (K[n] == FREE && !has_B(n) && !has_W(n))

/* Redis: cluster.c, getNodeByQuery(). Sets `verdict` and `to`. */
inline route() {
    at = node_at(address);
    to = address_of(sees[at]);
    if
    :: address != address_of(at) -> verdict = (old_redirects -> MOVED : NO_MASTER)
    :: address == address_of(at) && sees[at] != at ->
        if
        :: importing && at == target && has(BEHIND_ASK) ->
            verdict = (needs_all && !has_all(at) -> TRYAGAIN : RUNS)
        :: else -> verdict = MOVED
        fi
    :: else ->
        if
        :: migrating && at == source ->
            if
            :: needs_all -> verdict = (has_all(at) -> RUNS : (has_none(at) || OLD -> ASK : TRYAGAIN))
            :: else -> verdict = (has_key(at) -> RUNS : ASK)
            fi;
            to = address_of(target)
        :: else -> verdict = RUNS
        fi
    fi
}

/* A script that runs at the source meets a key that it has deleted itself. */
#define stops_half_way (migrating && at == source)

inline fresh_baton() {
    fresh = BATON;
    do
    :: fresh == K[0] || fresh == K[1] || fresh == B || fresh == served[0] || fresh == served[1] ||
       reply[0] == SERVED && reply_arg[0] == fresh || reply[1] == SERVED && reply_arg[1] == fresh ||
       wire[0]??[_,_,eval(fresh),_,_] || wire[1]??[_,_,eval(fresh),_,_] -> fresh++
    :: else -> break
    od
}

inline set_lock(value) {
    note_write(at);
    K[at] = value;
    overdue = false;
    if
    :: is_token(K[at]) && importing && at == target && !migrating && sees[source] == source ->
        /* Behind ASKING, when the source does not give the slot away any more: the lock is where no client finds it. */
        witness_of_long("a lock is taken where no client finds it");
        part(K[at])
    :: else
    fi
}

inline take(id) {
    check_owner(at, id);
    set_lock(id);
    answer = YES
}

/* lua/inc/hand_over.lua */
inline hand_over() {
    if
    :: any_W && !stops_half_way ->
        fresh_baton();
        B = fresh;
        b_at = at;
        set_lock(fresh)
    :: any_W && stops_half_way ->
        witness("a release stops half-way");
        B = FREE;
        answer = HALF
    :: !any_W ->
        answer = (stops_half_way -> HALF : answer);
        set_lock(FREE);
        B = FREE
    fi
}

inline enter(c) {
    w_at = at;
    W[c] = true;
    answer = HELD
}

/* lua/acquire.lua. The short ways come first. */
inline acquire(c) {
    if
    :: arg == FREE && has(PATIENT) && K[at] == FREE && !any_W -> take(id)
    :: arg == FREE && has(PATIENT) && K[at] != FREE && K[at] != id -> enter(c)
    :: else -> acquire_the_long_way(c)
    fi
}

inline acquire_the_long_way(c) {
    if
    :: is_baton(arg) && (K[at] == arg || K[at] == FREE) || K[at] == id && has(REPEAT) ||
       (K[at] == FREE || is_baton(K[at]) && B == K[at]) && (!waiters_but(c) ||
       !has(PATIENT) && (K[at] == FREE || overdue || has(WAITER) && W[c])) ->
        W[c] = W[c] && !has(WAITER);
        take(id);
        B = FREE
    :: else ->
        not_refused_by_itself = K[at] != id;
        assert(not_refused_by_itself);
        if
        :: !has(PATIENT) ->
            answer = (stops_half_way && W[c] && !waiters_but(c) -> HALF : NO);
            W[c] = W[c] && !has(WAITER)
        :: has(PATIENT) && K[at] == FREE -> enter(c); hand_over()
        :: else ->
            B = (arg != FREE && is_token(K[at]) -> FREE : B); /* a stale baton */
            enter(c)
        fi
    fi
}

/* lua/acquire_alone.lua */
inline acquire_alone(c) {
    if
    :: K[at] == FREE -> take(id)
    :: is_baton(K[at]) ->
#ifdef BUG_ALONE_TAKES_A_BATON
        found = true;
#else
        found = K[at] == arg || overdue;
#endif
        if
        :: found ->
            no_overtaking = K[at] == arg || overdue;
            assert(no_overtaking);
            witness("a baton is claimed while the slot moves");
            take(id)
        :: else -> answer = (has(PATIENT) -> AGAIN : NO)
        fi
#ifdef BUG_ALONE_CLAIM_UNCHECKED
    :: is_token(K[at]) && arg != FREE -> take(id)
#endif
#ifndef BUG_ALONE_REPEAT_IS_NEW
    :: is_token(K[at]) && K[at] == id && has(REPEAT) ->
        witness_of_long("a repeat keeps what the first try took before the slot moved");
        take(id)
#endif
    :: else ->
        not_refused_by_itself = K[at] != id;
        assert(not_refused_by_itself);
        answer = (has(PATIENT) -> AGAIN : NO)
    fi
}

/* lua/release.lua */
inline release(c) {
    answer = NO;
    W[c] = W[c] && !(what == UNDO && me[c] == id);
    if
    :: K[at] == id -> check_owner(at, id); answer = YES; hand_over()
    :: K[at] != id && is_baton(K[at]) && (K[at] == arg || arg == STAR && B != K[at]) -> hand_over()
    :: else ->
        if
        :: what == UNDO && is_baton(K[at]) && B == K[at] && !any_W ->
            answer = (stops_half_way -> HALF : NO);
            B = (stops_half_way -> B : FREE);
            K[at] = (stops_half_way -> K[at] : FREE)
        :: else -> B = (!is_baton(K[at]) -> FREE : B) /* stale */
        fi
    fi
}

/* lua/release_alone.lua */
inline release_alone() {
    answer = NO;
    if
#ifdef BUG_ALONE_BLIND_DEL
    :: K[at] != FREE ->
#else
    :: K[at] == id || is_baton(K[at]) && K[at] == arg ->
#endif
        check_owner(at, id);
        answer = (K[at] == id -> YES : NO);
        set_lock(FREE)
    :: else
    fi
}

/* lua/look.lua */
inline look(c) {
    enter(c);
    if
    :: K[at] == FREE -> witness("a look hands over"); hand_over()
    :: is_baton(K[at]) && B == FREE && overdue -> B = K[at]; b_at = at; overdue = false
    :: else
    fi
}

/* Redis gives what is in the list to a client that is blocked. Which of them is the same to this model. */
inline serve_blocked() {
    i = 0;
    do
    :: i < CLIENTS && B != FREE && blocked[i] == 1 + b_at ->
        reply[i] = SERVED;
        reply_arg[i] = B;
        blocked[i] = 0;
        B = FREE
    :: i < CLIENTS && !(B != FREE && blocked[i] == 1 + b_at) -> i++
    :: else -> break
    od
}

inline clean_up() {
    b_at = (B == FREE -> 0 : b_at);
    w_at = (any_W -> w_at : 0);
    overdue = overdue && (is_baton(K[0]) || is_baton(K[1]))
}

/* Carries out what was read into `what`, `id` … Sets `verdict`, and `answer` if it runs. */
inline execute(c) {
    route();
    if
    :: verdict == RUNS ->
        if
        :: what == SETNX ->
            if
            :: K[at] == FREE -> take(id)
            :: else -> answer = (is_baton(K[at]) -> PARKED : NO)
            fi
        :: what == ACQUIRE && has(ALONE) -> acquire_alone(c)
        :: what == ACQUIRE && !has(ALONE) -> acquire(c)
        :: (what == RELEASE || what == UNDO) && has(ALONE) -> release_alone()
        :: (what == RELEASE || what == UNDO) && !has(ALONE) -> release(c)
        :: what == LOOK -> look(c)
        :: what == BLPOP -> blocked[c] = 1 + at; answer = 0
        fi;
        if
        :: answer == HALF -> verdict = HALF
        :: else
        fi;
        serve_blocked()
    :: else
    fi;
    clean_up()
}

/* The n-th token of the client. */
#define token_of(c, n) (1 + c + CLIENTS * (n))

inline settle(c, token) {
    owed[c] = owed[c] & ~bit_of(generation_of(token));
    ran_at[token] = 0
}

/* Such a release stays in the backlog until its lease ends. Here it goes when nothing is left that it could find. */
inline settle_all(c) {
    n = 0;
    do
    :: n < GENERATIONS ->
        if
        :: ran_at[token_of(c, n)] != 0 && K[0] != token_of(c, n) && K[1] != token_of(c, n) &&
           !late[c]??[_,eval(token_of(c, n)),_,_,_] -> settle(c, token_of(c, n))
        :: else
        fi;
        n++
    :: else -> break
    od
}

/* Runs the next request that has come over the connection of a client; and what still comes over one that it has closed. */
proctype node(byte c) {
end:
    do
    :: d_step {
        wire[c] ? what, id, arg, address, flags ->
        execute(c);
        if
        :: verdict == RUNS && what == BLPOP /* it is blocked, or was served at once */
        :: verdict == RUNS && what != BLPOP -> reply[c] = answer
        :: else -> reply[c] = verdict; reply_arg[c] = to
        fi;
        check_quiet();
        forget()
    }
    :: d_step {
        late[c] ? what, id, arg, address, flags ->
        execute(c);
        if
        :: what == UNDO && verdict != RUNS && (K[0] == id || K[1] == id) && ran_at[id] != 0 ->
            witness("the lock has moved on between a request that came late and its undo")
        :: else
        fi;
        settle_all(c);
        check_quiet();
        forget()
    }
    od
}

/* ---- the map, and the backlog: src/redis/ ---- */

/* Learns from a refusal: connection.c, conn_read_error(). `is_lone`: the request was about the lock's key alone. */
inline learn(c, said, is_lone) {
    if
#ifdef BUG_LEARNS_FROM_ASK
    :: said == MOVED || said == ASK ->
#else
    :: said == ASK ->
        moving[c] = true;
        ask_to[c] = (is_lone -> 1 + to : ask_to[c])
    :: said == MOVED ->
#endif
        moving[c] = moving[c] && map[c] == to; /* otherwise it has arrived */
        ask_to[c] = (moving[c] -> ask_to[c] : 0);
        map[c] = to
    :: said == TRYAGAIN || said == HALF -> moving[c] = true
    :: said == NO_MASTER -> /* the next guess: cluster.c, guess() */
#ifndef BUG_ROUTE_IS_KEPT
        map[c] = address_of(1 - node_at(map[c]));
#endif
        moving[c] = false;
        ask_to[c] = 0
    fi
}

#ifdef BUG_UNDO_GOES_TO_THE_ENDPOINT
byte failed_at[CLIENTS];
#define note_failed(c) failed_at[c] = sent_to
#else
#define note_failed(c) skip
#endif

/* What a client that is over knows of the cluster does not matter, unless it owes a release. */
inline forget_map(c) {
    map[c] = (owed[c] -> map[c] : 0);
    moving[c] = moving[c] && owed[c];
    ask_to[c] = (owed[c] -> ask_to[c] : 0)
}

/* Is a release to be sent to where the map leads? Not one that ran ahead there, unless the slot moves: connection.c,
 * fits_here(). */
#define is_due(c, n) ((owed[c] & bit_of(n)) != 0 && (moving[c] || ran_at[token_of(c, n)] != 1 + map[c]))
#define any_is_due(c) (is_due(c, 0) || is_due(c, 1) || is_due(c, 2) || is_due(c, 3) || is_due(c, 4))

inline send_owed(c, where_to) {
    n = 0;
    do
    :: !is_due(c, n) -> n++
    :: else -> break
    od;
    id = token_of(c, n);
    what = RELEASE;
    address = where_to;
    flags = (moving[c] -> ALONE : 0);
    execute(c)
}

/* backlog.c, rl_backlog_report(). If the release of a token that was given up finds nothing, it may have run ahead of the
 * request: it is sent again when the lock may be elsewhere. */
inline report_owed(c) {
    if
    :: verdict != RUNS -> learn(c, verdict, has(ALONE))
#ifndef BUG_RELEASE_DOES_NOT_FOLLOW
    :: verdict == RUNS && answer == NO && id != me[c] -> ran_at[id] = 1 + address
#endif
    :: else -> settle(c, id)
    fi
}

inline end_owed(c) {
    settle_all(c);
    if
    :: doing[c] == OVER -> forget_map(c)
    :: else
    fi;
    check_quiet();
    forget()
}

/* Does the map hide where a lock is to be released? */
#define is_owed_elsewhere(c)                                                                                           \
    (!any_is_due(c) && (is_token(K[0]) && client_of(K[0]) == c && owes_at(c, K[0], 0) ||                               \
                        is_token(K[1]) && client_of(K[1]) == c && owes_at(c, K[1], 1)))

/* A release that is owed goes to where the lock's key is now: session.c, send_owed(). */
proctype backlog(byte c) {
end:
    do
    :: d_step {
#ifdef BUG_UNDO_GOES_TO_THE_ENDPOINT
        any_is_due(c) ->
        send_owed(c, failed_at[c]);
        settle(c, id);
#else
        any_is_due(c) ->
        send_owed(c, map[c]);
        if
        :: verdict == ASK && has(ALONE) ->
            witness("what is owed follows an ASK");
            learn(c, ASK, true);
            address = to;
            flags = ALONE | BEHIND_ASK;
            execute(c)
        :: else
        fi;
        report_owed(c);
#endif
        end_owed(c)
    }
    :: d_step { /* Whatever the process asks next about this lock tells where that is. */
        is_owed_elsewhere(c) ->
        what = ACQUIRE;
        address = map[c];
        route();
        if
        :: verdict != RUNS -> learn(c, verdict, false)
        :: else
        fi;
        end_owed(c)
    }
    od
}

/* ---- the client: src/lock/ and lock_core.c ---- */

/* Writes a request to where the map leads, or behind ASKING to where the last ASK has pointed: session.c, send_to_owner().
 * While the slot counts as moving, the form that needs the lock's key alone: connection.c, form_of(). */
inline send(c, kind, more) {
    d_step {
        address = (follows[c] -> ask_to[c] - 1 : map[c]);
        flags = more;
#ifndef BUG_NO_ASKING
        flags = flags | (follows[c] -> BEHIND_ASK : 0);
#endif
        flags = flags | ((kind == ACQUIRE || kind == RELEASE) && (moving[c] || follows[c]) -> ALONE : 0);
        lone = flags & ALONE || kind == SETNX;
        sent_to = address;
        follows[c] = false;
        wire[c] ! kind, me[c], served[c], address, flags;
        forget()
    }
}

inline take_reply(c) {
    reply[c] = 0;
    reply_arg[c] = 0;
    lone = false
}

/* A refusal: nothing ran, and the request is sent again. session.c, rl_session_follow() */
inline follow(c) {
    to = reply_arg[c];
    learn(c, reply[c], lone);
#ifdef BUG_ASK_OF_OTHER_KEYS
    ask_to[c] = (reply[c] == ASK -> 1 + to : ask_to[c]);
    follows[c] = reply[c] == ASK;
#elif !defined(BUG_LEARNS_FROM_ASK)
    follows[c] = reply[c] == ASK && lone;
#endif
    refused[c]++;
    /* While one of the two has ended the move and the other has not, each of them may name the other. */
    is_led_on = refused[c] <= 6 || sees[source] != target && !importing && migrating ||
                sees[source] == target && importing;
    assert(is_led_on);
    refused[c] = (refused[c] > 6 -> 6 : refused[c]);
    take_reply(c)
}

#define is_refused(c) (reply[c] == MOVED || reply[c] == ASK || reply[c] == TRYAGAIN || reply[c] == NO_MASTER)

/* A token and an id that are nowhere in use. The entry of the old id expires. */
inline draw(c) {
    drawn = 1 + c;
    do
    :: drawn == me[c] || owes(c, drawn) || K[0] == drawn || K[1] == drawn || late[c]??[_,eval(drawn),_,_,_] ||
       was_before(drawn) -> drawn = drawn + CLIENTS
    :: else -> break
    od;
    assert(drawn <= TOKENS); /* otherwise GENERATIONS is too small */
    me[c] = drawn;
    excused[me[c]] = false;
    ghosts = ghosts || W[c];
    W[c] = false;
    unknown = false
}

/* What was written on a connection that is closed now may still arrive, but for a BLPOP, of which lock.pml knows more. */
inline leave_behind(c) {
    note_failed(c);
    do
    :: wire[c] ? what, id, arg, address, flags ->
        if
        :: what != BLPOP -> late[c] ! what, id, arg, address, flags
        :: else
        fi
    :: empty(wire[c]) -> break
    od
}

/* The outcome of the open request is unknown. Writes its undo behind it, and leaves the release to the backlog too, since
 * nobody learns what comes of the undo: connection.c, rl_conn_close_after(); undo.c, lock_attempt_draw_anew(). If the undo is
 * not written, the next try says that an earlier one is in doubt. */
inline give_up_request(c, baton) {
    d_step {
        leave_behind(c);
        take_reply(c);
        blocked[c] = 0;
        forget()
    }
    if
    :: true ->
        d_step {
            flags = (ask_to[c] == 1 + sent_to -> ALONE | BEHIND_ASK : (moving[c] -> ALONE : 0));
            late[c] ! UNDO, me[c], baton, sent_to, flags;
            owed[c] = (unknown || doing[c] != WAITING -> owed[c] | bit_of(generation_of(me[c])) : owed[c]);
            draw(c);
            forget()
        }
    :: cuts > 0 -> cuts--; unknown = unknown || doing[c] != WAITING; excused[me[c]] = true
    fi;
    served[c] = FREE
}

/* After a failure, the map may lead elsewhere. */
inline guess(c) {
    if
    :: true
    :: map[c] = address_of(1 - node_at(map[c])); moving[c] = false; ask_to[c] = 0
    fi
}

/* A slot counts as moving for a while only. Then a request finds out whether it still does. */
inline may_forget(c) {
    if
    :: true
    :: moving[c] && refused[c] == 0 -> moving[c] = false; ask_to[c] = 0; follows[c] = false
    fi
}

#define may_lose(c) (losses > 0 && len(late[c]) == 0)
#define blocks_at(c) (blocked[c] - 1)

/* A look that would find nothing to do is left out. */
#ifdef BUG_BLPOP_STAYS_BEHIND
#define is_behind(c) false
#else
#define is_behind(c)                                                                                                   \
    (sees[blocks_at(c)] != blocks_at(c) || map[c] != address_of(blocks_at(c)) ||                                       \
     migrating && blocks_at(c) == source && !has_all(source))
#endif
#define look_is_due(c)                                                                                                 \
    (blocked[c] != 0 && (is_behind(c) || !(migrating && blocks_at(c) == source && !has_all(source)) &&                 \
                                         (K[blocks_at(c)] == FREE || !W[c] ||                                          \
                                          is_baton(K[blocks_at(c)]) && B == FREE && overdue)))

/* The same of the next try of a waiter that stands in no line. */
#define try_is_due (K[0] == FREE && K[1] == FREE || overdue || is_settled)

proctype client(byte c) {
    bit waits, patient;
    bit unknown;  /* attempt.h, outcome_unknown */
    bit plain;    /* the try is a plain SET */
    bit lone;     /* the last request was about the lock's key alone */
    byte sent_to; /* the address to which it went */

    if
    :: c < WAITS -> waits = true; patient = true
    :: c >= WAITS || TRIES -> plain = true
    fi;

ask: /* try.c, lock_attempt_try(); with a baton that was served it is the claim */
    atomic {
        doing[c] = ASKING;
        ended[c] = false;
        may_forget(c);
        if
        :: plain && !unknown -> send(c, SETNX, 0)
        :: else ->
            send(c, ACQUIRE, (patient -> PATIENT : 0) | (waits -> WAITER : 0) | (unknown -> REPEAT : 0))
        fi
    }
    if
    :: atomic { reply[c] == YES -> goto taken }
    :: atomic { reply[c] == NO -> goto over }
    :: atomic { reply[c] == PARKED -> take_reply(c); plain = false; goto ask }
    :: atomic {
        reply[c] == HELD ->
        if
        :: goto wait
        :: give_ups > 0 -> give_ups--; take_reply(c); served[c] = FREE; patient = false; goto ask
        fi
    }
    :: atomic { reply[c] == AGAIN -> goto pause }
    :: atomic {
        is_refused(c) ->
        d_step { follow(c) };
        if
        :: goto ask
        :: give_ups > 0 -> give_ups--; goto over
        fi
    }
    :: atomic { /* nobody knows what the script has done */
        reply[c] == HALF ->
        witness_of_long("a request for the lock stops half-way");
        d_step { learn(c, HALF, false) };
        give_up_request(c, served[c]);
        if
        :: goto ask
        :: goto over
        fi
    }
    :: atomic {
        may_lose(c) -> losses--;
        give_up_request(c, served[c]);
        guess(c);
        if
        :: goto ask
        :: goto over
        fi
    }
    fi;

wait: /* wait.c, wait_stay_in_line() */
    atomic {
        take_reply(c);
        served[c] = FREE;
        refused[c] = 0;
        doing[c] = WAITING;
        send(c, BLPOP, 0)
    }
    do
    :: atomic { reply[c] == SERVED -> served[c] = reply_arg[c]; take_reply(c); goto ask }
    :: atomic { /* a look has found that the slot moves, before the baton was read: the waiter goes without it */
        reply[c] == SERVED && migrating && node_at(sent_to) == source ->
        witness("a baton is lost where the slot moves");
        take_reply(c);
        moving[c] = true;
        goto ask
    }
    :: atomic { /* the slot was closed, or its master was replaced; or the BLPOP was refused */
        is_refused(c) ->
        witness("a BLPOP is refused");
        d_step { to = reply_arg[c]; learn(c, reply[c], false); take_reply(c) };
        goto ask
    }
    :: atomic { /* wait.c, wait_end_look() */
        look_is_due(c) && reply[c] == 0 ->
        d_step {
            what = LOOK;
            id = me[c];
            address = map[c];
            execute(c);
            if
            :: verdict != RUNS -> learn(c, verdict, false)
            :: else
            fi;
            found = verdict == RUNS && blocks_at(c) == at || blocked[c] == 0;
            check_quiet();
            forget()
        };
        if
        :: found
        :: !found -> /* wait_close_main(): the place in line moves with the slot */
            witness("a look finds that the slot moves");
            blocked[c] = 0;
            goto ask
        fi
    }
    :: atomic { /* wait_end(): the last try, behind the BLPOP */
        give_ups > 0 && reply[c] == 0 && len(wire[c]) == 0 -> give_ups--;
        blocked[c] = 0;
        patient = false;
        goto ask
    }
    :: atomic {
        may_lose(c) -> losses--;
        give_up_request(c, STAR);
        guess(c);
        goto ask
    }
    od;

pause: /* wait.c, wait_try_again(): nobody stands in line */
    atomic {
        take_reply(c);
        served[c] = FREE;
        refused[c] = 0;
        doing[c] = PAUSING
    }
    if
    :: atomic { try_is_due -> goto ask }
    :: atomic { give_ups > 0 -> give_ups--; patient = false; goto ask }
    fi;

taken: /* src/lock/acquire.c, lock_acquire_with() */
    atomic {
        take_reply(c);
        served[c] = FREE;
        refused[c] = 0;
        ghosts = ghosts || W[c]; /* the stand-in leaves it where it is */
        W[c] = false;
        if
        :: !ended[c] -> d_step { check_exclusion(c) }; believes[c] = true; doing[c] = HOLDING
        :: else
        fi
    }

give: /* release.c, lock_release_all() */
    atomic {
        doing[c] = RELEASING;
        believes[c] = false;
        may_forget(c);
        send(c, RELEASE, 0)
    }
    if
    :: atomic { reply[c] == YES || reply[c] == NO -> goto over }
    :: atomic { is_refused(c) -> d_step { follow(c) }; goto give }
    :: atomic {
        reply[c] == HALF ->
#ifdef BUG_HALF_RUN_RELEASE_IS_REFUSED
        goto over
#else
        d_step { learn(c, HALF, false); take_reply(c) };
        goto give
#endif
    }
    :: atomic { /* release_op_put_off() */
        may_lose(c) -> losses--;
        d_step {
            leave_behind(c);
            take_reply(c);
            forget()
        };
        guess(c);
        if
        :: goto give
        :: owed[c] = owed[c] | bit_of(generation_of(me[c]))
        fi
    }
    fi;

over:
    atomic {
        d_step {
            take_reply(c);
            served[c] = FREE;
            refused[c] = 0;
            ghosts = ghosts || W[c];
            W[c] = false;
            owed[c] = (unknown && doing[c] != RELEASING -> owed[c] | bit_of(generation_of(me[c])) : owed[c]);
            doing[c] = OVER;
            ended[c] = false;
            follows[c] = false;
            forget_map(c);
            waits = false; patient = false; unknown = false; plain = false; lone = false; sent_to = 0;
            clean_up();
            check_quiet()
        }
    }
}

/* ---- time ---- */

inline end_lease(n) {
    early--;
    j = client_of(K[n]);
    ended[j] = (me[j] == K[n] && doing[j] != OVER -> true : ended[j]);
    believes[j] = (me[j] == K[n] -> false : believes[j]);
    K[n] = FREE;
    j = 0
}

/* What is under way on a connection that is closed is lost. */
inline drop_late(c) {
    cuts--;
    do
    :: late[c] ? what, id, arg, address, flags -> excused[id] = excused[id] || id != FREE && (!owes(c, id) || ran_at[id] != 0)
    :: empty(late[c]) -> break
    od;
    forget()
}

#define has_taker(v)                                                                                                   \
    (is_baton(v) && (served[0] == v || served[1] == v || reply_arg[0] == v && reply[0] == SERVED ||                    \
                     reply_arg[1] == v && reply[1] == SERVED ||                                                              \
                     B == v && (doing[0] == WAITING || doing[1] == WAITING)))

proctype time() {
end:
    do
    :: d_step { /* A lease ends. If its owner counts it, it has ended by the owner's clock before. */
        early > 0 && is_token(K[0]) -> end_lease(0)
    }
    :: d_step { early > 0 && is_token(K[1]) -> end_lease(1) }
    :: d_step { is_token(K[0]) && excused[K[0]] && !is_at_work(K[0]) -> K[0] = FREE }
    :: d_step { is_token(K[1]) && excused[K[1]] && !is_at_work(K[1]) -> K[1] = FREE }
    :: d_step { /* The baton should have been claimed by now. */
        (is_baton(K[0]) || is_baton(K[1])) && !overdue && (early > 0 || !has_taker(K[0]) && !has_taker(K[1])) ->
        early = (has_taker(K[0]) || has_taker(K[1]) -> early - 1 : early);
        overdue = true
    }
    :: d_step { is_baton(K[0]) && overdue -> K[0] = FREE; clean_up() } /* the grace is over */
    :: d_step { is_baton(K[1]) && overdue -> K[1] = FREE; clean_up() }
    :: d_step { B != FREE && B != K[0] && B != K[1] -> B = FREE; clean_up() }
    :: d_step { ghosts -> ghosts = false; clean_up() }
    :: d_step { cuts > 0 && len(late[0]) > 0 -> drop_late(0) }
    :: d_step { cuts > 0 && len(late[1]) > 0 -> drop_late(1) }
    od
}

/* ---- the slot ---- */

inline changes() {
    refused[0] = 0;
    refused[1] = 0
}

/* Redis: cluster.c, clusterRedirectBlockedClientIfNeeded(); and what a demotion does. */
inline unblock(n, why) {
    i = 0;
    do
    :: i < CLIENTS ->
        if
        :: blocked[i] == 1 + n -> blocked[i] = 0; reply[i] = why; reply_arg[i] = address_of(sees[n])
        :: else
        fi;
        i++
    :: else -> break
    od
}

/* The replica of node n takes over. It does not know that the slot moves. */
inline fail_over(n) {
    if
    :: old_redirects = true
    :: skip
    fi;
    d_step {
        failovers--;
        promoted[n] = true;
        if
        :: migrating && source == n && sees[target] == target -> migrating = false; sees[n] = target
        :: migrating && source == n && sees[target] == n ->
            witness("the source of a move fails over");
            migrating = false;
            cancelling = false;
            broken_off = false;
            if
            :: is_token(K[target]) -> part(K[target])
            :: else -> K[target] = FREE /* it ends by itself */
            fi;
            B = (has_B(target) -> FREE : B);
            W[0] = W[0] && w_at == n;
            W[1] = W[1] && w_at == n;
            ghosts = ghosts && w_at == n
        :: else
        fi;
#if FORGETS
        if
        :: is_settled ->
            part(K_before);
            K[n] = K_before;
            B = FREE;
            W[0] = false; W[1] = false; ghosts = false
        :: else
        fi;
#endif
        unblock(n, NO_MASTER);
        clean_up();
        changes()
    }
}

#define can_close (!BREAKS_OFF && !cancelling && has_none(source))

proctype slot() {
end:
    do
    :: d_step { is_settled && moves > 0 -> moves--; source = sees[0]; migrating = true; importing = true; changes() }

    /* The keys go one by one, in any order. */
    :: d_step {
        migrating && importing && !broken_off && !cancelling && K[source] != FREE && K[target] == FREE ->
        K[target] = K[source];
        K[source] = FREE;
        changes()
    }
    :: d_step { migrating && importing && !broken_off && !cancelling && has_B(source) -> b_at = target; changes() }
    :: d_step { migrating && importing && !broken_off && !cancelling && has_W(source) -> w_at = target; changes() }

    /* Each of the two is told to close the slot. */
    :: d_step { importing && migrating && can_close -> importing = false; sees[target] = target; changes() }
    :: d_step { importing && !migrating && sees[source] == target -> importing = false; sees[target] = target; changes() }
    :: d_step {
        migrating && can_close ->
        migrating = false;
        sees[source] = target;
        unblock(source, MOVED);
        changes()
    }

    /* The move breaks off: the slot stays as it is. */
    :: d_step { BREAKS_OFF && migrating && importing && !broken_off && !cancelling -> broken_off = true }

    /* The move is cancelled, before a key has gone. */
#if CANCELS
    :: d_step { migrating && importing && !cancelling && cancels > 0 && has_none(target) -> cancels--; cancelling = true }
#if SOURCE_FIRST
    :: d_step { cancelling && migrating && has_none(target) -> migrating = false; changes() }
    :: d_step { cancelling && !migrating -> importing = false; cancelling = false; broken_off = false; changes() }
#else
    :: d_step { cancelling && importing && has_none(target) -> importing = false; changes() }
    :: d_step { /* keys have gone there all the same: it goes on */
        cancelling && importing && !has_none(target) -> cancelling = false; broken_off = false; changes()
    }
    :: d_step {
        cancelling && !importing ->
        witness_of_long("a move is cancelled");
        if
        :: is_token(K[source]) && ran_at[K[source]] != 0 -> excused[K[source]] = true /* README.md, "What it found" */
        :: else
        fi;
        migrating = false;
        cancelling = false;
        broken_off = false;
        changes()
    }
#endif
#endif

#if FAILOVERS
    :: atomic { failovers > 0 && sees[0] == 0 -> fail_over(0) }
    :: atomic { failovers > 0 && sees[1] == 1 -> fail_over(1) }
    :: d_step { /* the target of a move whose source is another node now */
        importing && !migrating && sees[source] == source && !cancelling -> importing = false; broken_off = false; changes()
    }
#endif
    od
}

init {
    atomic {
        byte c = 0;
        do
        :: c < CLIENTS ->
            me[c] = 1 + c;
            doing[c] = ASKING;
            run client(c);
            run node(c);
            run backlog(c);
            c++
        :: else -> c = 0; break
        od;
        run time();
        run slot();
        if
        :: LEFT -> B = BATON; ghosts = true
        :: true
        fi
    }
}
