import { literalPattern } from '../../../domain/text/pattern.js';
import { type Cut, cutter } from '../cut.js';
import { timeSpread } from '../times/find.js';
import { maskedToken } from './lex.js';

/**
 * The header that a program writes before its messages, such as level, thread and component. Its words are columns: in
 * a template they would make messages alike that share a header, and part those that differ in it.
 */
export interface Header {
  /** Cuts a text into the columns, named below `prefix`, and its message; null when it has another header. */
  readonly read: (text: string, prefix: string) => { readonly columns: Cut; readonly message: string } | null;
}

const MAX_COLUMNS = 8;
const MAX_LOOKED_AT = 400;
/** Share of the texts that must have the header. */
const MIN_SHARE = 0.95;
/** Fewer texts show no header. */
const MIN_TEXTS = 8;

const LEVEL =
  /^(?:trace|debug|verbose|info|information|notice|warn|warning|err|error|severe|crit|critical|alert|emerg|fatal|failure|fine|finer|finest|log|panic|trc|dbg|inf|wrn|ftl)$/i;
/** Whether a word is a level, such as `WARN`, alone or in brackets. */
export const isLevel = (word: string): boolean => LEVEL.test(word.replace(/^[[<(]|[\])>]$/g, ''));
/** Levels of Android and glog. Alone they could be words. */
const LETTER = /^[VDIWEF]$/;

/** What may be a column, the strict ones first. */
interface Kind {
  readonly name: string;
  readonly open: string;
  /** Source of a regular expression. */
  readonly value: string;
  readonly close: string;
  /** `weak`: a column only if a strong one follows. */
  readonly rank: 'strong' | 'mark' | 'weak';
  /** Source of the blanks behind it. */
  readonly gap: string;
}

const GAP = '[ \\t]+';
const inside = (open: string, close: string): string =>
  `(?:[^\\n${open}${close}]|${open}[^\\n${open}${close}]*${close})*`;
const strong = (name: string, value: string, more: Partial<Kind> = {}): Kind => ({
  name,
  value,
  open: '',
  close: '',
  rank: 'strong',
  gap: GAP,
  ...more,
});
const LEVEL_COLUMN = strong('level', '[A-Za-z]+');
const TAG = strong('component', '[^\\s"\'=,;:|][^\\s"\'=,;|]*? *|', { close: ':' });
const NUMBER = strong('column', '(?=[^\\s\\d]*\\d)\\S+', { rank: 'weak' });
const WORD = strong('column', '\\S+', { rank: 'weak' });
const MARK = strong('mark', '[^\\w\\s]{1,3}', { rank: 'mark' });
const KINDS: readonly Kind[] = [
  LEVEL_COLUMN,
  strong('column', '[^\\n|]{0,64}?', { close: '|', gap: ' ?' }),
  ...[':', ''].flatMap((colon) => [
    strong('context', inside('\\[', '\\]'), { open: '[', close: `]${colon}` }),
    strong('context', inside('\\(', '\\)'), { open: '(', close: `)${colon}` }),
    strong('context', inside('<', '>'), { open: '<', close: `>${colon}` }),
    strong('context', inside('\\{', '\\}'), { open: '{', close: `}${colon}` }),
  ]),
  TAG,
  strong('component', '[^\\s[\\]]+', { close: ']' }),
  strong('component', '[A-Za-z_$][\\w$-]*(?:\\.[\\w$-]+)+'),
  // Columns of a table.
  strong('component', '[\\w./$-]+', { gap: ' {2,}|\\t' }),
  MARK,
  NUMBER,
  WORD,
];

const sourceOf = ({ open, value, close, gap }: Kind): string =>
  `${literalPattern(open)}(${value})${literalPattern(close)}(${gap})`;
const compiled = KINDS.map((kind) => ({ kind, look: new RegExp(`^${sourceOf(kind)}`) }));

interface Column {
  readonly kind: Kind;
  /** The blanks behind it; null when they differ, as behind words of other lengths: then they belong to the value. */
  readonly gap: string | null;
}

/** Whether words are levels: a lone small word or letter could begin a sentence. */
const areLevels = (words: readonly string[]): boolean => {
  const some = new Set(words);
  const isEach = (look: RegExp): boolean =>
    words.filter((word) => look.test(word)).length >= words.length * MIN_SHARE;
  if (isEach(LETTER)) return some.size > 1;
  return isEach(LEVEL) && (some.size > 1 || !/^[a-z]/.test(words[0] ?? ''));
};

const commonOf = (values: readonly string[], least: number): string | null => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].find(([, count]) => count >= least)?.[0] ?? null;
};

interface Next {
  readonly column: Column;
  readonly values: readonly string[];
  readonly rest: readonly string[];
}

/** The column that at least `least` texts begin with. */
const nextColumn = (texts: readonly string[], least: number): Next | null => {
  for (const { kind, look } of compiled) {
    const found = texts.flatMap((text) => {
      const match = look.exec(text);
      return match === null ? [] : [{ text, match }];
    });
    if (found.length < least) continue;
    const values = found.map(({ match }) => match[1] ?? '');
    if (kind === LEVEL_COLUMN && !areLevels(values)) continue;
    const mark = kind === MARK ? commonOf(values, least) : null;
    if (kind === MARK && mark === null) continue;
    const gap = commonOf(
      found.map(({ match }) => match[2] ?? ''),
      least,
    );
    // Behind a bracket or a colon, blanks belong to no value.
    if (gap === null && (kind.close !== '' || kind === MARK)) continue;
    const own = mark === null ? kind : { ...kind, value: literalPattern(mark) };
    // `port:` in all texts names a value.
    const isName = kind === TAG && new Set(values).size === 1;
    const hasLevels = areLevels(values.map((value) => value.trim()));
    return {
      column: { kind: hasLevels ? { ...own, name: 'level' } : isName ? { ...own, rank: 'weak' } : own, gap },
      values,
      rest: found.map(({ text, match }) => text.slice(match[0].length)),
    };
  }
  return null;
};

/** Whether texts go on with a time: its words are no columns. */
const beginWithTime = (texts: readonly string[]): boolean =>
  timeSpread(texts, 20).some((text) => maskedToken(text.slice(0, 40))?.form.startsWith('\ue000') === true);

/** Plain words are columns only before a level, a tag, or a mark behind other columns. */
const isJoined = (column: Column, weak: readonly Column[], header: readonly Column[]): boolean => {
  if (!weak.some(({ kind }) => kind === WORD)) return column.kind.rank === 'strong' || header.length > 0;
  if (column.kind.name === 'level') return true;
  if (column.kind.rank === 'mark') return header.length > 0 && weak.length === 1;
  return column.kind === TAG && header.length === 0 && weak.length === 1;
};

const columnsOf = (texts: readonly string[]): readonly Column[] => {
  const least = texts.length * MIN_SHARE;
  let header: readonly Column[] = [];
  let weak: readonly Column[] = [];
  let rest = texts;
  while (header.length + weak.length < MAX_COLUMNS && !beginWithTime(rest)) {
    const next = nextColumn(rest, least);
    if (next === null) break;
    const { column } = next;
    if (column.kind.rank !== 'weak' && isJoined(column, weak, header))
      [header, weak] = [[...header, ...weak, column], []];
    else weak = [...weak, column];
    rest = next.rest;
  }
  return header;
};

/** The header of texts of one program; null when they have none in common. */
export const headerOf = (texts: readonly string[]): Header | null => {
  if (texts.length < MIN_TEXTS) return null;
  const columns = columnsOf(timeSpread(texts, MAX_LOOKED_AT));
  if (columns.length === 0) return null;
  const sources = columns.map(({ kind, gap }) =>
    sourceOf({ ...kind, gap: gap === null ? ' +' : literalPattern(gap) }),
  );
  const look = new RegExp(`^${sources.join('')}(?=\\S)`);
  // Each has a name of its own: fields of one name are compared, and counted, together.
  const names = columns.map(({ kind }, at) => {
    const before = columns.slice(0, at).filter((other) => other.kind.name === kind.name).length;
    return kind.name + (before === 0 ? '' : String(before + 1));
  });
  return {
    read: (text, prefix) => {
      const match = look.exec(text);
      if (match === null) return null;
      const out = cutter();
      for (const [at, { kind, gap }] of columns.entries()) {
        const [value = '', blanks = ''] = match.slice(1 + 2 * at);
        if (kind.rank === 'mark') out.literal(value + blanks);
        else {
          out.literal(kind.open);
          out.value(`${prefix}.${names[at]}`, gap === null ? value + blanks.slice(0, -1) : value);
          out.literal(kind.close + (gap ?? ' '));
        }
      }
      return { columns: out.done(''), message: text.slice(match[0].length) };
    },
  };
};
