import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, reasonOf, type SpateError } from '../../../domain/errors.js';
import { parseIso } from '../../../domain/time/parseIso.js';
import type { Zone } from '../../../domain/time/zone.js';
import type { InputPlugin } from '../../kit.js';
import { firstIndex, indexedInput } from '../shared/indexed.js';
import { NOT_ISO, type TimestampSource } from './source.js';
import { timestampsSpec } from './spec.js';

interface Line {
  readonly text: string;
  /** Where it stands, for messages. */
  readonly place: string;
}

const linesOf = async (
  source: TimestampSource,
  directory: string,
): Promise<E.Either<SpateError, readonly Line[]>> => {
  if (source.kind === 'list') {
    return E.right(source.texts.map((text, index) => ({ text: text.trim(), place: `source[${index}]` })));
  }
  const file = resolve(directory, source.path);
  try {
    const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
    const lines = text
      .split(/\r\n|\n|\r/)
      .map((line, index) => ({ text: line.trim(), place: `${file}:${index + 1}` }));
    const written = lines.filter((line) => line.text !== '');
    if (written.length > 0) return E.right(written);
    return E.left(
      failure('plugin_failed', `${file} holds no timestamp: write one ISO 8601 date-time a line`),
    );
  } catch (thrown) {
    return E.left(failure('plugin_failed', `${file} cannot be read: ${reasonOf(thrown)}`));
  }
};

/** Instants of the lines in ascending order; Left names the first line that is none or goes back. */
const instantsOf = (lines: readonly Line[], zone: Zone): E.Either<SpateError, Float64Array> => {
  const instants = new Float64Array(lines.length);
  for (const [index, { text, place }] of lines.entries()) {
    const instant = parseIso(text, zone);
    if (instant === null)
      return E.left(failure('plugin_failed', `${place}: "${text.slice(0, 60)}" ${NOT_ISO}`));
    if (index > 0 && instant < (instants[index - 1] as number)) {
      return E.left(
        failure('plugin_failed', `${place}: ${text} is earlier than the timestamp before it; sort them`),
      );
    }
    instants[index] = instant;
  }
  return E.right(instants);
};

export const timestampsPlugin: InputPlugin<typeof timestampsSpec.fields> = {
  spec: timestampsSpec,
  build: async ({ source }, context) => {
    const lines = await linesOf(source, context.directory);
    if (E.isLeft(lines)) return lines;
    const instants = instantsOf(lines.right, context.zone);
    if (E.isLeft(instants)) return instants;
    const at = (index: number): number => instants.right[index] as number;
    const end = instants.right.length;
    const first = context.skipPast ? firstIndex(0, end, (index) => at(index) > context.now) : 0;
    return E.right(indexedInput({ at, first, end, copies: 1 }));
  },
};
