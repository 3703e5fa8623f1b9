import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { spawn } from '../../support/programs.js';
import { bytesOf, CONFIG, inWorld, snapshotOf, type World } from './world.js';

/** Swaps a folder with a link that leads outside and back, until it is killed. */
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

/** One change below the swapped folder. */
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

/** Runs something while the folder `web/d` is swapped with a link that leads outside. */
const whileSwapped = async (world: World, run: () => Promise<void>): Promise<void> => {
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

/** Rounds of each test. SPATE_TEST_SWAPS=8000 runs the long form. */
const ROUNDS = Number(process.env['SPATE_TEST_SWAPS'] ?? 500);
/** A slow machine may need more rounds to meet both sides of the swap. */
const MAX_ROUNDS = 20 * ROUNDS;

const counter = () => {
  const counts: Record<string, number> = {};
  return {
    counts,
    count: (answer: string): void => {
      counts[answer] = (counts[answer] ?? 0) + 1;
    },
  };
};

describe('a folder that is constantly swapped with a link', () => {
  test('lets nothing out', () =>
    inWorld(async (world) => {
      const { counts, count } = counter();
      const seen = new Set<string>();
      await whileSwapped(world, async () => {
        const hasMetBoth = (): boolean => 'read' in counts && 'forbidden' in counts;
        for (let round = 0; round < ROUNDS || (!hasMetBoth() && round < MAX_ROUNDS); round++)
          count(await read(world, 'd/secret', seen));
      });
      process.stdout.write(`reads while folders were swapped: ${JSON.stringify(counts)}\n`);
      // The reads met both sides of the swap.
      expect(counts['read'] ?? 0).toBeGreaterThan(0);
      expect(counts['forbidden'] ?? 0).toBeGreaterThan(0);
      expect(seen).toEqual(new Set(['inside']));
    }));

  test('lets nothing in', () =>
    inWorld(async (world) => {
      const { counts, count } = counter();
      const before = await snapshotOf(world.outside);
      await whileSwapped(world, async () => {
        for (let round = 0; round < ROUNDS || (!('done' in counts) && round < MAX_ROUNDS); round++)
          count(await change(world, round));
      });
      process.stdout.write(`changes while folders were swapped: ${JSON.stringify(counts)}\n`);
      expect(counts['done'] ?? 0).toBeGreaterThan(0);
      expect(await snapshotOf(world.outside)).toEqual(before);
      expect(JSON.stringify(await snapshotOf(join(world.root, 'web')))).not.toContain('TOP SECRET');
    }));
});
