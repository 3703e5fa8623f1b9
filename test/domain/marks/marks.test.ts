import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { keyOf, type Mark, type MarkMode, makeToken, PUT_MARK } from '../../../src/domain/marks/mark.js';
import { looksTorn, readMarks, squeezeJson } from '../../../src/domain/marks/read.js';

const MARK: Mark = { stream: 0x00abcdef, sequence: 17, micros: 1_767_225_600_000_001 };

const KEY = keyOf(MARK);

const anyMark = fc.record({
  stream: fc.integer({ min: 0, max: 0xffff_ffff }),
  sequence: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  micros: fc.maxSafeInteger(),
});
const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom('a', ' ', '\t', '"', '{', '}', ':', '0', '\\', 'é', '😀', ' spate=', '\r'),
);
/** Any text of one line, with lone surrogates. */
const anyLine = fc.array(unit, { maxLength: 60 }).map((units) => units.join('').replaceAll('\n', ''));

const put = (mode: MarkMode, event: string, mark: Mark = MARK): string => {
  const marked = PUT_MARK[mode](event, keyOf(mark));
  if (E.isLeft(marked)) throw new Error(marked.left);
  return marked.right;
};

const read = (line: string | Buffer) => {
  const bytes = Buffer.concat([Buffer.from('}x\t'), Buffer.from(line), Buffer.from('\n1:2')]);
  return readMarks(bytes, 3, bytes.length - 4);
};

const verdictOf = (line: string | Buffer) => {
  const { marks } = read(line);
  return marks.map(({ verdict, token: { stream, sequence, micros } }) => ({
    verdict,
    mark: { stream, sequence, micros },
  }));
};

const INTACT = [{ verdict: 'intact', mark: MARK }];

/** One JSON value with keys and texts of all kinds. */
const anyJson = fc
  .dictionary(
    fc.oneof(anyLine, fc.constantFrom('__proto__', '1', '0', 'constructor', '')),
    fc.jsonValue({ stringUnit: 'binary' }),
    { maxKeys: 6 },
  )
  .filter((value) => !Object.hasOwn(value, 'spate'));

describe('a mark', () => {
  test('is appended to a text or a row, and is the last member of a JSON object', () => {
    const token = '00abcdef:17:1767225600000001';
    expect(put('text', 'GET /')).toBe(`GET / spate=${makeToken('GET /', KEY)}`);
    expect(put('text', 'GET /')).toMatch(new RegExp(`^GET / spate=${token}:[0-9a-f]{8}$`));
    expect(put('tsv', 'a\tb')).toBe(`a\tb\t${makeToken('a\tb', KEY)}`);
    expect(put('json', '{"a":1}')).toBe(`{"a":1,"spate":"${makeToken('{"a":1}', KEY)}"}`);
    expect(put('json', ' {"a": 1\n} ')).toBe(` {"a": 1,"spate":"${makeToken('{"a":1}', KEY)}"\n} `);
    expect(put('json', '{ }')).toBe(`{"spate":"${makeToken('{}', KEY)}" }`);
  });

  test('carries the CRC-32 of text, line feed and the token before it', () => {
    // Worked out with Python's zlib: crc32(b"GET /\n00abcdef:17:1767225600000001").
    expect(makeToken('GET /', KEY)).toBe('00abcdef:17:1767225600000001:938a6213');
  });

  test('is found and intact in any text', () => {
    fc.assert(
      fc.property(anyLine, anyMark, fc.constantFrom('text', 'tsv'), (text, mark, mode) => {
        expect(verdictOf(put(mode as MarkMode, text, mark))).toEqual([{ verdict: 'intact', mark }]);
        expect(verdictOf(`${put(mode as MarkMode, text, mark)}\r`)).toEqual([{ verdict: 'intact', mark }]);
      }),
      { seed: 1, numRuns: 1_000 },
    );
  });

  test('is found and intact in any JSON object, with any white space', () => {
    fc.assert(
      fc.property(anyJson, anyMark, fc.constantFrom(undefined, 1, ' ', '\t'), (value, mark, indent) => {
        const event = JSON.stringify(value, null, indent);
        const marked = put('json', event, mark);
        const intact = [{ verdict: 'intact', mark }];
        expect(verdictOf(marked.replaceAll('\n', ' '))).toEqual(intact);
        expect(verdictOf(JSON.stringify(JSON.parse(marked)))).toEqual(intact);
        expect(JSON.parse(marked)).toEqual({ ...JSON.parse(event), spate: expect.any(String) });
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test.each([
    '{"n":12345678901234567890123,"m":1e400,"z":-0,"f":1.10}',
    '{"a":"\ud800","b":"\\udc00"}',
    '{"\ud800":1,"\ufffd":2}',
    '{"a":1,"a":2}',
    '{"2":1,"1":2}',
    `{"deep":${'['.repeat(900)}${']'.repeat(900)}}`,
    '\t{"a" : "}" }\r',
  ])('is right in %.60s', (event) => {
    expect(verdictOf(put('json', event))).toEqual(INTACT);
  });

  test.each([
    ['[]', 'not a JSON object'],
    ['"text"', 'not a JSON object'],
    ['{"a":1', 'not a JSON object'],
    ['', 'not a JSON object'],
    ['{"spate":1}', 'already'],
    ['{"\\u0073pate":1}', 'already'],
    [`{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`, 'nested too deeply'],
  ])('is refused by the event %.20s: %s', (event, reason) => {
    const refused = PUT_MARK.json(event, keyOf(MARK));
    expect(E.isLeft(refused) ? refused.left : 'taken').toContain(reason);
  });

  test('is broken or gone when any character of the line changes', () => {
    for (const mode of ['text', 'tsv', 'json'] as const) {
      const line = put(mode, '{"text":"abc","n":[1]}');
      for (let i = 0; i < line.length; i++) {
        const changed = line.slice(0, i) + (line[i] === '7' ? '8' : '7') + line.slice(i + 1);
        expect(verdictOf(changed).filter(({ verdict }) => verdict === 'intact')).toEqual([]);
      }
    }
  });

  test('is broken when bytes are not UTF-8 any more', () => {
    for (const mode of ['text', 'json'] as const) {
      const line = Buffer.from(put(mode, '{"text":"é"}'));
      line[line.indexOf(0xc3)] = 0xff;
      expect(verdictOf(line)).toMatchObject([{ verdict: 'broken' }]);
    }
  });

  test('alone on its line has no text that could be checked', () => {
    const token = makeToken('the text', KEY);
    const unchecked = [{ verdict: 'unchecked', mark: MARK }];
    expect(verdictOf(token)).toEqual(unchecked);
    expect(verdictOf(`spate=${token}`)).toEqual(unchecked);
    expect(verdictOf(`{"spate":"${token}"}`)).toEqual(unchecked);
    expect(verdictOf(`  "spate": "${token}"`)).toEqual(unchecked);
    expect(verdictOf(put('text', ''))).toEqual(INTACT);
    expect(verdictOf(put('tsv', ''))).toEqual(INTACT);
    expect(verdictOf(put('json', '{}'))).toEqual(INTACT);
  });

  test('is found in each event of a JSON array', () => {
    const second = { ...MARK, sequence: 18 };
    const array = `[${put('json', '{"a":1}')}, ${put('json', '{"b":2}', second)}, {"c":3}, 4]`;
    expect(verdictOf(array)).toEqual([...INTACT, { verdict: 'intact', mark: second }]);
    expect(read(array).unmarked).toBe(2);
  });

  test.each([
    'text',
    '',
    '{"a":1}',
    '{"spate":5}',
    '{"spate":"x"}',
    '{"a":{"spate":"00000001:1:1:00000000"}}',
    'x=00000001:1:1:00000000',
    'a spate=00000001:0:1:00000000',
    'a spate=00000001:9007199254740993:1:00000000',
    'a spate=00000001:12345678901234567890:1:00000000',
    'a spate=0000000A:1:1:00000000',
    'a spate=00000001::1:00000000',
    'a spate=00000001:1::00000000',
    'a spate=00000001:1:1:0000000',
    'a spate=:1:1:00000000',
  ])('is not found in %s', (line) => {
    expect(read(line)).toEqual({ marks: [], unmarked: 1 });
  });
});

describe('white space between JSON tokens', () => {
  test('is removed, except within texts', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(1, ' ', '\t'), (value, indent) => {
        const text = JSON.stringify({ a: 1, value }, null, indent);
        const bytes = Buffer.from(`"x${text}"`);
        const squeezed = squeezeJson(bytes, 2, bytes.length - 1);
        expect(squeezed?.toString()).toBe(JSON.stringify({ a: 1, value }));
      }),
      { seed: 1 },
    );
  });

  test('is not removed if there is none, too much, or the text is truncated', () => {
    const squeezed = (text: string) => squeezeJson(Buffer.from(text), 0, Buffer.byteLength(text));
    expect(squeezed('{"a b":[1]}')).toBeNull();
    expect(squeezed(`{ "a":"${'x'.repeat(70_000)}"}`)).toBeNull();
    expect(squeezed('{ "a\\')).toBeNull();
  });
});

describe('a torn line', () => {
  const torn = (line: string): boolean => {
    const bytes = Buffer.from(`{${line}}`);
    return looksTorn(bytes, 1, bytes.length - 1);
  };

  test('ends within its mark, or within a JSON object', () => {
    const text = put('text', 'abc');
    for (let to = 'abc spate='.length; to < text.length; to++) expect(torn(text.slice(0, to))).toBe(true);
    const tsv = put('tsv', 'abc');
    for (let to = 'abc\t00abcdef:'.length; to < tsv.length; to++) expect(torn(tsv.slice(0, to))).toBe(true);
    const json = put('json', '{"a":[1]}');
    for (let to = 2; to < json.length; to++) expect(torn(json.slice(0, to))).toBe(true);
  });

  test.each(['', '{', 'abc', 'a\tb', '{"a":1}', 'x spate=hello'])('%j is none', (line) => {
    expect(torn(line)).toBe(false);
  });
});
