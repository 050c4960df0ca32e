/* SPDX-License-Identifier: MIT
 *
 * wire: the transcript of a history: what the clients send to the servers and what they get, word by word.
 *
 * It shows whether a change of the core changes what goes over the wire. So it must not depend on anything else: the
 * world is steady (world.chance.steady), and what the core draws at random stands there by a name.
 */
#ifndef SIM_WIRE_H
#define SIM_WIRE_H

/* Prints, from now on, a line for each of these, behind the true time in ms:
 *
 *     # lock A: yes                            what a client does, a fault
 *     c0 s1 #2 opens                           client 0 makes its second connection to server 1
 *     c0 s1 #2 > EVALSHA acquire 3 s:A …       a request
 *     c0 s1 #2 + BLPOP …                       another one, that left by the same call of send()
 *     c0 s1 #2 < [1 0]                         a reply: strings stand in quotes, + or - opens a status or an error
 *     c0 s1 #2 shuts down                      its half; it may still read
 *     c0 s1 #2 closes
 *     c0 s1 #2 is refused, is ended, is reset  as the client learns
 *
 * A script is named instead of its SHA-1 or text. What was drawn at random has the name of its kind and a number, in the
 * order in which it first went over a wire; so has a time of day, or of another clock. A script that is none of ours,
 * and bytes that are neither requests nor replies, break the property "wire". */
void wire_begin(void);
void wire_end(void);

#endif
