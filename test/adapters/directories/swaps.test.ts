import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { bytesOf, CONFIG, inWorld, snapshotOf, type World } from './world.js';

/** Exchanges a folder for a link that leads outside and back, as fast as it can, until it is ended. */
const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync, mkdirSync, writeFileSync } = require('node:fs');
const [folder, aside, outside] = process.argv.slice(1);
process.stdout.write('ready');
for (;;) {
  try {
    mkdirSync(folder + '/sub', { recursive: true });
    for (const name of ['/secret', '/sub/secret']) {
      try { writeFileSync(folder + name, 'inside', { flag: 'wx' }); } catch {}
    }
    renameSync(folder, aside);
    symlinkSync(outside, folder);
    unlinkSync(folder);
    renameSync(aside, folder);
  } catch {
    try { unlinkSync(folder); } catch {}
    try { renameSync(aside, folder); } catch {}
  }
}`;

const read = async (world: World, path: string, seen: Set<string>): Promise<string> => {
  const content = await world.directories.files.read('web', path);
  if (E.isLeft(content)) return content.left.code;
  seen.add((await bytesOf(content.right.chunks)).toString());
  return 'read';
};

/** One change of what is exchanged. */
const change = async (world: World, round: number): Promise<string> => {
  const { files } = world.directories;
  const path = ['d/secret', 'd/sub/secret', 'd/new', 'd/sub'][round % 4] ?? '';
  const upload = await world.upload('written');
  const changes = [
    () => files.create('web', path, upload),
    () => files.replace('web', path, upload, null),
    () => files.remove('web', path, null),
    () => files.makeDirectory('web', path),
    () => files.move('web', path, `moved${round}`),
    () => files.copy('web', path, `copied${round}`),
    () => files.remove('web', 'd', null),
  ];
  const answer = await changes[Math.floor(round / 4) % changes.length]?.();
  await world.uploads.discard(upload);
  return answer === undefined ? 'none' : E.isLeft(answer) ? answer.left.code : 'done';
};

/** Runs something while the folder `web/d` is exchanged for a link to the folder outside. */
const whileExchanged = async (world: World, run: () => Promise<void>): Promise<void> => {
  for (const path of [CONFIG, 'd/secret', 'd/sub/secret']) await world.put(`web/${path}`, 'inside');
  const folder = join(world.root, 'web', 'd');
  const swapper = spawn(process.execPath, ['-e', SWAPPER, folder, `${folder}-aside`, world.outside]);
  await once(swapper.stdout, 'data');
  try {
    await run();
  } finally {
    swapper.kill('SIGKILL');
    await once(swapper, 'close');
  }
};

const counter = () => {
  const counts: Record<string, number> = {};
  return {
    counts,
    count: (answer: string): void => {
      counts[answer] = (counts[answer] ?? 0) + 1;
    },
  };
};

describe('a folder that is exchanged for a link all the time', () => {
  test(
    'lets nothing out',
    () =>
      inWorld(async (world) => {
        const { counts, count } = counter();
        const seen = new Set<string>();
        await whileExchanged(world, async () => {
          for (let round = 0; round < 8_000; round++) count(await read(world, 'd/secret', seen));
        });
        process.stdout.write(`reads while folders were exchanged: ${JSON.stringify(counts)}\n`);
        // Both sides of the exchange were met.
        expect(counts['read'] ?? 0).toBeGreaterThan(0);
        expect(counts['forbidden'] ?? 0).toBeGreaterThan(0);
        expect(seen).toEqual(new Set(['inside']));
      }),
    60_000,
  );

  test(
    'lets nothing in',
    () =>
      inWorld(async (world) => {
        const { counts, count } = counter();
        const before = await snapshotOf(world.outside);
        await whileExchanged(world, async () => {
          for (let round = 0; round < 1_000; round++) count(await change(world, round));
        });
        process.stdout.write(`changes while folders were exchanged: ${JSON.stringify(counts)}\n`);
        expect(counts['done'] ?? 0).toBeGreaterThan(0);
        expect(await snapshotOf(world.outside)).toEqual(before);
        expect(JSON.stringify(await snapshotOf(join(world.root, 'web')))).not.toContain('TOP SECRET');
      }),
    60_000,
  );
});
