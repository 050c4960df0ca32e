'use strict';

/*
 * The worker for node-redlock over ioredis, with one server or several. What it is told and what it answers stands in
 * worker.php. Its crowd are processes too, which run this file and are kept for the next crowd: they start slowly.
 */

const { fork } = require('node:child_process');
const { createRequire } = require('node:module');
const { readFileSync, writeFileSync } = require('node:fs');
const readline = require('node:readline');

const installed = createRequire(process.env.BENCH_NODE + '/');
const Redis = installed('ioredis');
const { default: Redlock } = installed('redlock');

const LEASE = 30000;
const now = () => process.hrtime.bigint();
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class NodeRedlock {
    constructor(servers) {
        const clients = servers.map((url) => {
            const redis = new Redis(url.replace(/^unix:\/\//, ''), { maxRetriesPerRequest: null });
            redis.on('error', () => {});
            return redis;
        });
        this.clients = clients;
        this.redlock = new Redlock(clients, { retryCount: -1 }); // 200 ms and up to 100 more between the tries, as it is
        this.redlock.on('error', () => {});
        this.locks = new Map();
    }

    async lock(name) {
        this.locks.set(name, await this.redlock.acquire([name], LEASE));
    }

    async unlock(name) {
        const lock = this.locks.get(name);
        this.locks.delete(name);
        await lock.release();
    }

    close() {
        this.clients.forEach((redis) => redis.disconnect());
    }
}

const connected = new Map();

function lockOf(servers) {
    const key = servers.join(' ');
    if (!connected.has(key)) {
        connected.set(key, new NodeRedlock(servers));
    }
    return connected.get(key);
}

async function pairs(order) {
    const lock = lockOf(order.servers);
    const times = new BigInt64Array(order.count);
    const start = now();
    let last = start;
    for (let i = 0; i < order.count; i++) {
        await lock.lock(order.name);
        await lock.unlock(order.name);
        const time = now();
        times[i] = time - last;
        last = time;
    }
    if (order.file) {
        write(order.file, times);
    }
    return { ns: Number(last - start) };
}

async function names(order) {
    const lock = lockOf(order.servers);
    const start = now();
    for (let i = 0; i < order.count; i++) {
        await lock.lock(`many:${i}`);
    }
    const locked = now();
    for (let i = 0; i < order.count; i++) {
        await lock.unlock(`many:${i}`);
    }
    return { lock: Number(locked - start), unlock: Number(now() - locked) };
}

async function memory(order) {
    const own = () => Number(/^Private_Dirty:\s+(\d+) kB/m.exec(readFileSync('/proc/self/smaps_rollup', 'latin1'))[1]);
    const at = [own()];
    for (const server of order.servers) {
        const lock = new NodeRedlock([server]);
        await lock.lock('memory');
        await lock.unlock('memory');
        at.push(own());
    }
    return { kb: at[1] - at[0], again: at[2] - at[1] };
}

/** The messages of another process: what it returns gives each in turn, and null when there will be none. */
function messages(other) {
    const queue = [];
    let wake = null;
    const put = (message) => (wake ? wake(message) : queue.push(message));
    other.on('message', put);
    other.on('disconnect', () => put(null));
    return () => new Promise((resolve) => (queue.length ? resolve(queue.shift()) : (wake = (m) => { wake = null; resolve(m); })));
}

const visitors = [];

async function crowd(order, nextLine) {
    for (let i = 0; i < order.processes; i++) {
        if (!visitors[i]?.child.connected) {
            const child = fork(__filename, ['visit'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
            visitors[i] = { child, next: messages(child) };
        }
        visitors[i].child.send({ number: i, order });
    }
    const children = visitors.slice(0, order.processes);
    for (const { next } of children) {
        await next();
    }
    answer({ ready: true });
    const go = JSON.parse(await nextLine());
    for (const { child } of children) {
        child.connected && child.send(go);
    }
    let well = true;
    for (const { next } of children) {
        well = (await next()) === 'done' && well;
    }
    return well ? { done: true } : { error: 'a process of the crowd ended early' };
}

async function visit(number, order, next) {
    const { name, hold, pause, patience } = order;
    const lock = new NodeRedlock(order.servers);
    await lock.lock(`${name}:${number}`);
    await lock.unlock(`${name}:${number}`);
    process.send('ready');
    const go = (await next()) ?? process.exit();
    const until = BigInt(go.until);
    const from = BigInt(go.from) + (number > 0 ? BigInt(order.late) * 1000n : 0n);
    let most = order.most;
    const times = [];
    while (now() < from) {
        await sleep(Math.min(Number((from - now()) / 1000000n), 100));
    }
    for (;;) {
        const asked = now();
        const had = await Promise.race([lock.lock(name).then(() => true), sleep(patience * 1000)]);
        if (!had) {
            times.push(asked, 0n, 0n, 0n);
            write(`${order.folder}/${number}`, BigInt64Array.from(times));
            process.send('done', () => process.exit()); // else it would go on trying
            return;
        }
        const got = now();
        if (hold > 0 && got < until) {
            await sleep(hold / 1000);
        }
        const released = now();
        await lock.unlock(name);
        times.push(asked, got, released, now());
        if (pause > 0) {
            await sleep(pause / 1000);
        }
        if (now() >= until || --most === 0) {
            break;
        }
    }
    write(`${order.folder}/${number}`, BigInt64Array.from(times));
    lock.close();
    process.send('done');
}

async function visitor() {
    const next = messages(process);
    for (;;) {
        const { number, order } = (await next()) ?? process.exit();
        await visit(number, order, next);
    }
}

function write(path, times) {
    writeFileSync(path, Buffer.from(times.buffer));
}

function answer(told) {
    process.stdout.write(JSON.stringify(told) + '\n');
}

async function main() {
    const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const nextLine = async () => {
        const { value, done } = await lines.next();
        return done ? process.exit() : value;
    };
    for (;;) {
        const order = JSON.parse(await nextLine());
        try {
            answer(await { pairs, names, memory, crowd }[order.do](order, nextLine));
        } catch (error) {
            answer({ error: String(error) });
        }
    }
}

if (process.argv[2] === 'visit') {
    visitor();
} else {
    main();
}
