/** Runs a shell command and measures it from outside: no tool but bash and /proc is needed. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { watchGroup } from './workplace.mjs';

/** A process gains little memory after its last look: VmHWM is its peak so far. */
const LOOK_MS = 20;
const MAX_TEXT = 20_000;

/** Runs $1 and writes `real user sys` in seconds to descriptor 3; user and sys include all that it waited for. */
const SCRIPT = `exec 4>&2; TIMEFORMAT='%3R %3U %3S'; { time eval "$1" 2>&4; } 2>&3`;

const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const childrenOf = (pid) =>
  read(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((text) => text !== '');

/** Peak of resident memory so far, in megabytes (10^6 bytes). */
export const peakMbOf = (pid) =>
  (Number(/^VmHWM:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024) / 1e6;

/**
 * Runs a command of bash: `{seconds, cpu_seconds, peak_mb, code, text}`. `seconds` is wall time from its start to its
 * end without that of bash; `peak_mb` that of the largest process that bash starts for it; `text` what it wrote to
 * standard error (and output, unless `onOutput` takes it).
 */
export const runCommand = (command, { env = {}, cwd, onOutput } = {}) =>
  new Promise((resolve, reject) => {
    const child = watchGroup(
      spawn('bash', ['-c', SCRIPT, 'bash', command], {
        cwd,
        detached: true,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      }),
    );
    let peak_mb = 0;
    const look = () => {
      for (const pid of childrenOf(child.pid)) peak_mb = Math.max(peak_mb, peakMbOf(pid));
    };
    const timer = setInterval(look, LOOK_MS);
    let [text, times] = ['', ''];
    const keep = (chunk) => {
      text = (text + chunk).slice(-MAX_TEXT);
    };
    child.stdout.on('data', onOutput ?? keep);
    child.stderr.on('data', keep);
    child.stdio[3].on('data', (chunk) => {
      times += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(timer);
      const [seconds = Number.NaN, user, sys] = times.trim().split(/\s+/).map(Number);
      resolve({ seconds, cpu_seconds: user + sys, peak_mb, code: code ?? signal, text: text.trim() });
    });
  });
