import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { configLocation } from '../../../src/adapters/directories/location.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spate-place-'));
  await mkdir(join(folder, 'root', 'web'), { recursive: true });
  await mkdir(join(folder, 'outside'));
  await writeFile(join(folder, 'root', 'web', 'generator.yml'), '');
  await writeFile(join(folder, 'outside', 'generator.yml'), '');
  await symlink('web', join(folder, 'root', 'same'));
  await symlink('../outside', join(folder, 'root', 'out'));
  await symlink('../../outside/generator.yml', join(folder, 'root', 'web', 'out.yml'));
  await symlink('loop.yml', join(folder, 'root', 'loop.yml'));
  await symlink('root', join(folder, 'alias'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const placeOf = async (path: string, root = 'root') => {
  const place = await configLocation(join(folder, root))(join(folder, root, path));
  return E.isRight(place) ? place.right : place.left.code;
};

describe('the place of a generator config', () => {
  test.each([
    ['web/generator.yml', 'file'],
    ['same/generator.yml', 'file'],
    ['web', 'absent'],
    ['web/none.yml', 'absent'],
    ['none/deep/er/generator.yml', 'absent'],
    ['web/generator.yml/x', 'absent'],
    ['loop.yml', 'absent'],
    [`${'x'.repeat(300)}/a.yml`, 'absent'],
    ['out/generator.yml', 'forbidden'],
    ['out/none.yml', 'forbidden'],
    ['out/none/deep.yml', 'forbidden'],
    ['web/out.yml', 'forbidden'],
    ['../outside/generator.yml', 'forbidden'],
  ])('%s: %s', async (path, expected) => {
    expect(await placeOf(path)).toBe(expected);
  });

  test('is the same below a root that is a link', async () => {
    expect(await placeOf('web/generator.yml', 'alias')).toBe('file');
    expect(await placeOf('out/generator.yml', 'alias')).toBe('forbidden');
  });

  test('is nowhere below a root that is not there', async () => {
    expect(await placeOf('web/generator.yml', 'no-root')).toBe('absent');
  });
});
