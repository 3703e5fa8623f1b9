/** A mistake in YAML as its parser reports it. */
export interface Mistake {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
  /** Where the quote or bracket is that is not closed. */
  readonly opener?: number | undefined;
}

/** The same mistake in plain words; `offset` is where people look for it. */
export interface Explained {
  readonly message: string;
  readonly hint?: string;
  readonly offset: number;
}

interface Line {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  readonly start: number;
  /** Blanks at the start. */
  readonly indent: number;
}

const linesOf = (text: string): readonly Line[] => {
  let start = 0;
  return text.split('\n').map((one, index) => {
    const line = { text: one.replace(/\r$/, ''), number: index + 1, start, indent: one.search(/[^ ]|$/) };
    start += one.length + 1;
    return line;
  });
};

const isWritten = ({ text }: Line): boolean => /^\s*[^\s#]/.test(text);

/** Longer words are cut in messages. */
const MAX_QUOTED = 40;

const quoted = (word: string): string =>
  `\`${word.length > MAX_QUOTED ? `${word.slice(0, MAX_QUOTED)}...` : word}\``;

/** The key on a line. Messages name keys only: a value may be a secret. */
const nameOf = ({ text }: Line): string => {
  const key = /^[\s-]*([^\s:#'"]+)\s*:/.exec(text)?.[1];
  return key === undefined ? 'text' : quoted(key);
};

const spaces = (count: number): string => (count === 1 ? '1 space' : `${count} spaces`);

/** Where a mistake is, and the lines that have something on them. */
interface Site {
  readonly source: string;
  readonly line: Line;
  /** Text of the line from the mistake on. */
  readonly rest: string;
  /** The written lines above, the nearest first. */
  readonly above: readonly Line[];
  readonly next: Line | undefined;
}

/** Lines looked at above and below a mistake. */
const MAX_NEAR = 200;

const indexAt = (lines: readonly Line[], offset: number): number => {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle] as Line).start <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
};

const siteOf = (source: string, lines: readonly Line[], offset: number): Site => {
  const index = indexAt(lines, offset);
  const line = lines[index] as Line;
  return {
    source,
    line,
    rest: line.text.slice(offset - line.start),
    above: lines
      .slice(Math.max(0, index - MAX_NEAR), index)
      .filter(isWritten)
      .reverse(),
    next: lines.slice(index + 1, index + 1 + MAX_NEAR).find(isWritten),
  };
};

type Explain = (site: Site, mistake: Mistake) => Explained | null;

const at = (offset: number, message: string, hint?: string): Explained =>
  hint === undefined ? { message, offset } : { message, hint, offset };

/** A line between the levels of those above it. */
const misaligned: Explain = ({ line, above }) => {
  const offset = line.start + line.indent;
  const [previous] = above;
  if (previous === undefined) return at(offset, `is indented by ${spaces(line.indent)}`, 'Align it.');
  const isItem = /^ *-(?: |$)/.test(line.text);
  const sibling = above.find(({ indent }) => indent === line.indent);
  if (sibling !== undefined && /^ *-(?: |$)/.test(sibling.text) !== isItem) {
    const [what, among] = isItem ? ['a list item', '`key: value` pairs'] : ['no list item', 'list items'];
    const hint = isItem
      ? 'Indent the items below their key.'
      : `Begin it with \`- \`, or indent it like the keys of the item above.`;
    return at(offset, `is ${what} among ${among} (line ${sibling.number})`, hint);
  }
  const outer = above.find(({ indent }) => indent < line.indent);
  const levels = [previous, ...(outer === undefined || outer === previous ? [] : [outer])]
    .map((one) => `${nameOf(one)} in line ${one.number} by ${one.indent}`)
    .join(', ');
  return at(
    offset,
    `${nameOf(line)} is indented by ${spaces(line.indent)}, ${levels}`,
    'Align it with one of them.',
  );
};

/** A `key: value` pair with a deeper line below it, or a second colon. */
const pairWithin: Explain = ({ line, rest, next }, { offset }) => {
  if (/^[^"'#]*:\s/.test(rest) || next === undefined || next.indent <= line.indent) {
    return at(offset, 'has a second `: ` on one line', 'Quote the value.');
  }
  return at(
    line.start + line.indent,
    `${nameOf(line)} is indented by ${spaces(line.indent)} and has a value, but ${nameOf(next)} in line ` +
      `${next.number} is indented deeper, by ${next.indent}`,
    'Align both lines.',
  );
};

/** Text where a `key: value` pair belongs. */
const withoutColon: Explain = ({ rest }, { offset }) => {
  const glued = /^([\w.-]+):\S/.exec(rest)?.[1];
  if (glued !== undefined)
    return at(
      offset,
      `${quoted(glued)} has no space behind its colon`,
      `Write \`${glued}: \` and the value.`,
    );
  const word = /^[\w.-]+(?=\s|$)/.exec(rest)?.[0];
  return word === undefined
    ? at(offset, 'is not a `key: value` pair; add the colon')
    : at(offset, `${quoted(word)} has no colon`, `Write \`${word}:\` for a key.`);
};

/** Cron expressions and the like: a value of another kind may be a secret. */
const CRON_LIKE = /^[*\d\s,/?#-]{1,40}/;

const emptyAlias: Explain = ({ source, line, rest }, { offset }) => {
  const isInFlow = /[{[]/.test(source.slice(line.start, offset));
  const value = CRON_LIKE.exec(isInFlow ? rest.replace(/,.*$/, '') : rest)?.[0].trim() ?? '';
  const hint = `Quote the value${value === '' ? '' : `: '${value}'`}.`;
  return at(offset, 'begins with `*`, which stands for an alias in YAML', hint);
};

const badStart: Explain = ({ source, rest }, { offset }) =>
  source[offset - 1] === '{'
    ? at(offset - 1, 'begins with `{%`, which YAML reads as an object', 'Quote the value.')
    : at(
        offset,
        `begins with ${rest.startsWith('`') ? 'a backtick' : `\`${rest[0] ?? ''}\``}, which is reserved in YAML`,
        'Quote the value.',
      );

const badEscape: Explain = ({ rest }, { offset, message }) => {
  const written = /^Invalid escape sequence (.+)$/s.exec(message)?.[1] ?? rest.slice(0, 2);
  return at(
    offset,
    `has \`${written}\`, which means nothing in double quotes`,
    'Use single quotes, where \\ is a character like any other.',
  );
};

const unclosed: Explain = (_, { offset, message, opener }) => {
  const quote = /^Missing closing (["'])quote$/.exec(message)?.[1];
  const close = quote ?? /(?:end with a|Missing closing) ([\]}])$/.exec(message)?.[1];
  if (close === undefined) return null;
  const open = quote ?? (close === ']' ? '[' : '{');
  return at(opener ?? offset, `has a \`${open}\` that is not closed`, `Write a \`${close}\` where it ends.`);
};

const braces: Explain = ({ source }, { offset }) =>
  source[offset - 1] === '{'
    ? at(offset - 1, 'begins with `{{`, which YAML reads as an object', 'Quote the value.')
    : at(offset, 'has a list or an object as a key; keys must be text');

const behindValue: Explain = (site, mistake) => {
  const { line, rest } = site;
  const before = line.text.slice(0, line.text.length - rest.length);
  if (before.trim() !== '')
    return at(mistake.offset, 'has more text behind a complete value', 'Quote the whole value.');
  return misaligned(site, mistake);
};

/** By code of the YAML library. */
const BY_CODE: Readonly<Record<string, Explain>> = {
  TAG_RESOLVE_FAILED: (_, { offset }) => at(offset, 'has an unknown tag (!...); remove it'),
  TAB_AS_INDENT: (_, { offset }) => at(offset, 'is indented with a tab; use spaces'),
  NON_STRING_KEY: braces,
  BAD_SCALAR_START: badStart,
  BAD_DQ_ESCAPE: badEscape,
  MULTILINE_IMPLICIT_KEY: withoutColon,
  MISSING_CHAR: unclosed,
  BAD_INDENT: (site, mistake) => unclosed(site, mistake) ?? misaligned(site, mistake),
};

/** By message, where a code has several meanings. */
const BY_MESSAGE: readonly (readonly [RegExp, Explain])[] = [
  [/^Alias cannot be an empty string$/, emptyAlias],
  [/^Nested mappings are not allowed in compact mappings$/, pairWithin],
  [/^A block sequence may not be used as an implicit map key$/, misaligned],
  [/^Implicit map keys need to be followed by map values$/, withoutColon],
  [/^All mapping items must start at the same column$/, misaligned],
  [/^Unexpected [\w-]+ at node end$/, behindValue],
  [
    /^Unexpected block-seq-ind on same line with key$/,
    (_, { offset }) => at(offset, 'has a list item on the line of its key; move it to the next line'),
  ],
  [
    /^Unexpected [\w-]+ token in YAML stream: (".*")$/s,
    (_, { offset, message }) =>
      at(offset, `has an unexpected ${/(".*")$/s.exec(message)?.[1]}; check this line and the one above`),
  ],
];

const explained = (source: string, lines: readonly Line[], mistake: Mistake): Explained => {
  const explain = BY_MESSAGE.find(([found]) => found.test(mistake.message))?.[1] ?? BY_CODE[mistake.code];
  return (
    explain?.(siteOf(source, lines, mistake.offset), mistake) ?? {
      message: mistake.message,
      offset: mistake.offset,
    }
  );
};

/** Mistakes in plain words. The first one of a line explains it; the others follow from it. */
export const explainMistakes = (source: string, mistakes: readonly Mistake[]): readonly Explained[] => {
  const lines = linesOf(source);
  const told = new Map<number, Explained>();
  for (const mistake of mistakes) {
    const one = explained(source, lines, mistake);
    const [meant, reported] = [indexAt(lines, one.offset), indexAt(lines, mistake.offset)];
    if (told.has(meant) || told.has(reported)) continue;
    told.set(meant, one);
    told.set(reported, one);
  }
  return [...new Set(told.values())];
};

const MAX_SHOWN = 120;

/** A key whose value must not reach a log. */
const SECRET_KEY = /^(.*(?:pass|secret|token|credential|[_-]key)[\w-]*['"]?\s*:\s).*$/i;

/** The line at a position, and a mark under the column; both from 1. Values that look like secrets are masked. */
export const shownLine = (source: string, line: number, column: number): string => {
  const text = (source.split('\n', line)[line - 1] ?? '').replace(/\r$/, '').replace(SECRET_KEY, '$1***');
  const from = column > MAX_SHOWN ? column - MAX_SHOWN / 2 : 0;
  const part = text.slice(from, from + MAX_SHOWN);
  const blanks = part.slice(0, column - 1 - from).replace(/[^\t]/g, ' ');
  return `    ${part}\n    ${blanks}^`;
};
