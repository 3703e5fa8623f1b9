import { useMutation } from '@tanstack/react-query';
import { privateText, TITLES } from '../../../../analysis/learn/emit/words.js';
import type { LearnedLog } from '../../../../analysis/learn/report.js';
import { MAX_LEARNED_BYTES } from '../../../../contract/body.js';
import { call } from '../../../api/client.js';
import { counted, shownBytes, shownCount, shownFine, shownSeconds } from '../../../parts/numbers.js';

interface LearnRequest {
  readonly file: File;
  readonly name: string;
  readonly keepsValues: boolean;
}

export interface LearnAnswer {
  readonly learned: LearnedLog;
  /** Only the start of the file was sent. */
  readonly isPart: boolean;
}

/** Learns a generator from a log; stores nothing. */
export const useLearned = () =>
  useMutation({
    mutationFn: async ({ file, name, keepsValues }: LearnRequest): Promise<LearnAnswer> => {
      const { content, isPart } = await uploadOf(file);
      const query = { name, keep_values: keepsValues };
      // The answer is text that the preview has written.
      const learned = (await call('learnGenerator', { query, content })) as unknown as LearnedLog;
      return { learned, isPart };
    },
  });

/** What is sent of a log; `isPart`: the file is larger. */
interface LearnUpload {
  readonly content: Blob;
  readonly isPart: boolean;
}

const LINE_FEED = 0x0a;

/** The start of a log, up to its last whole line. */
export const uploadOf = async (file: Blob, limit_bytes = MAX_LEARNED_BYTES): Promise<LearnUpload> => {
  if (file.size <= limit_bytes) return { content: file, isPart: false };
  const start = new Uint8Array(await file.slice(0, limit_bytes).arrayBuffer());
  const end = start.lastIndexOf(LINE_FEED) + 1;
  return { content: file.slice(0, end > 0 ? end : limit_bytes), isPart: true };
};

/** What was found, as a heading and a sentence. */
export type Fact = readonly [head: string, text: string];

/** `3.2%`, `<0.1%`. */
export const percent = (share: number): string =>
  share > 0 && share < 0.001 ? '<0.1%' : `${(100 * share).toFixed(1).replace(/\.0$/, '')}%`;

const formatFact = ({ formats, records }: LearnedLog): string =>
  formats
    .map(([format, count]) => TITLES[format] + (count === records ? '' : ` (${counted(count, 'record')})`))
    .join(', ');

const timesFact = ({ times, undated }: LearnedLog): string => {
  if (times === null) return 'None found.';
  return `${times.format}${undated.count === 0 ? '' : `; ${counted(undated.count, 'record')} without`}`;
};

const rateFact = ({ rate, comparison }: LearnedLog): string => {
  if (rate === null) return 'Unknown: the generator makes 1 event/s.';
  const { log, generated } = comparison.rate;
  const shape = rate.hours === null ? '' : rate.weekdays === null ? ', by hour' : ', by hour and weekday';
  return `${shownFine(log ?? 0)} events/s over ${shownSeconds(rate.seconds)}, generated ${shownFine(generated)}; ${rate.arrivals}${shape}`;
};

const templatesFact = ({ templates, relations, copied }: LearnedLog): string =>
  [
    shownCount(templates.length),
    ...(relations === 0 ? [] : [`${counted(relations, 'table')} of values that belong together`]),
    ...(copied === 0 ? [] : [`${counted(copied, 'record')} fit none and are repeated whole`]),
  ].join('; ');

const closeFact = ({ comparison: { worst, gaps, events, unmatched } }: LearnedLog): string =>
  [
    `Within ${percent(worst.enumeration)} for enumerations, ${percent(worst.number)} for numbers`,
    ...(gaps === null ? [] : [`${percent(gaps.difference)} for times between events`]),
  ].join(', ') +
  `, in ${counted(events, 'generated event')}.` +
  (unmatched === 0 ? '' : ` ${shownCount(unmatched)} look like none of the log.`);

/** What a person wants to know before accepting. */
export const factsOf = (learned: LearnedLog): readonly Fact[] => [
  ['Read', `${counted(learned.records, 'record')}, ${shownBytes(learned.bytes)}`],
  ['Format', formatFact(learned)],
  ['Times', timesFact(learned)],
  ['Rate', rateFact(learned)],
  ['Templates', templatesFact(learned)],
  ['Private values', privateText(learned.replaced)],
  ['Closeness', closeFact(learned)],
];

/** What a person should know and may not expect. */
export const warningsOf = (
  { left_out, is_cut, replaced, copied, header, times, records, warnings }: LearnedLog,
  isPart: boolean,
): readonly string[] => [
  ...warnings,
  ...(isPart || is_cut ? [`Only the first ${counted(records, 'record')} of the log were read.`] : []),
  ...(left_out.binary > 0 ? [`${counted(left_out.binary, 'line')} with binary data left out.`] : []),
  ...(left_out.too_long > 0 ? [`${counted(left_out.too_long, 'line')} left out that are too long.`] : []),
  ...(left_out.bad_characters > 0
    ? [`${counted(left_out.bad_characters, 'character')} that are not UTF-8.`]
    : []),
  ...(replaced === null ? ['Private values are in the files. Do not share them.'] : []),
  ...(replaced !== null && copied > 0
    ? [
        'Whole records are in samples/. Read them before you share the generator: a private word looks like any other.',
      ]
    : []),
  ...(header === null
    ? []
    : [`The header ${header} is no event. Write it to the file before you append events.`]),
  ...(times === null ? ['No times were found, so the rate is a guess.'] : []),
];

/** Fields, the greatest difference first. */
export const sortedFields = ({ comparison }: LearnedLog): LearnedLog['comparison']['fields'] =>
  comparison.fields.toSorted((a, b) => (b.difference ?? -1) - (a.difference ?? -1));

/** A text file that would be written. */
export interface LearnedFile {
  readonly path: string;
  readonly text: string;
}

export const shownFilesOf = (
  { config, files }: Pick<LearnedLog, 'config' | 'files'>,
  config_file: string,
): readonly LearnedFile[] => [
  { path: config_file, text: config },
  ...Object.entries(files)
    .map(([path, text]) => ({ path, text }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
];

/** Characters of a file that are shown. */
const MAX_SHOWN = 20_000;

/** The start of a text, with a note if there is more. */
export const shownText = (text: string): string =>
  text.length <= MAX_SHOWN
    ? text
    : `${text.slice(0, MAX_SHOWN)}\n... ${shownCount(text.length - MAX_SHOWN)} more characters`;
