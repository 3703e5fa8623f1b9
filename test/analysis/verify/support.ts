import * as E from 'fp-ts/lib/Either.js';
import { verifyLines } from '../../../src/analysis/verify/lines.js';
import type { VerifyReport } from '../../../src/analysis/verify/report.js';
import { makeVerifier, type VerifierOptions } from '../../../src/analysis/verify/verifier.js';
import { keyOf, type MarkMode, PUT_MARK } from '../../../src/domain/marks/mark.js';

/** Epoch microseconds of the first event of every stream; each next one is a second later. */
export const T0 = 1_767_225_600_000_000;
export const microsOf = (sequence: number): number => T0 + (sequence - 1) * 1_000_000;

/** An event as a generator gives it. */
export const marked = (sequence: number, event: string, mode: MarkMode = 'text', stream = 1): string => {
  const result = PUT_MARK[mode](event, keyOf({ stream, sequence, micros: microsOf(sequence) }));
  if (E.isLeft(result)) throw new Error(result.left);
  return result.right;
};

/** Events 1 to `count`. */
export const events = (count: number, mode: MarkMode = 'text', stream = 1): string[] =>
  Array.from({ length: count }, (_, i) =>
    marked(i + 1, mode === 'json' ? `{"n": ${i + 1}}` : `event ${i + 1}`, mode, stream),
  );

export interface VerifiedOptions extends Partial<VerifierOptions> {
  readonly expected?: number;
  readonly allow_duplicates?: boolean;
  readonly chunk_bytes?: number;
  readonly arrived?: number | null;
}

/** Verifies texts, each an input of its own, in pieces of some bytes. */
export const verified = (
  inputs: readonly (string | Buffer)[],
  options: VerifiedOptions = {},
): VerifyReport => {
  const { expected = null, allow_duplicates = false, chunk_bytes = 7, arrived = null, ...more } = options;
  const verifier = makeVerifier({ max_shown: 10, has_order: true, ...more });
  for (const [index, input] of inputs.entries()) {
    const sink = verifyLines(verifier, inputs.length === 1 ? '' : `file ${index + 1}`);
    const bytes = Buffer.from(input);
    for (let at = 0; at < bytes.length; at += chunk_bytes) {
      // As readers do, one buffer is used again and again.
      const chunk = Buffer.from(bytes.subarray(at, at + chunk_bytes));
      sink.push(chunk, arrived);
      chunk.fill('#');
    }
    sink.end();
  }
  return verifier.report({ expected, allow_duplicates });
};

export const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
