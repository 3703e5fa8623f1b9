import { timeLocationOf, timeSpread } from './times/find.js';

/** Lines of one record, without the line end of the last. Longer ones are left out. */
const MAX_RECORD_CHARS = 256 * 1024;
/** Lines that one record may join. */
const MAX_JOINED = 200;
const MAX_LOOKED_AT = 1_000;

export interface LogRecords {
  readonly records: readonly string[];
  /** Records that are too long, and lines that hold binary data. */
  readonly too_long: number;
  readonly binary: number;
  /** Characters that were no valid UTF-8. */
  readonly bad_characters: number;
}

const CONTINUES = /^[ \t]+\S|^[}\]],?\s*$|^(?:Caused by:|\.\.\. \d+ more|Traceback )/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the search is for them
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/** Share of the lines that must have a time for others to continue them, and if others come in many runs between. */
const MIN_TIMED = 0.5;
const MIN_TIMED_BETWEEN = 0.2;
const MIN_RUNS = 5;
const CLOCK = /\d:\d{2}:\d{2}/;

/** Runs of lines without a time, each behind one that has a time. */
const runsOf = (lines: readonly string[], hasTime: (line: string) => boolean): number => {
  let runs = 0;
  let before = false;
  for (const line of lines) {
    const own = hasTime(line);
    if (!own && before) runs += 1;
    before = own;
  }
  return runs;
};

/** Whether lines without a time belong to the record before: most have one, and others are no JSON. */
const continuesWithoutTime = (lines: readonly string[]): ((line: string) => boolean) => {
  const location = timeLocationOf(lines);
  if (location === null) return () => false;
  const hasTime = (line: string): boolean => location.find(line) !== null;
  const looked = timeSpread(lines, MAX_LOOKED_AT);
  const timed = looked.filter(hasTime).length / looked.length;
  const isMost =
    timed >= MIN_TIMED ||
    (timed >= MIN_TIMED_BETWEEN && runsOf(lines.slice(0, MAX_LOOKED_AT), hasTime) >= MIN_RUNS);
  if (!isMost) return () => false;
  return (line) => !CLOCK.test(line) && !/^[{[<]/.test(line) && !hasTime(line);
};

/** A name and a value, as in the export of journald and the history of apt. */
const NAMED = /^([A-Za-z_][\w.-]{0,63})(?:=|: )/;
const MIN_STANZAS = 3;
const MIN_NAMED = 0.9;

/** Blocks between blank lines, if they hold lines of names and values and begin with the same name; null: they do not. */
const stanzasOf = (text: string): readonly string[] | null => {
  const blocks = text.trim().split(/(?:\r?\n[ \t]*){2,}/);
  if (blocks.length < MIN_STANZAS) return null;
  const looked = timeSpread(blocks, MAX_LOOKED_AT).map((block) => block.split(/\r?\n/));
  const lines = looked.flat();
  const first = NAMED.exec(lines[0] ?? '')?.[1];
  if (first === undefined || lines.length < looked.length * 2) return null;
  const begins = looked.filter(([line = '']) => NAMED.exec(line)?.[1] === first).length;
  const named = lines.filter((line) => NAMED.test(line)).length;
  return begins >= looked.length * MIN_NAMED && named >= lines.length * MIN_NAMED ? blocks : null;
};

/** Cuts a text into records: a line that begins with a blank, or lacks the time of others, belongs to the one before. */
export const recordsOf = (text: string): LogRecords => {
  const records: string[] = [];
  const counts = { too_long: 0, binary: 0 };
  let joined = 0;
  const whole = text.replace(/^\uFEFF/, '');
  const isUsable = (part: string): boolean => {
    if (part.length > MAX_RECORD_CHARS) counts.too_long += 1;
    else if (BINARY.test(part)) counts.binary += 1;
    else return true;
    return false;
  };
  const bad_characters = text.match(/\uFFFD/g)?.length ?? 0;
  const stanzas = stanzasOf(whole);
  if (stanzas !== null) {
    // The line end makes the blank line between two of them.
    for (const stanza of stanzas)
      if (isUsable(stanza)) records.push(`${stanza.trim().replace(/\r\n/g, '\n')}\n`);
    return { records, ...counts, bad_characters };
  }
  const lines = whole.split(/\r\n|\n|\r/);
  const continues = continuesWithoutTime(lines.filter((line) => line.trim() !== ''));
  for (const line of lines) {
    if (line.trim() === '' || !isUsable(line)) continue;
    const before = records.at(-1);
    if (before !== undefined && (CONTINUES.test(line) || continues(line)) && joined < MAX_JOINED) {
      joined += 1;
      records[records.length - 1] = `${before}\n${line}`;
    } else {
      joined = 0;
      records.push(line);
    }
  }
  return { records, ...counts, bad_characters };
};
