import { join } from 'node:path';
import type { JsonObject } from '../../../src/domain/json.js';
import { type ChildProcess, spawn } from '../programs.js';

/**
 * An HTTP server that answers as ClickHouse does and appends each whole body to a file. It is a program
 * of its own, so that its sockets are not among those of the test.
 */
const PROGRAM = `
const { appendFileSync, writeFileSync } = require('node:fs');
const [, file] = process.argv;
writeFileSync(file, '');
const server = require('node:http').createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('error', () => {});
  request.on('end', () => {
    const body = Buffer.concat(parts);
    if (String(body).startsWith('EXISTS')) return response.end('1');
    appendFileSync(file, body);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const running: ChildProcess[] = [];

/** Starts one that appends to `arrived` in the folder; parameters that lead to it. */
export const startHttpSink = async (folder: string): Promise<JsonObject> => {
  const child = spawn(process.execPath, ['-e', PROGRAM, join(folder, 'arrived')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(String(data)));
    child.once('exit', () => reject(new Error('the HTTP server of the test did not start')));
  });
  return { host: '127.0.0.1', port: Number(line) };
};

export const stopHttpSinks = async (): Promise<void> => {
  for (const child of running.splice(0)) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.kill('SIGKILL')) await ended;
  }
};
