import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runProgram } from '../support/instance.js';

/**
 * Seed, digest and entropy of what each example writes. An intended change commits the new value and says
 * why: `SPATE_PRINT_FINGERPRINTS=1 npm test -- fingerprints` prints them.
 */
interface Fingerprint {
  readonly example: string;
  readonly output: string;
  readonly sha256: string;
  readonly entropy_bits: number;
}

const FINGERPRINTS = JSON.parse(
  await readFile(join(import.meta.dirname, 'fingerprints.json'), 'utf8'),
) as readonly Fingerprint[];

/** Shannon entropy of the bytes, bits per byte: a change of digest at the same entropy is a change of order or time. */
const entropyOf = (bytes: Buffer): number => {
  const counts = new Array<number>(256).fill(0);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  const shares = counts.filter((count) => count > 0).map((count) => count / bytes.length);
  return Number((-shares.reduce((sum, share) => sum + share * Math.log2(share), 0)).toFixed(3));
};

describe('the output of the examples with seed 1', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spate-fingerprints-'));
    await cp(join(import.meta.dirname, '..', '..', 'generators'), folder, {
      recursive: true,
      filter: (path) => !/\/out(?:\/|$)/.test(path),
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const sample = async (
    example: string,
    output: string,
  ): Promise<Omit<Fingerprint, 'example' | 'output'>> => {
    const options = [
      '--seed',
      '1',
      '--now',
      '2026-01-01T00:00:00Z',
      '--live-mode',
      'false',
      '--limit',
      '2000',
    ];
    const program = runProgram(['generate', '--path', join(folder, example), ...options]);
    expect(await program.exited).toEqual({ code: 0, signal: null });
    const bytes = await readFile(join(folder, example, output));
    return { sha256: createHash('sha256').update(bytes).digest('hex'), entropy_bits: entropyOf(bytes) };
  };

  test.each(FINGERPRINTS)(
    '$example is unchanged, and the same at each run',
    async ({ example, output, ...expected }) => {
      const first = await sample(example, output);
      if (process.env['SPATE_PRINT_FINGERPRINTS'] === '1')
        process.stderr.write(`${example} ${JSON.stringify(first)}\n`);
      expect(await sample(example, output)).toEqual(first);
      expect(first).toEqual(expected);
    },
  );
});
