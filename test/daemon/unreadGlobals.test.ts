import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { scenarioRoutes } from '../../src/contract/routes/scenarios.js';
import { withUnreadGlobals } from '../../src/daemon/unreadGlobals.js';
import type { GlobalsChange } from '../../src/domain/globals/globals.js';
import type { MemberGlobals } from '../../src/worker/check/globals.js';

const READS: MemberGlobals = {
  keys: new Set(['anomaly', 'decline_share']),
  isOpen: false,
  mentions: null,
  isInWorld: false,
  choices: new Map([['anomaly', ['none', 'brute_force']]]),
};

const make = (reads: MemberGlobals | Error = READS) => {
  const lines: unknown[] = [];
  let looks = 0;
  let micros = 0;
  const ask = withUnreadGlobals(async () => E.right({ etag: 'x' }), {
    membersOf: async () => ['/g/generator.yml'],
    look: async () => {
      looks++;
      if (reads instanceof Error) throw reads;
      return reads;
    },
    now: () => micros,
    log: { write: (level, message, fields) => void lines.push([level, message, fields]) },
  });
  const change = async (values: Extract<GlobalsChange, { readonly values: unknown }>['values']) => {
    const change: GlobalsChange = { kind: 'shallow', values };
    return ask('globals.change', { name: 'shop', change, if_match: null, user: 'local' });
  };
  return {
    change,
    lines,
    looks: () => looks,
    pass: (seconds: number) => {
      micros += seconds * 1_000_000;
    },
  };
};

describe('a change of globals', () => {
  test('that members read has no warning', async () => {
    const { change } = make();
    expect(await change({ decline_share: 0.5, anomaly: 'brute_force' })).toEqual(E.right({ etag: 'x' }));
  });

  test('that no member reads is done, with a warning in the answer and once in the log', async () => {
    const { change, lines } = make();
    const warnings = ["no member reads the global 'decline_shrae'. Did you mean 'decline_share'?"];
    expect(await change({ decline_shrae: 0.5 })).toEqual(E.right({ etag: 'x', warnings }));
    await change({ decline_shrae: 0.6 });
    expect(lines).toEqual([
      ['warning', 'a change of globals has no effect', { scenario: 'shop', reason: warnings[0] }],
    ]);
  });

  test('to an anomaly that no member has is warned about', async () => {
    const { change } = make();
    expect(await change({ anomaly: 'brute-force' })).toEqual(
      E.right({
        etag: 'x',
        warnings: ["the value of 'anomaly' is none that a member has. Did you mean 'brute_force'?"],
      }),
    );
  });

  test.each([
    [2, "'people_factor' is a number from 0 to 1, the part that is shown: 2 shows all"],
    ['half', '\'people_factor\' is a number from 0 to 1, the part that is shown: "half" shows all'],
    [-1, "'people_factor' is a number from 0 to 1, the part that is shown: -1 shows all"],
  ])('to a part of the people that is none, such as %p, is warned about', async (value, warning) => {
    const keys = new Set(['people_factor']);
    const { change } = make({ ...READS, keys, isInWorld: true });
    expect(await change({ people_factor: value })).toEqual(E.right({ etag: 'x', warnings: [warning] }));
    expect(await change({ people_factor: 0.5 })).toEqual(E.right({ etag: 'x' }));
    // Out of a world it is a name as any other.
    expect(await make({ ...READS, keys }).change({ people_factor: value })).toEqual(E.right({ etag: 'x' }));
  });

  test('of members that may read any key has no warning, nor of members that cannot be read', async () => {
    expect(await make({ ...READS, isOpen: true }).change({ any: 1 })).toEqual(E.right({ etag: 'x' }));
    expect(await make(new Error('no disk')).change({ any: 1 })).toEqual(E.right({ etag: 'x' }));
  });

  test('that no file of members mentions, which may read any key, has a warning', async () => {
    const mentions = { words: new Set(['sale_share', 'const']), names: new Set(['sale_share']) };
    const { change } = make({ ...READS, isOpen: true, mentions });
    expect(await change({ sale_shaer: 1, sale_share: 2 })).toEqual(
      E.right({
        etag: 'x',
        warnings: ["no member mentions the global 'sale_shaer'. Did you mean 'sale_share'?"],
      }),
    );
  });

  test('does not read the files of the members each time', async () => {
    const { change, looks, pass } = make();
    for (let i = 0; i < 100; i++) await change({ anomaly: 'none' });
    expect(looks()).toBe(1);
    pass(31);
    await change({ anomaly: 'none' });
    expect(looks()).toBe(2);
  });

  test('carries its warnings in a header of the API, in ASCII', () => {
    const [route] = scenarioRoutes().filter(({ id }) => id === 'patchGlobals');
    const reply = (answer: never) => route?.toReply(answer, [] as never);
    expect(reply({ etag: 'x', warnings: ['a \u00e4\n', 'b'] } as never)).toEqual({
      status: 200,
      kind: 'json',
      value: null,
      headers: { ETag: '"x"', 'X-Spate-Warning': 'a ??; b' },
    });
    expect(reply({ etag: 'x' } as never)).toMatchObject({ headers: { ETag: '"x"' } });
  });
});
