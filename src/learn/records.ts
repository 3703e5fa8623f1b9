/** Lines of one record, without the line end of the last. Longer ones are left out. */
export const MAX_RECORD_CHARS = 256 * 1024;
/** Lines that one record may join. */
const MAX_JOINED = 200;

export interface Records {
  readonly records: readonly string[];
  /** Records that are too long, and lines that hold binary data. */
  readonly too_long: number;
  readonly binary: number;
  /** Characters that were no valid UTF-8. */
  readonly bad_characters: number;
}

const CONTINUES = /^[ \t]+\S|^(?:Caused by:|\.\.\. \d+ more|Traceback )/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the search is for them
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/** Cuts a text into records: a line that begins with a blank belongs to the record before. */
export const recordsOf = (text: string): Records => {
  const records: string[] = [];
  const counts = { too_long: 0, binary: 0 };
  let joined = 0;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (line.trim() === '') continue;
    const before = records.at(-1);
    if (line.length > MAX_RECORD_CHARS) counts.too_long += 1;
    else if (BINARY.test(line)) counts.binary += 1;
    else if (before !== undefined && CONTINUES.test(line) && joined < MAX_JOINED) {
      joined += 1;
      records[records.length - 1] = `${before}\n${line}`;
    } else {
      joined = 0;
      records.push(line);
    }
  }
  return { records, ...counts, bad_characters: text.match(/\uFFFD/g)?.length ?? 0 };
};
