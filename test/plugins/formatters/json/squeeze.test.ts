import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { TEXT_BYTES } from '../../../../src/plugins/formatters/json/squeeze/program.js';
import { makeSqueezer } from '../../../../src/plugins/formatters/json/squeeze/squeezer.js';
import { makeRespacer, type Refusal } from '../../../../src/plugins/formatters/shared/respace.js';

const respace = makeRespacer({ indent: 0, level: 0 });

/** Counts the events that the machine leaves to the general path. */
const counting = () => {
  let count = 0;
  const squeeze = makeSqueezer((text): string | Refusal => {
    count++;
    return respace(text);
  });
  if (squeeze === null) throw new Error('no WebAssembly');
  return { squeeze, generalPaths: () => count };
};

/** UTF-8 has no lone surrogates. */
const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

/** Both paths give the same lines and the same failures. */
const expectSame = (events: readonly string[]): void => {
  const { batch, failures } = counting().squeeze(textBatch(events));
  const expected = events.map((event) => ({ event: wellFormed(event), item: respace(wellFormed(event)) }));
  const lines = expected.flatMap(({ item }) => (typeof item === 'string' ? [item] : []));
  expect(batch.count).toBe(lines.length);
  expect(Buffer.from(batch.bytes('\n')).toString('utf8')).toBe(lines.map((line) => `${line}\n`).join(''));
  expect(failures).toEqual(
    expected.flatMap(({ event, item }) => (typeof item === 'string' ? [] : [{ event, reason: item.reason }])),
  );
};

const value = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 });
const layout = fc.constantFrom(undefined, 1, 2, 7, '\t', '                  ');
const valid = fc
  .tuple(value, layout, fc.constantFrom('', ' ', '\n', '\r\n\t'))
  .map(([each, indent, around]) => around + JSON.stringify(each, null, indent) + around);

/** A valid text with one place changed, cut off or doubled. */
const broken = fc
  .tuple(
    valid,
    fc.nat(),
    fc.constantFrom('', '"', '\\', ',', '}', '{', ']', '\n', '\u0001', '0', '-', 'e', 'é', '\ud800'),
  )
  .chain(([text, at, character]) => {
    const index = at % (text.length + 1);
    return fc.constantFrom(
      text.slice(0, index),
      text.slice(index),
      text.slice(0, index) + character + text.slice(index),
      text.slice(0, index) + character + text.slice(index + 1),
      text + text,
    );
  });

const pieces = fc
  .array(
    fc.constantFrom(
      ...'{}[],:"\\ \n\t'.split(''),
      ...[
        '"a"',
        '"\\u12aF"',
        '"\\u12',
        '"\\n"',
        '-',
        '0',
        '01',
        '1',
        '2.5',
        '.',
        'e',
        'E+1',
        'true',
        'fals',
        'false',
        'null',
        'nul',
        'é',
      ],
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('squeezing on the machine', () => {
  test('valid, broken and random texts give the lines and failures of the general path', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(valid, broken, pieces), { minLength: 1, maxLength: 6 }), expectSame),
      { numRuns: 3_000 },
    );
  });

  test('every number of the grammar, and none beyond it', () => {
    const number = fc
      .array(fc.constantFrom('-', '+', '0', '1', '9', '.', 'e', 'E', '00'), { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(number, (text) => expectSame([text, `[${text}]`, `{"a":${text}}`])),
      {
        numRuns: 3_000,
      },
    );
  });

  test('an event never reads on into the next one', () => {
    expectSame(['[1,', '2]', '{"a":', '1}', '"a', 'b"', '', '1', 'tru', 'e', '1 2', '', '  ', '3']);
  });

  test('special bytes are found at each place of a step', () => {
    for (const special of ['"', '\\', '\\"', '\\u00e9', '\n', '\u001f', 'é', '€', '😀', '\u007f']) {
      for (let before = 0; before < 36; before++) {
        expectSame([`["${'x'.repeat(before)}${special}${'y'.repeat(20)}"]`, `${' '.repeat(before)}["a"]`]);
        expectSame([`{"k":${' '.repeat(before)}1${'\t'.repeat(before)},${'\n'.repeat(before)}"l":[]}`]);
      }
    }
  });

  test('valid events need no second look', () => {
    const { squeeze, generalPaths } = counting();
    const events = [{ a: [1.5e-3, 'é"\\', null, true, false, { b: [] }] }, [[]], 'x', 0].map((each) =>
      JSON.stringify(each, null, 3),
    );
    expect(squeeze(textBatch(events)).failures).toEqual([]);
    expect(generalPaths()).toBe(0);
  });

  test('batches of any size, and events larger than the machine takes', () => {
    const large = JSON.stringify({ text: 'x'.repeat(TEXT_BYTES), list: [1, 2] });
    const dense = `[${Array.from({ length: TEXT_BYTES / 2 - 1 }, () => '1').join(',')}]`;
    const small = JSON.stringify({ list: Array.from({ length: 500 }, (_, index) => index) }, null, 2);
    expectSame([small, large, ...Array.from({ length: 300 }, () => small), dense, '[', `[${dense}`, small]);
  });

  test('depth ends where the general path ends', () => {
    for (const depth of [1, 9_999, 10_000, 10_001]) {
      expectSame([`${'['.repeat(depth)}${']'.repeat(depth)}`, '['.repeat(depth)]);
    }
  });
});
