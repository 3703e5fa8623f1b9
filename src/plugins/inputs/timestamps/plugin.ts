import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure, type Result, reasonOf, type SpateError } from '../../../domain/errors.js';
import { parseIso } from '../../../domain/time/iso.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import type { Clock } from '../../../ports/clock.js';
import type { InputPlugin } from '../../kit.js';
import { generatorFile, inputPieces } from '../../shared/inputFile.js';
import { firstAfterSkip, indexedInput } from '../shared/indexed.js';
import { NOT_ISO, timestampsSpec } from './spec.js';

export const timestampsPlugin: InputPlugin<typeof timestampsSpec.fields> = {
  spec: timestampsSpec,
  build: async ({ source }, context) => {
    const { zone, now, clock } = context;
    const read =
      source.kind === 'list'
        ? instantsOfList(source.texts, zone)
        : await instantsOfFile(generatorFile(context, source.path), { zone, clock });
    if (E.isLeft(read)) return read;
    const instants = read.right;
    const at = (index: number): number => instants[index] as number;
    const isWanted = (index: number): boolean => at(index) > now;
    const end = instants.length;
    const first = firstAfterSkip({ from: 0, end, isWanted }, context);
    return E.right(indexedInput({ at, first, end, copies: 1 }));
  },
};

const LINE_END = /\r\n|\n|\r/;
/** Limits memory for a file without line ends. */
const MAX_LINE_CHARACTERS = 1_000;

/**
 * Instants of a UTF-8 text file, one date-time per line. It yields between pieces, so millions of lines neither block
 * the thread nor fill its memory.
 */
const instantsOfFile = async (
  file: string,
  { zone, clock }: { readonly zone: Zone; readonly clock: Clock },
): Promise<Result<Float64Array>> => {
  const collected = collectInstants(zone);
  let number = 0;
  const add = (line: string): SpateError | null => {
    number += 1;
    const text = (number === 1 ? line.replace(/^\uFEFF/, '') : line).trim();
    return text === '' ? null : collected.add(text, () => `${file}:${number}`);
  };
  try {
    let rest = '';
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for await (const bytes of inputPieces(file, clock)) {
      const piece = decoder.decode(bytes, { stream: true });
      const lines: string[] = (rest + piece).split(LINE_END);
      rest = lines.pop() ?? '';
      // A final carriage return may be half of a line end: keep it for the next piece.
      if (rest === '' && piece.endsWith('\r')) rest = `${lines.pop() ?? ''}\r`;
      for (const line of lines) {
        const problem = add(line);
        if (problem !== null) return E.left(problem);
      }
      if (rest.length > MAX_LINE_CHARACTERS) {
        return E.left(failure('plugin_failed', `${file}:${number + 1}: the line is too long: it ${NOT_ISO}`));
      }
    }
    const problem = add(rest + decoder.decode());
    if (problem !== null) return E.left(problem);
  } catch (thrown) {
    if (thrown instanceof Failed) return E.left(thrown.error);
    return E.left(failure('plugin_failed', `${file} cannot be read: ${reasonOf(thrown)}`));
  }
  const instants = collected.instants();
  if (instants.length > 0) return E.right(instants);
  return E.left(
    failure('plugin_failed', `${file} has no timestamps. Write one ISO 8601 date-time per line.`),
  );
};

const FIRST_CAPACITY = 1024;
const SHOWN = 60;

interface Collected {
  readonly add: (text: string, location: () => string) => SpateError | null;
  readonly instants: () => Float64Array;
}

/** Collects instants in ascending order. Errors name the location. */
const collectInstants = (zone: Zone): Collected => {
  let instants = new Float64Array(FIRST_CAPACITY);
  let count = 0;
  let last: Micros = Number.NEGATIVE_INFINITY;
  const problem = (message: string): SpateError => failure('plugin_failed', message);
  return {
    add: (text, location) => {
      const instant = parseIso(text, zone);
      if (instant === null) return problem(`${location()}: "${text.slice(0, SHOWN)}" ${NOT_ISO}`);
      if (instant < last)
        return problem(`${location()}: ${text} is earlier than the previous timestamp. Sort them.`);
      if (count === instants.length) {
        const larger = new Float64Array(count * 2);
        larger.set(instants);
        instants = larger;
      }
      instants[count++] = instant;
      last = instant;
      return null;
    },
    instants: () => instants.slice(0, count),
  };
};

const instantsOfList = (texts: readonly string[], zone: Zone): Result<Float64Array> => {
  const collected = collectInstants(zone);
  for (const [index, text] of texts.entries()) {
    const problem = collected.add(text.trim(), () => `source[${index}]`);
    if (problem !== null) return E.left(problem);
  }
  return E.right(collected.instants());
};
