import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure, type Result, reasonOf, type SpateError } from '../../../domain/errors.js';
import type { Zone } from '../../../domain/time/zone.js';
import type { Clock } from '../../../ports/clock.js';
import { inputPieces } from '../../shared/inputFile.js';
import { collectInstants } from './collect.js';
import { NOT_ISO } from './source.js';

const LINE_END = /\r\n|\n|\r/;
/** Limits memory for a file without line ends. */
const MAX_LINE_CHARACTERS = 1_000;

/**
 * Instants of a UTF-8 text file, one date-time per line. It yields between pieces, so millions of lines neither block
 * the thread nor fill its memory.
 */
export const instantsOfFile = async (
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
