/**
 * Load over HTTP as an open loop: every request leaves at the time it is due, whether or not earlier ones
 * are answered, and its latency counts from that time. Plain Node, so that benchmarks and tests share it.
 */
import { Agent, request as send } from 'node:http';

/** A request without an answer for so long has failed. */
const TIMEOUT_MS = 30_000;
/** More requests under way at a time end the run: the service does not keep up, and memory is finite. */
const MAX_UNDER_WAY = 5_000;

/** Connections that stay open; the one that rested longest is taken next, the first that is free otherwise. */
const connectionPool = (port, count) => {
  const sockets = new Set();
  const free = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const all = [...free];
  const waiting = [];
  return {
    /** How many connections were opened; `count` unless some were closed under us. */
    opened: () => sockets.size,
    take: () => {
      const agent = free.shift();
      return agent === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(agent);
    },
    give: (agent) => {
      const next = waiting.shift();
      if (next === undefined) free.push(agent);
      else next(agent);
    },
    exchange: (agent, { method, path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const bytes = body === undefined ? undefined : Buffer.from(body);
        const type =
          bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length };
        const options = { host: '127.0.0.1', port, agent, method, path, headers: { ...type, ...headers } };
        const sent = send({ ...options, timeout: TIMEOUT_MS }, (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => resolve({ status: response.statusCode, bytes: Buffer.concat(chunks) }));
        });
        sent.on('socket', (socket) => sockets.add(socket));
        sent.on('timeout', () => sent.destroy(new Error(`no answer for ${TIMEOUT_MS / 1_000} s`)));
        sent.on('error', reject);
        sent.end(bytes);
      }),
    close: () => {
      for (const agent of all) agent.destroy();
    },
  };
};

/** Figures of some latencies, in milliseconds. */
export const figures = (latencies) => {
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (share) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
};

/** Calls `act` with 0, 1, 2 ... at the times that are due; resolves after the last. */
const atTheirTimes = (total, per_second, act) =>
  new Promise((resolve, reject) => {
    const begin = performance.now();
    const dueAt = (index) => begin + (index * 1_000) / per_second;
    let index = 0;
    const look = () => {
      try {
        for (; index < total && dueAt(index) <= performance.now(); index++) act(index, dueAt(index));
      } catch (thrown) {
        return reject(thrown);
      }
      if (index === total) return resolve();
      setTimeout(look, Math.max(1, dueAt(index) - performance.now()));
    };
    look();
  });

/**
 * Sends `per_second * seconds` requests to a port of this machine. `next(index)` gives the request that is due
 * now: `{kind, method, path, headers?, body?, onAnswer?, onFailure?}`; `onAnswer({status, bytes})` may return what is wrong with
 * the answer, as text. `warmUp` is sent on every connection before the first.
 */
export const openLoop = async ({ port, connections, per_second, seconds, next, warmUp }) => {
  const pool = connectionPool(port, connections);
  const latencies = new Map();
  const lags = [];
  const errors = [];
  const underWay = new Set();
  const one = async (due, { kind, onAnswer, onFailure, ...request }) => {
    const agent = await pool.take();
    try {
      const answer = await pool.exchange(agent, request);
      const took = performance.now() - due;
      if (!latencies.has(kind)) latencies.set(kind, []);
      latencies.get(kind).push(took);
      const wrong = onAnswer?.(answer);
      if (typeof wrong === 'string') errors.push(`${request.method} ${request.path}: ${wrong}`);
    } catch (thrown) {
      onFailure?.();
      errors.push(`${request.method} ${request.path}: ${thrown.message}`);
    } finally {
      pool.give(agent);
    }
  };
  try {
    const agents = await Promise.all(Array.from({ length: connections }, () => pool.take()));
    await Promise.all(agents.map((agent) => pool.exchange(agent, warmUp)));
    for (const agent of agents) pool.give(agent);
    await atTheirTimes(Math.round(per_second * seconds), per_second, (index, due) => {
      if (underWay.size >= MAX_UNDER_WAY) throw new Error(`${MAX_UNDER_WAY} requests wait for answers`);
      lags.push(performance.now() - due);
      const done = one(due, next(index)).finally(() => underWay.delete(done));
      underWay.add(done);
    });
    await Promise.all(underWay);
    return { latencies, lags, errors, opened: pool.opened() };
  } finally {
    pool.close();
  }
};
