import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import {
  globalsFiles,
  type JournalEntry,
  journalLine,
  parseJournal,
  parseState,
  stateText,
} from '../../actors/scenarios/store.js';
import { type Checkpoint, checkpointText, parseCheckpoint } from '../../src/domain/checkpoint.js';
import { failure } from '../../src/domain/errors.js';
import { codePoint } from '../support/codePoint.js';

const CHECKPOINT: Checkpoint = {
  inputs: [{ state: { next: 1_700_000_000_000_000 }, skip: 3 }],
  event: { lines: 12, offset: 4_096 },
  random: [12_345, 67_890],
  globals: { orders: 17, 'naïve 😀': '"} ,' },
  last: 1_700_000_000_000_000,
  fingerprint: { input: 'ab12', event: 'cd34' },
  seed: '42',
  now: 1_700_000_000_000_000,
  is_finished: false,
};

/** Every text that differs from `text` in one character, and every shorter beginning. */
const damaged = function* (text: string, others: string): Generator<string> {
  for (let at = 0; at < text.length; at++) {
    yield text.slice(0, at);
    for (const other of others)
      if (other !== text[at]) yield `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
  }
};

const throws = (parse: () => unknown): boolean => E.isLeft(E.tryCatch(parse, () => null));

describe('a saved checkpoint', () => {
  test('is read as it was written', () => {
    expect(parseCheckpoint(checkpointText(CHECKPOINT))).toEqual(E.right(CHECKPOINT));
  });

  test('is refused after any change of one character', () => {
    const text = checkpointText(CHECKPOINT);
    const whole = text.slice(0, -1);
    // A line feed at the end is no part of it.
    for (const other of damaged(text, '019ex "}\n,'))
      if (other.trimEnd() !== whole)
        expect([other, parseCheckpoint(other)]).toEqual([other, E.left(expect.any(String))]);
  });

  test('with any state is refused after a change of any character', () => {
    const states = fc.record({
      now: fc.maxSafeNat(),
      seed: fc.string({ unit: codePoint }),
      event: fc.jsonValue(),
    });
    fc.assert(
      fc.property(states, fc.nat(), fc.nat(0xffff), (state, at, unit) => {
        const text = checkpointText({
          ...CHECKPOINT,
          ...state,
          event: JSON.parse(JSON.stringify(state.event)),
        });
        const index = at % (text.length - 1);
        fc.pre(text.charCodeAt(index) !== unit);
        const flipped = `${text.slice(0, index)}${String.fromCharCode(unit)}${text.slice(index + 1)}`;
        expect(E.isLeft(parseCheckpoint(flipped))).toBe(true);
      }),
      { seed: 7, numRuns: 2_000 },
    );
  });

  test('of an earlier version has no checksum and is read', () => {
    const text = `${JSON.stringify({ version: 1, ...CHECKPOINT })}\n`;
    expect(parseCheckpoint(text)).toEqual(E.right(CHECKPOINT));
  });

  test('with a changed digit says that its checksum is wrong', () => {
    const text = checkpointText(CHECKPOINT).replace('"now":17', '"now":97');
    expect(parseCheckpoint(text)).toEqual(E.left('its checksum is wrong'));
  });
});

describe('saved globals', () => {
  const saved = stateText({ text: '{"sale":10,"note":"x"}', changeNumber: 4 });
  const change = { kind: 'shallow', values: { sale: 20 } } as JournalEntry['change'];

  test('are refused after any change of one character', () => {
    expect(parseState(saved)).toEqual({ text: '{"sale":10,"note":"x"}', changeNumber: 4 });
    for (const other of damaged(saved, '019ex "}\n,'))
      if (other.trimEnd() !== saved.slice(0, -1))
        expect([other, throws(() => parseState(other))]).toEqual([other, true]);
  });

  test('of an earlier version are read, and so is their journal', () => {
    expect(parseState('{"change_number":4,"globals":{"sale":1}}\n')).toEqual({
      text: '{"sale":1}',
      changeNumber: 4,
    });
    expect(parseJournal(`${JSON.stringify({ number: 5, change })}\n`)).toEqual([{ number: 5, change }]);
  });

  test('have a journal of which each line is refused after any change of one character', () => {
    const line = journalLine({ number: 5, change });
    expect(parseJournal(line + line)).toHaveLength(2);
    for (const other of damaged(line.slice(0, -1), '019ex "},'))
      if (other !== '') expect([other, throws(() => parseJournal(`${other}\n`))]).toEqual([other, true]);
  });

  test('lose a torn last change of their journal, never one whose line feed was damaged', async () => {
    const written: string[] = [];
    const load = (journal: string) =>
      globalsFiles(
        {
          readText: async (path) =>
            path.endsWith('.journal') ? E.right(journal) : E.left(failure('not_found', 'none')),
          replaceText: async (_path, text) => E.right(void written.push(text)),
          appendText: async () => E.right(undefined),
          makeDirectory: async () => E.right(undefined),
          remove: async () => E.right(undefined),
        },
        '/globals',
      ).load('shop');
    const line = journalLine({ number: 5, change });
    expect(await load(line + line.slice(0, -9))).toMatchObject(E.right({ journal: [{ number: 5 }] }));
    expect(written).toEqual([line]);
    expect(await load(`${line}${line.slice(0, -1)}x`)).toMatchObject(E.left({ code: 'unreadable' }));
    expect(written).toEqual([line]);
  });
});
