import { join } from 'node:path';
import { runProgram } from '../support/instance.js';

const GENERATORS = join(import.meta.dirname, '..', '..', 'generators');

/** What an example that writes JSON to standard output writes, each line parsed; throws when one is not JSON or the run fails. */
export const eventsOf = async <A>(
  example: string,
  limit: number,
  params: Readonly<Record<string, number | string>> = {},
): Promise<readonly A[]> => {
  const program = runProgram([
    'generate',
    '--path',
    join(GENERATORS, example),
    '--live-mode',
    'false',
    '--limit',
    String(limit),
    '--seed',
    'example',
    '--now',
    '2026-01-01T00:00:00Z',
    '--params',
    JSON.stringify(params),
    '-vvv',
  ]);
  const { code } = await program.exited;
  if (code !== 0) throw new Error(`${example} ended with ${code}:\n${program.stderr()}`);
  // A warning of a template (a condition without its field, a failed event) is a mistake in the example.
  const warned = program
    .stderr()
    .split('\n')
    .find((line) => /\s(?:warning|error)\s/.test(line));
  if (warned !== undefined) throw new Error(`${example} warns: ${warned}`);
  const lines = program.stdout().trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as A);
};
