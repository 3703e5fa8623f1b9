import { join } from 'node:path';
import type { JsonObject } from '../../../src/domain/json.js';
import { type ChildProcess, spawn } from '../programs.js';

/**
 * A server that speaks as much of Redis's protocol (RESP 2) as XADD needs, and appends the value of each entry to a
 * file. It is a program of its own, so that its sockets are not among those of the test. The tests with the real
 * server are in `real.test.ts`.
 */
const PROGRAM = `
const { appendFileSync, writeFileSync } = require('node:fs');
const [, file] = process.argv;
writeFileSync(file, '');
const server = require('node:net').createServer((socket) => {
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (part) => {
    text += part.toString('latin1');
    for (;;) {
      const head = /^\\*(\\d+)\\r\\n/.exec(text);
      if (head === null) return;
      let at = head[0].length;
      const args = [];
      while (args.length < Number(head[1])) {
        const length = /^\\$(\\d+)\\r\\n/.exec(text.slice(at, at + 20));
        if (length === null) return;
        const start = at + length[0].length;
        at = start + Number(length[1]) + 2;
        if (text.length < at) return;
        args.push(text.slice(start, at - 2));
      }
      text = text.slice(at);
      if (args[0] === 'XADD') appendFileSync(file, args.at(-1) + '\\n', 'latin1');
      socket.write(args[0] === 'TYPE' ? '+none\\r\\n' : '+OK\\r\\n');
    }
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const running: ChildProcess[] = [];

/** Starts one that appends to `arrived` in the folder; parameters that lead to it. */
export const startRedisSink = async (folder: string): Promise<JsonObject> => {
  const child = spawn(process.execPath, ['-e', PROGRAM, join(folder, 'arrived')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(String(data)));
    child.once('exit', () => reject(new Error('the Redis sink of the test did not start')));
  });
  return { host: '127.0.0.1', port: Number(line) };
};

export const stopRedisSinks = async (): Promise<void> => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
};
