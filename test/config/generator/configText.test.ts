import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { stringify } from 'yaml';
import { readBackConfig } from '../../../src/config/generator/config.js';
import { newConfigText, updateConfigText } from '../../../src/config/generator/configText.js';
import type { Json } from '../../../src/domain/json.js';
import { codePoint } from '../../support/codePoint.js';
import { left, right, shape } from '../support.js';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
const read = (text: string): Json => right(readBackConfig(text, 'f.yml', shape));
const update = (text: string, body: Json): string => right(updateConfigText(text, body, shape));

/** A deep copy to change. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into documents of any form
const copy = (value: Json): any => JSON.parse(JSON.stringify(value));

const TEXT = `# about the file

# about inputs
input:   # odd   spacing
  # about cron
  - cron:
      expression: "* * * * *"   # each minute
      count: 3 # three
  # about static
  - static: {count: 1}

event:
  replay.path: 'a.log' # dotted
# about outputs
output:
- file:
    mode: append
    headers: {x.y: a, # inline
      z: b}
    # about the password
    password: \${secrets.p}
`;

describe('a new text', () => {
  test('is YAML in block style', () => {
    expect(newConfigText({ input: [{ cron: { count: 1, expression: '* * * * *' } }] })).toBe(
      'input:\n  - cron:\n      count: 1\n      expression: "* * * * *"\n',
    );
  });

  test('has the same value for any content', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
        fc.string({ unit: codePoint }),
        (free, text) => {
          const body = {
            input: [{ static: { count: 1 } }],
            event: { script: { params: JSON.parse(JSON.stringify(free)) as Json } },
            output: [{ file: { password: text } }],
          };
          expect(read(newConfigText(body))).toMatchObject(body);
        },
      ),
    );
  });
});

describe('an update', () => {
  test('with what was read changes no byte', () => {
    expect(update(TEXT, read(TEXT))).toBe(TEXT);
  });

  test('with fewer keys of the same meaning changes no byte', () => {
    const body = copy(read(TEXT));
    delete body.output[0].file.mode;
    delete body.input[0].cron.tags;
    expect(update(TEXT, body)).toBe(TEXT);
  });

  test('of scalars changes no other byte', () => {
    const body = copy(read(TEXT));
    body.input[0].cron.count = 4;
    body.event.replay.path = 'b.log';
    const text = update(TEXT, body);
    expect(read(text)).toEqual(body);
    expect(text).toBe(TEXT.replace('count: 3', 'count: 4').replace('a.log', 'b.log'));
  });

  test('writes a default that is given another value, and nothing else', () => {
    const body = copy(read(TEXT));
    body.event.replay.repeat = true;
    body.output[0].file.formatter = { format: 'json', indent: 2 };
    const text = update(TEXT, body);
    expect(read(text)).toEqual(body);
    expect(text).toContain("replay.path: 'a.log' # dotted\n  replay.repeat: true\n");
    expect(text).toMatch(/formatter:\n\s+format: json\n\s+indent: 2\n/);
    expect(text).not.toContain('isOn');
    for (const comment of TEXT.match(/#[^\n]*/g) ?? []) expect(text).toContain(comment);
  });

  test.each(["it's", 'yes', 'null', '5', '-', '...', 'a: b', 'a #b', '\n', '\u2028', '', ' x', '[', 'b.log'])(
    'of a text by %j in any style of quotes says exactly that',
    (path) => {
      for (const old of ['a', "'a'", '"a"', '|-\n      a', '&x a']) {
        const text = `input: [{static: {count: 1}}] # c\nevent:\n  replay:\n    path: ${old}\noutput: []\n`;
        const body = copy(read(text));
        body.event.replay.path = path;
        const updated = update(text, body);
        expect(read(updated)).toEqual(body);
        expect(updated).toContain('# c');
      }
    },
  );

  test('removes a key that is gone, with its default in force again', () => {
    const text = TEXT.replace('mode: append', 'mode: overwrite');
    const body = copy(read(text));
    delete body.output[0].file.mode;
    const updated = update(text, body);
    expect(updated).not.toContain('mode:');
    expect(read(updated)).toEqual(read(TEXT));
  });

  test('removes a key with its own comments only', () => {
    const text = `# file

# heading

# about one
input: [{static: {count: 1}}]
event:
  script:
    # heading

    # about a
    params:
      a: 1 # one
      # inside

# about output
output: []

# end
`;
    const body = copy(read(text));
    body.event.script = {};
    const updated = update(text, body);
    expect(read(updated)).toEqual({ ...body, event: { script: { params: {} } } });
    for (const kept of ['# file', '# heading', '# about one', '# about output', '# end'])
      expect(updated).toContain(kept);
    for (const gone of ['# about a', '# one', '# inside']) expect(updated).not.toContain(gone);
  });

  test('adds and removes list items by position', () => {
    const longer = copy(read(TEXT));
    longer.input.push({ static: { count: 9 } });
    const grown = update(TEXT, longer);
    expect(read(grown)).toEqual(longer);
    expect(grown).toContain('# about static');
    const shorter = copy(read(TEXT));
    shorter.input.pop();
    shorter.output = [];
    const shrunk = update(TEXT, shorter);
    expect(read(shrunk)).toEqual(shorter);
    expect(shrunk).toContain('# about cron');
    expect(shrunk).not.toContain('static:');
  });

  test('replaces a kind', () => {
    const body = copy(read(TEXT));
    body.input[1] = { cron: { expression: 'x', count: 2 } };
    body.event = { script: { params: { deep: [1] } } };
    expect(read(update(TEXT, body))).toMatchObject(body);
  });

  test('keeps a placeholder that is written back, and takes a new one', () => {
    const body = copy(read(TEXT));
    body.input[0].cron.count = '${params.n:-3}';
    const text = update(TEXT, body);
    expect(text).toContain('password: ${secrets.p}');
    expect(text).toContain('count: ${params.n:-3} # three');
  });

  test('keeps Windows line ends and the width of the indent', () => {
    const text =
      'input:\r\n    - static: {count: 1} # a\r\nevent:\r\n    replay:\r\n        path: a\r\noutput: []\r\n';
    const body = copy(read(text));
    body.event.replay.path = 'b';
    expect(update(text, body)).toBe(text.replace('path: a', 'path: b'));
  });

  test('keeps each other line as it was, in any layout', () => {
    const text = `\uFEFF# top


input:
    -   cron: {expression: "* * * *
          *", count: 3,   # three
          tags: [a,
            b]}
    - static: { "count":  0x1f }\t# hex
event:
  script:
    params:   # of it
      folded: >-
        one
        two

        three
      literal: |2
          indented
      "two  words":   'it''s'
output: [ {file: {mode:   append}},
  {stdout: {}}
  ] # last


# end`;
    const body = copy(read(text));
    body.event.script.params['two  words'] = 'x';
    body.event.script.params.more = { list: [1, 2] };
    expect(update(text, body)).toBe(
      text.replace(`:   'it''s'\n`, `: 'x'\n      more:\n        list: [ 1, 2 ]\n`),
    );
  });

  test('of a text that differs in too many lines from what would be printed keeps its comments', () => {
    const lines = Array.from({ length: 2_100 }, (_, i) => `      k${i}: >-\n        a\n        b\n`).join('');
    const text = `input: [{static: {count: 1}}] # c\nevent:\n  script:\n    params:\n${lines}output: []\n`;
    const body = copy(read(text));
    body.input[0].static.count = 2;
    const updated = update(text, body);
    expect(read(updated)).toEqual(body);
    expect(updated).toContain('# c');
  });

  test('of one use of an alias leaves the others alone', () => {
    const text =
      'input:\n  - static: &s {count: 1} # one\n  - static: *s # two\nevent: {replay: {path: a}}\noutput: []\n';
    for (const index of [0, 1]) {
      const body = copy(read(text));
      body.input[index].static.count = 5;
      const updated = update(text, body);
      expect(read(updated)).toEqual(body);
      expect(updated).toContain('# one');
      expect(updated).toContain('# two');
    }
  });

  test('of a text that cannot be read replaces it', () => {
    const body = read(TEXT);
    for (const old of ['a: [', '', '- x', 'nope: 1']) expect(read(update(old, body))).toEqual(body);
  });

  test.each<[string, Json]>([
    ['an unknown key', { input: [], event: {}, output: [], more: 1 }],
    ['a text', 'x'],
    ['null', null],
  ])('with %s is refused and says where', (_, body) => {
    expect(left(updateConfigText(TEXT, body, shape)).code).toBe('invalid');
  });

  test('with a body larger than a file may be is refused', () => {
    const big = {
      input: [{ static: { count: 1 } }],
      event: {
        script: {
          params: Object.fromEntries(['a', 'b', 'c'].map((key) => [key, 'x'.repeat(1_000_000)])),
        },
      },
      output: [],
    };
    expect(left(updateConfigText(TEXT, big, shape)).code).toBe('too_large');
  });
});

describe('any config', () => {
  const key = fc.string({ minLength: 1, maxLength: 6 });
  const word = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('yes', 'null', '1', '# x', 'a: b', "it's", '"q"', '\n', ' x', '-', '${params.a}'),
  );
  const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
  const format = fc.oneof(
    fc.constant({ format: 'plain' }),
    fc.record({ format: fc.constant('json'), indent: fc.nat(8) }, { requiredKeys: ['format'] }),
  );
  const input = fc.oneof(
    fc.record({
      cron: fc.record(
        {
          expression: word,
          count: fc.integer({ min: 1, max: 9 }),
          tags: fc.array(word, { maxLength: 3 }),
          start: fc.option(word),
        },
        { requiredKeys: ['expression', 'count'] },
      ),
    }),
    fc.record({ static: fc.record({ count: fc.nat(9) }) }),
  );
  const event = fc.oneof(
    fc.record({ replay: fc.record({ path: word, repeat: fc.boolean() }, { requiredKeys: ['path'] }) }),
    fc.record({
      script: fc.record({ params: fc.dictionary(key, json, { maxKeys: 3 }) }, { requiredKeys: [] }),
    }),
  );
  const output = fc.oneof(
    fc.record({
      file: fc.record(
        {
          formatter: format,
          mode: fc.constantFrom('append', 'overwrite'),
          headers: fc.dictionary(key, word, { maxKeys: 3 }),
          password: word,
          isOn: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    }),
    fc.record({ stdout: fc.record({ formatter: format }, { requiredKeys: [] }) }),
  );
  const config = fc.record({
    input: fc.array(input, { minLength: 1, maxLength: 3 }),
    event,
    output: fc.array(output, { maxLength: 3 }),
  });

  /** YAML with a comment of its own behind each short line and before some. */
  const commented = (value: unknown): { readonly text: string; readonly comments: readonly string[] } => {
    const comments: string[] = [];
    const lines = stringify(value, { lineWidth: 0, blockQuote: false }).split('\n');
    const text = lines.map((line, i) => {
      const isBefore = i % 3 === 0;
      if (!/^[ -]*[a-z]+:/.test(line) || (!isBefore && line.includes('#'))) return line;
      comments.push(`# c${i}.`);
      return isBefore ? `${/^ */.exec(line)?.[0] ?? ''}# c${i}.\n${line}` : `${line} # c${i}.`;
    });
    return { text: text.join('\n'), comments };
  };

  test('written back as it was read keeps every byte', () => {
    fc.assert(
      fc.property(config, (value) => {
        const { text } = commented(value);
        expect(update(text, read(text))).toBe(text);
      }),
    );
  });

  test('replaced by any other has the meaning of the other', () => {
    fc.assert(
      fc.property(config, config, (one, other) => {
        const { text } = commented(one);
        const updated = update(text, other);
        expect(read(updated)).toEqual(read(stringify(other)));
        expect(update(updated, other as Json)).toBe(updated);
      }),
    );
  });

  test('keeps all comments when only scalars change', () => {
    fc.assert(
      fc.property(config, fc.integer({ min: 1, max: 9 }), word, (value, count, path) => {
        const { text, comments } = commented(value);
        const body = copy(read(text));
        for (const one of body.input) (one.cron ?? one.static).count = count;
        if (body.event.replay) body.event.replay.path = path;
        const updated = update(text, body);
        expect(read(updated)).toEqual(body);
        for (const comment of comments) expect(updated).toContain(comment);
      }),
    );
  });

  test('never makes the update fail on an old text of any form', () => {
    fc.assert(
      fc.property(fc.string(), config, (old, value) => {
        expect(E.isRight(updateConfigText(old, value as Json, shape))).toBe(true);
      }),
    );
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
