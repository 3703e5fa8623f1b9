import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
  /** File that it writes; `stdout` for an example that writes there. */
  readonly output: string;
  readonly seed: string;
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

/**
 * Both halves of the shop in one generator: shop-fulfilment alone has no orders to take on, and only a
 * daemon joins two generators in a scenario.
 */
const WHOLE_SHOP = {
  'generator.yml': `
input: [{timer: {seconds: 0.1, count: 1, repeat: 36600}}]
event: {script: {path: both.mjs}}
output: [{file: {path: out/both.jsonl, write_mode: overwrite}}]
`,
  'both.mjs': `
import { produce as place } from '../shop-orders/orders.ts';
import { produce as fulfil } from '../shop-fulfilment/fulfilment.mjs';
export const produce = (given) => [...place(given), ...fulfil(given)];
`,
};

describe('the output of the examples from a seed', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spate-fingerprints-'));
    await cp(join(import.meta.dirname, '..', '..', 'generators'), folder, {
      recursive: true,
      filter: (path) => !/\/out(?:\/|$)/.test(path),
    });
    await mkdir(join(folder, 'whole-shop'));
    for (const [name, text] of Object.entries(WHOLE_SHOP))
      await writeFile(join(folder, 'whole-shop', name), text);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const sample = async (example: string, output: string, seed: string): Promise<Fingerprint> => {
    const options = [
      '--seed',
      seed,
      '--now',
      '2026-01-01T00:00:00Z',
      '--live-mode',
      'false',
      '--limit',
      '2000',
      // Some end earlier.
      '--allow-failures',
    ];
    const program = runProgram(['generate', '--path', join(folder, example), ...options]);
    expect(await program.exited).toEqual({ code: 0, signal: null });
    const bytes =
      output === 'stdout' ? Buffer.from(program.stdout()) : await readFile(join(folder, example, output));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { example, output, seed, sha256, entropy_bits: entropyOf(bytes) };
  };

  test.each(FINGERPRINTS)('$example is unchanged, and the same at each run', async (expected) => {
    const { example, output, seed } = expected;
    const first = await sample(example, output, seed);
    if (process.env['SPATE_PRINT_FINGERPRINTS'] === '1') process.stderr.write(`${JSON.stringify(first)}\n`);
    expect(await sample(example, output, seed)).toEqual(first);
    expect(first).toEqual(expected);
  });
});
