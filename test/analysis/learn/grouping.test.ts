import { describe, expect, test } from '@jest/globals';
import { learn } from '../../../src/analysis/learn/learn.js';
import { recordsOf } from '../../../src/analysis/learn/records.js';
import { right } from '../../support/either.js';
import { type Labelled, LOGS, START } from './styledLogs.js';

const learned = (texts: readonly string[]) =>
  right(learn(recordsOf(texts.join('\n')), { seed: 's', keep_values: true, now: START * 2_000 }));

/** Share of the lines whose group holds the lines of their template and no other (Zhu et al., ICSE-SEIP 2019). */
const accuracyOf = (groups: readonly string[], templates: readonly (number | string)[]): number => {
  const membersOf = (keys: readonly (number | string)[]): readonly string[] => {
    const members = new Map<number | string, number[]>();
    for (const [at, key] of keys.entries()) members.set(key, [...(members.get(key) ?? []), at]);
    const texts = new Map([...members].map(([key, list]) => [key, list.join()]));
    return keys.map((key) => texts.get(key) ?? '');
  };
  const [own, wanted] = [membersOf(groups), membersOf(templates)];
  return own.filter((members, at) => members === wanted[at]).length / own.length;
};

const groupedBy = (lines: readonly Labelled[], textOf: (line: Labelled) => string): number => {
  const texts = lines.map(textOf);
  const { shapeOf } = learned(texts);
  return accuracyOf(
    texts.map((text, at) => shapeOf(text) ?? `none ${at}`),
    lines.map(({ template }) => template),
  );
};

describe.each(LOGS)('a log of %s', (_, linesIn) => {
  test('is grouped with its header as it is without', () => {
    const lines = linesIn();
    const bare = groupedBy(lines, ({ time, message }) => `${time} ${message}`);
    const whole = groupedBy(lines, ({ time, header, message }) => `${time} ${header}${message}`);
    expect(whole).toBeGreaterThanOrEqual(bare - 0.05);
  });
});

/** Lines a second apart. */
const timed = (line: (at: number) => string): readonly string[] =>
  Array.from(
    { length: 200 },
    (_, at) => `${new Date(START + at * 1_000).toISOString().slice(0, 19).replace('T', ' ')} ${line(at)}`,
  );
const namesIn = (texts: readonly string[]): readonly string[] => [
  ...new Set(learned(texts).model.shapes.flatMap(({ names }) => names)),
];

describe('a header', () => {
  test('becomes fields of its own, whose values stay what they were', () => {
    const lines = timed(
      (at) =>
        `${['INFO ', 'ERROR', 'WARN '][at % 3]} [worker ${at % 5}] shop.${['Cart', 'Till'][at % 2]}: ${['sold', 'took back'][at % 2]} ${at} pieces`,
    );
    const { model, tally } = learned(lines);
    expect(model.shapes.map(({ count }) => count)).toEqual([100, 100]);
    expect([...(tally.fields.get('message.level')?.values ?? [])]).toEqual([
      ['INFO ', 67],
      ['ERROR', 67],
      ['WARN ', 66],
    ]);
    expect([...(tally.fields.get('message.component')?.values.keys() ?? [])]).toEqual([
      'shop.Cart',
      'shop.Till',
    ]);
  });

  test.each<[string, (at: number) => string, readonly string[]]>([
    [
      'sentences',
      (at) => `user u${at % 7} took ${at} apples from box ${at % 3}`,
      ['message.user', 'message.took', 'message.box'],
    ],
    [
      'names before values',
      (at) => `seq: ${at * 7}, free: ${at % 9}, at work: ${at % 4}`,
      ['message.seq', 'message.free', 'message.work'],
    ],
    [
      'small words that are levels, too',
      (at) => `error ${at % 9} in block ${at % 50} of disk`,
      ['message.error', 'message.block'],
    ],
  ])('is not seen in %s', (_, line, names) => {
    expect(namesIn(timed(line))).toEqual(['time', ...names]);
  });
});
