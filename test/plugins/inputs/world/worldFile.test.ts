import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readWorldFile } from '../../../../src/plugins/inputs/world/plugin.js';
import { DEFAULT_WORLD } from '../../../../src/world/spec.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { left, right } from '../../../support/either.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spate-world-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = async (text: string) => {
  const file = join(folder, 'w.yml');
  await writeFile(file, text);
  return readWorldFile(file, { clock: fakeClock() });
};

describe('the file of a world, read on a thread', () => {
  test('takes defaults for what it does not say', async () => {
    expect(right(await read('people: 12\norganization.netbios: ACME\n'))).toEqual({
      ...DEFAULT_WORLD,
      people: 12,
      organization: { ...DEFAULT_WORLD.organization, netbios: 'ACME' },
    });
    expect(right(await read(''))).toEqual(DEFAULT_WORLD);
  });

  test.each([
    [
      'with two wrong values',
      'people: 0\nload: 0\n',
      'w.yml: people must be at least 1. load must be at least 0.01.',
    ],
    ['of a text', 'text', 'w.yml: must be an object, not text.'],
    ['with an open bracket', 'people: [', 'w.yml: the file is not YAML: Flow sequence'],
    ['with an alias of nothing', 'x: &a [1]\npeople: *b\n', 'w.yml: the file is not YAML: '],
    [
      'of a megabyte',
      `# ${'x'.repeat(1024 * 1024)}\n`,
      'w.yml: is larger than 1048576 bytes, so it is no world.',
    ],
  ])('%s is refused with what is wrong', async (_, text, message) => {
    const { code, message: told } = left(await read(text));
    expect(code).toBe('plugin_failed');
    expect(told).toContain(message);
  });

  test('a file that is not there is named', async () => {
    const missing = await readWorldFile(join(folder, 'none.yml'), { clock: fakeClock() });
    expect(left(missing).message).toMatch(/none\.yml: cannot be read: ENOENT/);
  });
});
