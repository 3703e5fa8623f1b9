import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { MAX_FRAME_BYTES, readFrames, writeFrame } from '../../../src/adapters/processes/frames.js';
import { isolatedProcess } from '../../../src/adapters/processes/isolatedProcess.js';

describe('frames', () => {
  const read = (chunks: readonly Buffer[]) => {
    const stream = new PassThrough();
    const heard: string[] = [];
    readFrames(stream, {
      onFrame: (frame) => void heard.push(frame.toString()),
      onBroken: (reason) => void heard.push(reason),
    });
    for (const chunk of chunks) stream.emit('data', chunk);
    return heard;
  };
  const written = (...texts: readonly string[]): Buffer => {
    const stream = new PassThrough();
    for (const text of texts) writeFrame(stream, Buffer.from(text));
    return stream.read() as Buffer;
  };

  test('arrive whole and in order, however the bytes are cut', () => {
    const texts = ['one', '', 'three '.repeat(1_000)];
    const bytes = written(...texts);
    for (const size of [1, 2, 3, 7, 4_096, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      expect(read(chunks)).toEqual(texts);
    }
  });

  test('over their limit break the stream, once', () => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(MAX_FRAME_BYTES + 1);
    expect(read([written('fine'), length, written('more')])).toEqual([
      'fine',
      expect.stringContaining(`invalid frame: its length would be ${MAX_FRAME_BYTES + 1} bytes`),
    ]);
  });
});

describe('an isolated process', () => {
  let folder = '';
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs a program to its end. */
  const run = async (program: string) => {
    folder = await mkdtemp(join(tmpdir(), 'spate-isolated-'));
    const file = join(folder, 'program.mjs');
    if (program !== '') await writeFile(file, program);
    const frames: string[] = [];
    const end = await new Promise<{ code: number | null; signal: string | null }>((resolve) => {
      const child = isolatedProcess(pathToFileURL(file))({
        onFrame: (frame) => void frames.push(Buffer.from(frame).toString()),
        onBroken: (reason) => void frames.push(`broken: ${reason}`),
        onExit: resolve,
      });
      child.send(Buffer.from('hello'));
    });
    return { end, frames };
  };

  test('answers over its channel, which is read to its end before the exit is reported', async () => {
    const { end, frames } = await run(`import { Socket } from 'node:net';
const channel = new Socket({ fd: 3 });
// The length and the text of the frame may come one after the other.
let frame = Buffer.alloc(0);
channel.on('data', (bytes) => {
  frame = Buffer.concat([frame, bytes]);
  if (frame.length === 4 + 'hello'.length) channel.write(frame, () => process.exit(3));
});`);
    expect(frames).toEqual(['hello']);
    expect(end).toEqual({ code: 3, signal: null });
  });

  test('that is killed ends with its signal', async () => {
    const { end } = await run("process.kill(process.pid, 'SIGKILL');");
    expect(end).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('that writes garbage breaks its channel, not the reader', async () => {
    const { frames } = await run(
      "import { writeSync } from 'node:fs'; writeSync(3, 'garbage that is no frame');",
    );
    expect(frames).toEqual([expect.stringMatching(/^broken: .*invalid frame/)]);
  });
});
