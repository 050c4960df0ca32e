"""The worker for redis-py's Lock. What it is told and what it answers stands in worker.php."""

import array
import json
import os
import re
import signal
import socket
import sys
import time

import redis

LEASE = 30


class RedisPy:
    def __init__(self, servers):
        path = re.match(r'unix://(.*)', servers[0])
        self.redis = redis.Redis(unix_socket_path=path[1]) if path else redis.Redis.from_url(servers[0])
        self.locks = {}

    def lock(self, name, patience):
        lock = self.redis.lock(name, timeout=LEASE, blocking_timeout=patience)
        if not lock.acquire():
            return False
        self.locks[name] = lock
        return True

    def unlock(self, name):
        self.locks.pop(name).release()


connected = {}


def lock_of(servers):
    key = tuple(servers)
    if key not in connected:
        connected[key] = RedisPy(servers)
    return connected[key]


def pairs(order):
    lock, name, count = lock_of(order['servers']), order['name'], order['count']
    times = array.array('q', bytes(8 * count))
    last = start = time.monotonic_ns()
    for i in range(count):
        if not lock.lock(name, 30):
            raise RuntimeError('could not lock')
        lock.unlock(name)
        now = time.monotonic_ns()
        times[i] = now - last
        last = now
    if order['file']:
        write(order['file'], times)
    return {'ns': last - start}


def names(order):
    lock = lock_of(order['servers'])
    all_names = [f'many:{i}' for i in range(order['count'])]
    start = time.monotonic_ns()
    for name in all_names:
        lock.lock(name, 30)
    locked = time.monotonic_ns()
    for name in all_names:
        lock.unlock(name)
    return {'lock': locked - start, 'unlock': time.monotonic_ns() - locked}


def own_memory():
    with open('/proc/self/smaps_rollup') as file:
        return int(re.search(r'^Private_Dirty:\s+(\d+) kB', file.read(), re.M)[1])


def memory(order):
    here, there = os.pipe()
    pid = os.fork()
    if pid == 0:
        locks, at = [], [own_memory()]
        for server in order['servers']:
            locks.append(RedisPy([server]))
            locks[-1].lock('memory', 30)
            locks[-1].unlock('memory')
            at.append(own_memory())
        os.write(there, json.dumps({'kb': at[1] - at[0], 'again': at[2] - at[1]}).encode())
        os._exit(0)
    os.close(there)
    answer = os.read(here, 100)
    os.close(here)
    os.waitpid(pid, 0)
    return json.loads(answer)


def crowd(order):
    doors = {}
    for i in range(order['processes']):
        here, there = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            for door in doors.values():
                door.close()
            here.close()
            try:
                visit(i, order, there.makefile('rw'))
            finally:
                os.kill(os.getpid(), signal.SIGKILL)
        there.close()
        doors[pid] = here.makefile('rw')
        here.close()
    for door in doors.values():
        door.readline()
    answer({'ready': True})
    go = sys.stdin.readline()
    if not go:
        sys.exit()
    well = True
    for door in doors.values():
        print(go, end='', file=door, flush=True)
    for pid, door in doors.items():
        well = door.readline() == 'done\n' and well
        os.waitpid(pid, 0)
    return {'done': True} if well else {'error': 'a process of the crowd ended early'}


def visit(number, order, door):
    name, hold, pause = order['name'], order['hold'] / 1e6, order['pause'] / 1e6
    most, patience = order['most'], order['patience']
    lock = RedisPy(order['servers'])
    lock.lock(f'{name}:{number}', 30)
    lock.unlock(f'{name}:{number}')
    print('ready', file=door, flush=True)
    go = json.loads(door.readline())
    until = go['until']
    start = go['from'] + (order['late'] * 1000 if number > 0 else 0)
    times = array.array('q')
    while (now := time.monotonic_ns()) < start:
        time.sleep(min((start - now) / 1e9, 0.1))
    while True:
        asked = time.monotonic_ns()
        if not lock.lock(name, patience):
            times.extend((asked, 0, 0, 0))
            break
        got = time.monotonic_ns()
        if hold > 0 and got < until:
            time.sleep(hold)
        released = time.monotonic_ns()
        lock.unlock(name)
        times.extend((asked, got, released, time.monotonic_ns()))
        if pause > 0:
            time.sleep(pause)
        most -= 1
        if time.monotonic_ns() >= until or most == 0:
            break
    write(f"{order['folder']}/{number}", times)
    print('done', file=door, flush=True)


def write(path, times):
    with open(path, 'wb') as file:
        times.tofile(file)


def answer(told):
    print(json.dumps(told), flush=True)


while line := sys.stdin.readline():
    what = json.loads(line)
    try:
        answer({'pairs': pairs, 'names': names, 'memory': memory, 'crowd': crowd}[what['do']](what))
    except Exception as error:
        answer({'error': repr(error)})
