/* SPDX-License-Identifier: MIT
 *
 * redis/votes: what several servers (nodes) say to a question, and what their answers amount to. One server is one vote, and a
 * majority.
 */
#ifndef REDISLOCK_REDIS_VOTES_H
#define REDISLOCK_REDIS_VOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "invariant.h"

/* What a node says to a question. */
typedef enum rl_vote {
    RL_VOTE_OPEN, /* nothing yet */
    RL_VOTE_NONE, /* nothing of use: an error, or a malformed reply */
    RL_VOTE_NO,
    RL_VOTE_YES,
} rl_vote;

/* How many nodes vote for what. The rest gives RL_VOTE_NONE. All zero before the first is counted. */
typedef struct rl_votes {
    size_t yes, no, open;
} rl_votes;

static inline void rl_votes_count(rl_votes *votes, rl_vote vote)
{
    votes->yes += vote == RL_VOTE_YES;
    votes->no += vote == RL_VOTE_NO;
    votes->open += vote == RL_VOTE_OPEN;
}

/* The number of nodes that make a majority of `nodes`. */
static inline size_t rl_majority_of(size_t nodes)
{
    return nodes / 2 + 1;
}

/* Has a majority of `nodes` said yes? */
static inline bool rl_votes_say_yes(rl_votes votes, size_t nodes)
{
    RL_INVARIANT(nodes >= 1 && votes.yes + votes.no + votes.open <= nodes);
    return votes.yes >= rl_majority_of(nodes);
}

/* Have so many said no that no majority can say yes any more, whatever the rest would answer? */
static inline bool rl_votes_say_no(rl_votes votes, size_t nodes)
{
    return votes.no > nodes - rl_majority_of(nodes);
}

/* Is the outcome certain, yes or no? */
static inline bool rl_votes_are_certain(rl_votes votes, size_t nodes)
{
    return rl_votes_say_yes(votes, nodes) || rl_votes_say_no(votes, nodes);
}

/* Can the nodes that are open change nothing any more: is the outcome certain, or will too few say anything of use? */
static inline bool rl_votes_are_decided(rl_votes votes, size_t nodes)
{
    return rl_votes_are_certain(votes, nodes) || votes.yes + votes.no + votes.open < rl_majority_of(nodes);
}

#endif
