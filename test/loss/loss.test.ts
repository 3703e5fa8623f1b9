import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PLUGINS } from '../../src/plugins/specs.js';
import { CASES } from './cases.js';
import type { LossCase } from './peer.js';
import { type Outcome, trial } from './trial.js';

/** Outputs that have no peer. */
const ALONE = ['stdout'];

describe('npm run loss', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spate-loss-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const caseOf = (name: string): LossCase => {
    const found = CASES.find(({ output }) => output === name);
    if (found === undefined) throw new Error(`no case of ${name}`);
    return found;
  };
  const run = (one: LossCase, events: number, kills: number): Promise<Outcome> =>
    trial(folder, one, { events, kills, down_ms: 100, limit_ms: 60_000 });

  test('has a case for each output', () => {
    const outputs = PLUGINS.output.map(({ spec }) => spec.name).filter((name) => !ALONE.includes(name));
    expect([...new Set(CASES.map(({ output }) => output))].sort()).toEqual([...outputs].sort());
  });

  test('counts what is lost and what comes twice', async () => {
    const file = caseOf('file');
    const outcome = await run(
      {
        ...file,
        start: async (given) => ({
          ...(await file.start(given)),
          arrived: async function* () {
            const lines = readFileSync(join(given, 'out', 'events.log'), 'utf8')
              .split('\n')
              .slice(0, -1);
            yield `${[...lines.slice(3), ...lines.slice(-2)].join('\n')}\n`;
          },
        }),
      },
      5_000,
      0,
    );
    expect(outcome).toMatchObject({ lost: 3, doubled: 2, failed: 0, dead_letters: 0, problems: [] });
  });

  test('kills the peer twice and finds everything', async () => {
    expect(await run(caseOf('http'), 200_000, 2)).toMatchObject({ lost: 0, failed: 0, problems: [] });
  });
});
