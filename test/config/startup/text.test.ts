import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { stringify } from 'yaml';
import { DEFAULT_GENERATION } from '../../../src/config/settings/generationFields.js';
import {
  newEntry,
  type ReplacedEntry,
  type StartupContext,
  shownPath,
} from '../../../src/config/startup/entry.js';
import { changeStartup, openStartup, type StartupChange } from '../../../src/config/startup/text.js';
import type { StartupEntry } from '../../../src/domain/generator.js';
import type { Json, JsonObject } from '../../../src/domain/json.js';
import { left, right } from '../support.js';

const CONTEXT: StartupContext = {
  generation: { ...DEFAULT_GENERATION, timezone: 'Europe/Berlin', batch: { size: 50, delay: 2 } },
  generators_dir: '/g',
};
const FILE = 's.yml';

const open = (text: string) => right(openStartup(text, FILE, CONTEXT));
const entriesOf = (text: string): readonly StartupEntry[] => open(text).entries;
const idsOf = (text: string): readonly string[] => entriesOf(text).map(({ id }) => id);
const bodyOf = (id: string, more: JsonObject = {}): JsonObject => ({ path: `${id}/generator.yml`, ...more });
const entryOf = (id: string, body: JsonObject, replaced: ReplacedEntry | null = null) =>
  right(newEntry(id, body, CONTEXT, replaced));

const change = (text: string, wanted: Partial<StartupChange>): string =>
  right(changeStartup(open(text), { changed: new Map(), appended: [], ...wanted }, CONTEXT)).text;
const append = (text: string, id: string, body = bodyOf(id)): string =>
  change(text, { appended: [entryOf(id, body)] });
const remove = (text: string, ...ids: readonly string[]): string => {
  const known = idsOf(text);
  return change(text, { changed: new Map(ids.map((id) => [known.indexOf(id), null])) });
};
const replace = (text: string, id: string, body: JsonObject): string =>
  change(text, { changed: new Map([[idsOf(text).indexOf(id), entryOf(id, body)]]) });

/** An entry as the API shows it. */
const shown = (entry: StartupEntry): JsonObject => ({ ...entry, path: shownPath('/g')(entry.path) });

const TEXT = `# The generators of this instance.

# An access log.
- id: access   # shown in the API
  path:   access/generator.yml

# Two of a shop.
- id: orders
  path: orders/generator.yml
  batch.size: 5  # small
  scenarios: [shop, night]
  # params: {n: 1}

-   id: "fulfil"
    path: 'fulfil/generator.yml'
    params:
      text: |
        # no comment
        two

# The end.
`;

describe('an entry is appended', () => {
  test('behind the last, spaced as the others, every other byte kept', () => {
    expect(append(TEXT, 'new', bodyOf('new', { scenarios: ['shop'], autostart: false }))).toBe(
      TEXT.replace(
        '# The end.',
        `- id: new
  path: new/generator.yml
  scenarios: [shop]
  autostart: false

# The end.`,
      ),
    );
  });

  test.each([
    ['', '- id: a\n  path: a/generator.yml\n'],
    ['# none\n', '# none\n\n- id: a\n  path: a/generator.yml\n'],
    ['# none', '# none\n\n- id: a\n  path: a/generator.yml\n'],
    ['[]\n', '- id: a\n  path: a/generator.yml\n'],
    ['null # yet\n', '- id: a\n  path: a/generator.yml\n# yet\n'],
    ['---\n', '---\n- id: a\n  path: a/generator.yml\n'],
    ['- {id: b, path: b}', '- {id: b, path: b}\n- id: a\n  path: a/generator.yml\n'],
    ['  - {id: b, path: b}\n', '  - {id: b, path: b}\n  - id: a\n    path: a/generator.yml\n'],
    ['- {id: b, path: b}\r\n', '- {id: b, path: b}\r\n- id: a\r\n  path: a/generator.yml\r\n'],
    ['[{id: b, path: b}] # all\n', '[{id: b, path: b}, {id: a, path: a/generator.yml}] # all\n'],
  ])('to %j', (text, expected) => {
    expect(append(text, 'a')).toBe(expected);
  });

  test('before an end marker', () => {
    const text = append('- {id: b, path: b} # one\n...\n', 'a');
    expect(idsOf(text)).toEqual(['b', 'a']);
    expect(text).toContain('# one');
  });

  test('with what was given, a null as if it were not', () => {
    const body = bodyOf('a', {
      seed: null,
      queue: { max_event_batches: null },
      batch: { size: null, delay: 1 },
    });
    expect(append('', 'a', body)).toBe(
      '- id: a\n  path: a/generator.yml\n  queue: {}\n  batch:\n    size: null\n    delay: 1\n',
    );
  });

  test('with a path inside the generators directory relative to it', () => {
    expect(append('', 'a', { path: '/g/x/../a/b.yml' })).toBe('- id: a\n  path: a/b.yml\n');
  });

  test.each([
    [{ path: '../a.yml' }, ['path']],
    [{ path: '/etc/passwd' }, ['path']],
    [{ path: '.' }, ['path']],
    [{ path: 'a.yml', id: 'b' }, ['id']],
    [{ path: 'a.yml', 'batch.size': 3 }, ['batch.size']],
    [{ path: 'a.yml', batch: { size: 0 } }, ['batch', 'size']],
    [{ path: 'a.yml', scenarios: ['a/b'] }, ['scenarios', 0]],
    [{}, ['path']],
  ])('never with %j, and the problem says where', (body, path) => {
    expect(left(newEntry('a', body as JsonObject, CONTEXT, null))).toMatchObject({
      code: 'invalid',
      issues: [{ path }],
    });
  });
});

describe('an entry is taken out', () => {
  test('with the comment directly above and inside of it, and nothing else', () => {
    expect(remove(TEXT, 'access')).toBe(TEXT.replace(/# An access[\s\S]*?\n\n/, ''));
    expect(remove(TEXT, 'orders')).toBe(TEXT.replace(/# Two of[\s\S]*?\n\n/, ''));
    expect(remove(TEXT, 'fulfil')).toBe(TEXT.replace(/- {3}id: "fulfil"[\s\S]*?\n\n/, ''));
  });

  test('several at once', () => {
    expect(remove(TEXT, 'fulfil', 'access')).toBe(
      TEXT.replace(/# An access[\s\S]*?\n\n/, '').replace(/- {3}id: "fulfil"[\s\S]*?\n\n/, ''),
    );
    expect(remove(TEXT, 'access', 'orders', 'fulfil')).toBe(
      '# The generators of this instance.\n[]\n\n# The end.\n',
    );
  });

  test('the comment that begins the file stays', () => {
    expect(remove('# All of them.\n- {id: a, path: a}\n- {id: b, path: b}\n', 'a')).toBe(
      '# All of them.\n- {id: b, path: b}\n',
    );
  });

  test('from a list in brackets', () => {
    const text = remove('[{id: a, path: a}, # one\n {id: b, path: b}] # two\n', 'a');
    expect(idsOf(text)).toEqual(['b']);
    expect(text).toContain('# two');
  });

  test('whose anchor another entry uses, which keeps its value', () => {
    const text = '- {id: a, path: a, params: &p {n: 1}}\n- {id: b, path: b, params: *p} # borrowed\n';
    const next = remove(text, 'a');
    expect(entriesOf(next)).toEqual(entriesOf(text).slice(1));
    expect(next).toContain('# borrowed');
  });

  test('beside a block text with significant blank lines', () => {
    const text = '- id: a\n  path: a\n  params:\n    t: |+\n      x\n\n\n- {id: b, path: b}\n';
    expect(entriesOf(remove(text, 'b'))).toEqual(entriesOf(text).slice(0, 1));
    expect(remove(text, 'a')).toBe('- {id: b, path: b}\n');
  });

  test('that was appended last: the text is what it was', () => {
    for (const text of [TEXT, '- {id: b, path: b}\n', '# none\n\n[]\n', '[]\n']) {
      expect(remove(append(text, 'new'), 'new')).toBe(text);
    }
  });
});

describe('an entry is replaced', () => {
  test('with what was read: no byte changes', () => {
    for (const entry of entriesOf(TEXT)) expect(replace(TEXT, entry.id, shown(entry))).toBe(TEXT);
  });

  test('a scalar changes and no other line', () => {
    const [access, orders] = entriesOf(TEXT);
    expect(replace(TEXT, 'access', { ...shown(access as StartupEntry), path: '/g/b.yml' })).toBe(
      TEXT.replace('  path:   access/generator.yml', '  path: b.yml'),
    );
    expect(replace(TEXT, 'orders', { ...shown(orders as StartupEntry), batch: { size: 6, delay: 2 } })).toBe(
      TEXT.replace('size: 5  #', 'size: 6 #'),
    );
  });

  test('a key is added and removed in its lines; comments in them stay, the others do not change', () => {
    const next = replace(TEXT, 'orders', bodyOf('orders', { scenarios: ['day'], timezone: 'UTC' }));
    const [before = '', after = ''] = TEXT.split(/- id: orders[\s\S]*night\]\n/);
    expect(next.startsWith(before)).toBe(true);
    expect(next.endsWith(after)).toBe(true);
    expect(entriesOf(next)[1]).toMatchObject({ scenarios: ['day'], timezone: 'UTC', batch: { size: 50 } });
    expect(next).not.toContain('batch');
  });

  test('a default that the file does not spell out is not written, be it of the settings', () => {
    const next = replace(
      TEXT,
      'access',
      bodyOf('access', { timezone: 'Europe/Berlin', live_mode: true, seed: 's' }),
    );
    expect(next).toBe(TEXT.replace('access/generator.yml\n', 'access/generator.yml\n  seed: s\n'));
  });

  test('keys are added, removed and changed without touching other lines', () => {
    const text = `- path:   a.yml   # where
  id: a
  scenarios: [ 'one',  two ]  # in
  params:   # of it
    n:  1
    # the text
    t: |
      x
  seed:  's'
`;
    const body = { path: 'a.yml', params: { n: 1, t: 'x\n' } };
    expect(replace(text, 'a', { ...body, scenarios: ['two', 'a b'], seed: 't', autostart: false })).toBe(
      text
        .replace("[ 'one',  two ]  #", "[ 'two', a b ] #")
        .replace("seed:  's'", "seed: 't'")
        .concat('  autostart: false\n'),
    );
    expect(replace(text, 'a', { path: 'a.yml', seed: 's', retry: { attempts: 2 } })).toBe(
      "- path:   a.yml   # where\n  id: a\n  seed:  's'\n  retry:\n    attempts: 2\n",
    );
    const alone = text.replace(/.*two.*\n/, '');
    expect(replace(text, 'a', { ...body, seed: 's' })).toBe(alone);
    expect(replace(alone, 'a', { ...body, seed: 's', scenarios: ['x', 'y'] })).toBe(
      `${alone}  scenarios: [x, y]\n`,
    );
  });

  test('in an indented list with Windows line ends', () => {
    const text = '# x\r\n  - id: a # one\r\n    path: a\r\n  - {id: b, path: b}\r\n';
    expect(replace(text, 'a', { path: 'a', autostart: false })).toBe(
      '# x\r\n  - id: a # one\r\n    path: a\r\n    autostart: false\r\n  - {id: b, path: b}\r\n',
    );
  });

  test('whose values are aliases of another entry, which keeps its value', () => {
    const text = '- {id: a, path: a, params: &p {n: 1}} # one\n- {id: b, path: b, params: *p} # two\n';
    for (const [at, id] of ['a', 'b'].entries()) {
      const next = replace(text, id, { path: id, params: { n: 2 } });
      expect(entriesOf(next)[1 - at]).toEqual(entriesOf(text)[1 - at]);
      expect(entriesOf(next)[at]?.params).toEqual({ n: 2 });
      expect([next.includes('# one'), next.includes('# two')]).toEqual([true, true]);
    }
  });

  test('keeps a hand-written path outside of the directory and accepts no other', () => {
    const text = '- {id: a, path: /elsewhere/a.yml}\n';
    const [entry] = entriesOf(text);
    const body = shown(entry as StartupEntry);
    expect(body['path']).toBe('/elsewhere/a.yml');
    const replaced = { written: {}, path: '/elsewhere/a.yml' };
    const kept = entryOf('a', { ...body, autostart: false }, replaced);
    expect(change(text, { changed: new Map([[0, kept]]) })).toContain('/elsewhere/a.yml');
    expect(left(newEntry('a', { ...body, path: '/elsewhere/b.yml' }, CONTEXT, replaced)).code).toBe(
      'invalid',
    );
  });
});

describe('a file that is no list', () => {
  test.each([
    ['- [', /^s\.yml:1:\d+/],
    ['a: 1', /list of generators/],
  ])('%j cannot be opened for changes, and says where', (text, message) => {
    expect(left(openStartup(text, FILE, CONTEXT))).toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(message),
    });
  });

  test('an invalid entry keeps its position, and a change that would give it another meaning is refused', () => {
    const text = '- {id: a, path: a}\n- {id: a, path: b}\n- {id: c, path: c}\n';
    const was = open(text);
    expect(was.slots.map((entry) => entry?.id ?? null)).toEqual(['a', null, 'c']);
    expect(change(text, { changed: new Map([[2, null]]) })).toBe('- {id: a, path: a}\n- {id: a, path: b}\n');
    const first = { changed: new Map([[0, null]]), appended: [] };
    expect(left(changeStartup(was, first, CONTEXT)).code).toBe('unwritable');
    expect(change(text, { changed: new Map([[1, null]]) })).toBe('- {id: a, path: a}\n- {id: c, path: c}\n');
  });

  test('a change that would make it too large is refused', () => {
    const big = entryOf('a', bodyOf('a', { params: { t: 'x'.repeat(1_040_000) } }));
    for (const [character, length] of [['x', 530_000] as const, ['\u00e4', 500_000] as const]) {
      const text = character.repeat(length);
      const other = entryOf('b', bodyOf('b', { params: { t: text, u: text } }));
      const result = changeStartup(open(''), { changed: new Map(), appended: [big, other] }, CONTEXT);
      expect(E.isLeft(result) && result.left.code).toBe('too_large');
    }
  });
});

describe('any list', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom(
      'yes',
      'null',
      '1',
      '# x',
      'a: b',
      "it's",
      '\n',
      'x\n\n',
      ' x\n# y\n',
      '- a',
      '${params.a}',
      '...',
    ),
  );
  const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
  const body: fc.Arbitrary<JsonObject> = fc.record(
    {
      path: fc.constantFrom('a/generator.yml', 'b c/x.yml', "it's.yml"),
      params: fc.dictionary(word, fc.oneof(json, word), { maxKeys: 3 }),
      scenarios: fc.uniqueArray(fc.constantFrom('shop', 'night', 'a b', 'null', '#1'), { maxLength: 3 }),
      batch: fc.record(
        { size: fc.integer({ min: 1, max: 9 }), delay: fc.constantFrom(1, 2, null) },
        { requiredKeys: [] },
      ),
      timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
      live_mode: fc.boolean(),
      seed: fc.constantFrom('s', '42'),
      autostart: fc.boolean(),
    },
    { requiredKeys: ['path'] },
  );

  interface Written {
    readonly text: string;
    /** Lines of each entry, comments of its own included. */
    readonly pieces: readonly string[];
  }

  /** A file as people write it: comments before, behind and inside, blank lines, any indent and style. */
  const written = fc
    .record({
      bodies: fc.array(fc.tuple(body, fc.constantFrom('block', 'flow', 'dotted'), fc.nat(3), fc.boolean()), {
        maxLength: 6,
      }),
      indent: fc.constantFrom(0, 0, 2),
      eol: fc.constantFrom('\n', '\n', '\r\n'),
      hasHeader: fc.boolean(),
      footer: fc.constantFrom('', '# end\n', '\n# end\n\n'),
    })
    .map(({ bodies, indent, eol, hasHeader, footer }): Written => {
      const pieces = bodies.map(([given, style, comments, isSpaced], index) => {
        const { batch, ...rest } = { id: `g${index}`, ...given } as JsonObject;
        const dotted = Object.fromEntries(
          Object.entries((batch ?? {}) as JsonObject).map(([key, value]) => [`batch.${key}`, value]),
        );
        const entry =
          style === 'dotted' ? { ...rest, ...dotted } : batch === undefined ? rest : { ...rest, batch };
        const yaml = stringify([entry], {
          lineWidth: 0,
          collectionStyle: style === 'flow' ? 'flow' : 'block',
        });
        const lines = style === 'flow' ? `- ${JSON.stringify(entry)}\n` : yaml;
        const own = (comments & 1) === 1 ? lines.replace(/^(- id: g\d+)$/m, `$1 # inside ${index}`) : lines;
        const block = `${(comments & 2) === 2 ? `# above ${index}\n` : ''}${own}`;
        return { block: block.replaceAll(/^(?=[^\n])/gm, ' '.repeat(indent)), isSpaced };
      });
      const body = pieces.map(({ block, isSpaced }) => (isSpaced ? `\n${block}` : block)).join('');
      const text = `${hasHeader ? '# header\n\n' : ''}${body}${footer}`;
      return {
        text: text.replaceAll('\n', eol),
        pieces: pieces.map(({ block }) => block.replaceAll('\n', eol)),
      };
    });

  /** Every line of every other entry, and every comment around them, is still there. */
  const expectOthersKept = (text: string, next: string, pieces: readonly string[]): void => {
    for (const piece of pieces) expect(next).toContain(piece.trimEnd());
    for (const comment of ['# header', '# end']) expect(next.includes(comment)).toBe(text.includes(comment));
  };

  test('an appended entry changes no other line', () => {
    fc.assert(
      fc.property(written, body, ({ text, pieces }, added) => {
        const entry = entryOf('new', added);
        const next = change(text, { appended: [entry] });
        expect(entriesOf(next)).toEqual([...entriesOf(text), entry.entry]);
        expectOthersKept(text, next, pieces);
        const head = text.replace(/\s*# end\s*$/, '').trimEnd();
        expect(next.startsWith(head)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('a removed entry changes no other', () => {
    fc.assert(
      fc.property(written, fc.infiniteStream(fc.boolean()), ({ text, pieces }, picks) => {
        const all = entriesOf(text);
        const gone = new Map<number, null>();
        for (const index of all.keys()) if (picks.next().value === true) gone.set(index, null);
        const next = change(text, { changed: gone });
        expect(entriesOf(next)).toEqual(all.filter((_, index) => !gone.has(index)));
        expectOthersKept(
          text,
          next,
          pieces.filter((_, index) => !gone.has(index)),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('a replaced entry keeps the lines of the others, although its text ends with blank lines above a comment', () => {
    const text = '- {"id":"g0","path":"a/generator.yml"}\n- id: g1\n  path: a/generator.yml\n# end\n';
    const entry = entryOf('g1', { path: 'a/generator.yml', params: { x: 'x\n\n' } });
    const next = change(text, { changed: new Map([[1, entry]]) });
    expect(next.startsWith('- {"id":"g0","path":"a/generator.yml"}\n')).toBe(true);
    expect(entriesOf(next)[1]).toEqual(entry.entry);
  });

  test('a replaced entry has its new value and changes no other', () => {
    fc.assert(
      fc.property(written, body, fc.nat(), ({ text, pieces }, given, pick) => {
        const all = entriesOf(text);
        fc.pre(all.length > 0);
        const at = pick % all.length;
        const entry = entryOf(`g${at}`, given);
        const next = change(text, { changed: new Map([[at, entry]]) });
        expect(entriesOf(next)).toEqual(all.map((one, index) => (index === at ? entry.entry : one)));
        expectOthersKept(
          text,
          next,
          pieces.filter((_, index) => index !== at),
        );
        for (const comment of [`# above ${at}`, `# inside ${at}`])
          expect(next.includes(comment)).toBe(text.includes(comment));
      }),
      { numRuns: 200 },
    );
  });

  test('an entry written back unchanged changes no byte', () => {
    fc.assert(
      fc.property(written, ({ text }) => {
        const changed = new Map(
          entriesOf(text).map((entry, index) => [index, entryOf(entry.id, shown(entry))] as const),
        );
        expect(change(text, { changed })).toBe(text);
      }),
    );
  });
});
