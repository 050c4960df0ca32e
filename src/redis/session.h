/* SPDX-License-Identifier: MIT
 *
 * redis/session: a conversation with N servers (nodes) at once, in one poll loop, under one deadline. One server is
 * N = 1. Each is asked K questions, in one pipeline; mostly, K = 1.
 *
 * A cluster is N = 1, too: each question goes to the node that serves its key then, which may be another one in the next
 * round. Many questions go out over many connections, one a node ("lanes").
 *
 * A round sends the questions that are open and waits for what matters to their outcomes. rl_session_ask() goes on with
 * further rounds while replies are lost.
 */
#ifndef REDISLOCK_REDIS_SESSION_H
#define REDISLOCK_REDIS_SESSION_H

#include "invariant.h"
#include "redis/clock.h"
#include "redis/votes.h"

/* As many as a map of a cluster knows nodes, so that there is a lane for each. */
#define RL_MAX_LANES RL_CLUSTER_NODES

typedef struct rl_session {
    const rl_target *target;
    size_t nodes;                 /* 1 to RL_MAX_NODES */
    size_t questions;             /* asked of each node, at least 1; the caller may lower it */
    size_t room;                  /* how many calls there are */
    rl_call *calls;               /* the last requests and their answers: see rl_session_calls() */
    rl_conn *conns[RL_MAX_LANES]; /* one for each node; of a cluster, for each lane */
    size_t lanes;                 /* how many connections there are: `nodes` of them, but for a cluster */
    rl_cluster *cluster;          /* the map; NULL: the target is no cluster */
    unsigned slot;                /* of a cluster: that of the first key */
    unsigned refusals;            /* of a cluster: rl_cluster_refusals() when rl_session_follow() looked last */
    int64_t sent_at;              /* when questions were sent last */
    bool is_routed;               /* of a cluster: the connection was chosen just now, for the round that comes */
    bool is_guess; /* a question of the round goes to a node of which it is not known whether it is the right one */

    /* Of several nodes with several questions: how many of these each has answered, one after another, and when it
     * answered last, or was asked. */
    size_t heard[RL_MAX_NODES];
    int64_t heard_at[RL_MAX_NODES];

    rl_call single[RL_MAX_NODES]; /* storage of the calls of a single question */
} rl_session;

/* ---- votes ---- */

/* Reads the reply of a call that was answered without an error. Returns RL_VOTE_NONE if it is malformed. */
typedef rl_vote (*rl_judge)(const rl_call *call);

/* Two judges: of a 1 or a 0, as most of our scripts reply; and of any number that is a count, which is a yes. */
rl_vote rl_judge_flag(const rl_call *call);
rl_vote rl_judge_count(const rl_call *call);

typedef struct rl_policy rl_policy;

/* Returns whether the outcome of the i-th question is certain, whatever the nodes will say that are open yet. */
typedef bool (*rl_decided)(const rl_session *session, size_t i, const rl_policy *policy);

/* How questions are asked, and how their replies are read. */
struct rl_policy {
    rl_judge judge;      /* NULL only if a round is all that is asked for */
    rl_decided decided;  /* NULL: all nodes are awaited */
    const void *arg;     /* for `decided` */
    const rl_hook *hook; /* may end a round; NULL: nothing does */
    int64_t repeat_by;   /* not sent again from then on, if that is before the deadline; 0: no such limit */
    bool repeats;        /* may be carried out twice, or late: it is sent again after a lost reply, and of several nodes
                             those that are late still get it */
    bool insists;        /* a single question that has no reply from a single node is written once more, whole, before
                             the connection is closed: if the node hangs, it carries it out when it goes on */
    bool leaves_moving;  /* of a script over several locks: not sent again if their slot moves, since the caller goes
                             on with each lock by itself then */
    bool wakes; /* the first node, at which waiters stand in line, is sent the questions last: when it wakes one,
                             the others have them already */
};

/* Are the votes on the i-th question decided? See rl_votes_are_decided(). */
bool rl_session_vote_is_decided(const rl_session *session, size_t i, const rl_policy *policy);

rl_votes rl_session_votes(const rl_session *session, size_t i, rl_judge judge);

/* Has a majority said yes to the i-th question? */
bool rl_session_says_yes(const rl_session *session, size_t i, rl_judge judge);

/* ---- asking ---- */

/* Takes a connection to each of the first `nodes` servers of the target from its pool; connects nothing yet. Of a cluster, to
 * the node that serves the slot, which is that of the first key of the first question: see rl_target_slot(). The caller ends
 * with rl_session_close(). */
void rl_session_open(rl_session *session, const rl_target *target, size_t nodes, size_t questions, unsigned slot);

/* Takes another connection to a node, which the caller gives back to the pool; of a cluster, to the one of the slot. */
rl_conn *rl_session_take_another(const rl_session *session, size_t node);

/* Gives the connections back to the pool. A call that is still open breaks its connection. */
void rl_session_close(rl_session *session);

/* The calls of the i-th question: one for each node. */
static inline rl_call *rl_session_calls(const rl_session *session, size_t i)
{
    RL_INVARIANT(i < session->questions);
    return session->calls + i * session->nodes;
}

/* Resets the calls of the i-th question (see rl_call_reset()), and returns the first node's request, not begun. When
 * the caller has filled it, rl_session_spread() copies it to the other nodes. */
rl_request *rl_session_request(rl_session *session, size_t i);
void rl_session_spread(rl_session *session, size_t i);

/* Marks the calls to silent nodes as answered by RL_UNREACHABLE, so that the next round does not send them. A node is
 * silent if it has not answered an earlier request for longer than node_timeout, or many of them. Does so only if the
 * other nodes are a majority. This is for requests that would have to be undone at a silent node. */
void rl_session_skip_silent(rl_session *session);

/* Sends the calls that are not answered. Waits until every node has answered, enough have, the nodes' time is up, or
 * the hook ends the wait. A single node has until clock->reply_by, and for further questions again as long from each
 * reply on, up to the deadline and the grace behind it. Of several nodes, each has node_timeout since the questions
 * were sent, its connection became ready, or it answered one of many; while a node connects, it has until reply_by, but
 * only node_timeout once a majority has answered.
 *
 * Afterwards every call either has `answered` set, or has an error of RL_TIMED_OUT, RL_UNREACHABLE or
 * RL_INTERRUPTED and is still on its connection. */
void rl_session_round(rl_session *session, const rl_clock *clock, const rl_policy *policy);

/* The parts of rl_session_ask_once(), for a caller that waits for several sessions at once, each with one question.
 * rl_session_send() sends the calls that are not answered. Whenever answers have come, rl_session_follow() sends those calls
 * again that a node of a cluster has not carried out, but another one may, or the same one with what stands in for the script.
 * Then rl_session_reply_by() tells until when the answers are to be awaited, which changes as answers come and connections are
 * made; 0: no answer matters any more. rl_session_settle() ends the round, and returns what rl_session_ask_once() does. */
void rl_session_send(rl_session *session, const rl_clock *clock, const rl_policy *policy);
void rl_session_follow(rl_session *session, const rl_clock *clock);
int64_t rl_session_reply_by(const rl_session *session, const rl_clock *clock, const rl_policy *policy);
bool rl_session_settle(rl_session *session, const rl_policy *policy);

/* A round, after which no call is on its connection. Calls with a malformed reply fail with RL_MALFORMED. Connections
 * that can't be used any more are closed. Returns whether all calls have good answers. */
bool rl_session_ask_once(rl_session *session, const rl_clock *clock, const rl_policy *policy);

/* Asks the questions, whose requests stand with the first node; again after a lost reply, as far as the policy allows that, and
 * if the target moves after any error that passes. Returns whether the vote on each of them is certain: a majority says yes, or
 * none can any more. If not, `error` is that of the first question that failed, and others may have their outcome all the same.
 * Sets the times of the request in the clock. */
bool rl_session_ask(rl_session *session, rl_clock *clock, const rl_policy *policy, rl_error *error);

/* Was the i-th question sent more than once, since a reply was lost? Then the first time may have carried it out. */
static inline bool rl_session_was_repeated(const rl_session *session, size_t i)
{
    return rl_session_calls(session, i)->repeated;
}

/* ---- after a round ---- */

/* Does the slot of the i-th question move, as far as is known? */
bool rl_session_is_moving(const rl_session *session, size_t i);

/* Returns how long the answer of a single node took that has just come, since its request was sent at `sent`. Finding the
 * server and connecting is no part of the round trip. Of several nodes, it is. */
int64_t rl_session_round_trip(const rl_session *session, int64_t sent);

/* Of several nodes: detaches the calls without an answer, so that their connections can be kept. What was sent runs
 * when the node comes to it; what could not be sent yet goes out later if it `must_run`: see rl_call_detach(). The
 * detached call is the twin of the one that it stands for. Breaks the connections on which a reply was malformed. */
void rl_session_detach(rl_session *session, bool must_run);

/* Closes the connections on which the answer to a question is missing or an error. Writes what undoes that question behind it
 * first: undos[i] for the i-th one. See rl_conn_close_after(), also for `close_by`. The connections are made anew when the
 * nodes are asked again. Returns whether an undo went out to any node. The errors of the calls stay as they are. */
bool rl_session_close_after(rl_session *session, const rl_request *undos, int64_t close_by);

/* Is there one node? It may take all the time that a call has, and its connection is closed behind an undo. Of several,
 * one that is late must not delay the others: it keeps its connection, and nobody waits for it. */
static inline bool rl_session_is_alone(const rl_session *session)
{
    return session->nodes == 1;
}

/* The number of nodes that make a majority. */
static inline size_t rl_session_majority(const rl_session *session)
{
    return rl_majority_of(session->nodes);
}

/* Copies the error that says most of those of the i-th question to `error`. Leaves `error` alone if there is none. With
 * several nodes, the text names the node. */
void rl_session_error(const rl_session *session, size_t i, rl_error *error);

#endif
