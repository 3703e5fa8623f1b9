import {
  EMPTY,
  type Flags,
  type Node,
  PatternError,
  RegexReader,
  readEscape,
  type SetItem,
  sequenceOf,
  widthOf,
} from './syntax.js';

const MAX_PATTERN = 65_536;

/** Deepest nesting of groups: more would overflow the stack. */
const MAX_DEPTH = 200;

const FLAG_NAMES: Readonly<Record<string, keyof Flags>> = {
  i: 'ignoresCase',
  m: 'isMultiline',
  s: 'dotMatchesAll',
  x: 'isVerbose',
  a: 'isAscii',
};

export interface ParsedRegex {
  readonly root: Node;
  /** Number of groups, without the whole match. */
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  /** Global flags, those at the start of the pattern included. */
  readonly flags: Flags;
}

/** Parses a pattern in the syntax of Python's `re`. Throws `PatternError`. */
export const parsePattern = (pattern: string, given: Flags): ParsedRegex => {
  if (pattern.length > MAX_PATTERN) throw new PatternError('the pattern is too long', MAX_PATTERN);
  return new Parser(pattern, given).whole();
};

class Parser {
  private readonly reader: RegexReader;
  private readonly names = new Map<string, number>();
  private readonly open = new Set<number>();
  private groups = 0;
  private depth = 0;
  private flags: Flags;

  constructor(pattern: string, given: Flags) {
    this.reader = new RegexReader(pattern);
    this.flags = given;
  }

  whole(): ParsedRegex {
    const { reader } = this;
    while (reader.peek() === '(' && reader.peek(1) === '?' && /[aimsux]/.test(reader.peek(2))) {
      const before = reader.at;
      reader.at += 2;
      const letters = reader.while(/[a-zA-Z]/);
      if (!reader.take(')')) {
        reader.at = before;
        break;
      }
      this.flags = this.withFlags(this.flags, letters, true);
    }
    const { flags } = this;
    const root = this.either();
    if (!reader.isAtEnd) throw new PatternError('unbalanced parenthesis', reader.at);
    return { root, groups: this.groups, names: this.names, flags };
  }

  private withFlags(flags: Flags, letters: string, isOn: boolean): Flags {
    const changed: { -readonly [K in keyof Flags]: boolean } = { ...flags };
    for (const letter of letters) {
      const name = FLAG_NAMES[letter];
      if (name !== undefined) changed[name] = isOn;
      else if (letter === 'u' && isOn) changed.isAscii = false;
      else throw new PatternError('unknown flag', this.reader.at);
    }
    return changed;
  }

  private either(): Node {
    const branches = [this.sequence()];
    while (this.reader.take('|')) branches.push(this.sequence());
    return branches.length === 1 ? (branches[0] ?? EMPTY) : { kind: 'either', branches };
  }

  private sequence(): Node {
    const { reader } = this;
    const parts: Node[] = [];
    while (!reader.isAtEnd && reader.peek() !== '|' && reader.peek() !== ')') {
      if (this.flags.isVerbose && this.skipped()) continue;
      const from = reader.at;
      const atom = this.atom();
      if (atom !== null) parts.push(this.repeated(atom, from));
    }
    return sequenceOf(parts);
  }

  /** Skips white space and comments of the flag `x`. */
  private skipped(): boolean {
    const { reader } = this;
    if (/[ \t\n\r\f\v]/.test(reader.peek())) {
      reader.at++;
      return true;
    }
    if (reader.peek() !== '#') return false;
    while (!reader.isAtEnd && reader.next() !== '\n');
    return true;
  }

  /** Parses an atom. Returns null for a comment. */
  private atom(): Node | null {
    const { reader, flags } = this;
    const from = reader.at;
    const character = reader.next();
    switch (character) {
      case '.':
        return { kind: 'any', flags };
      case '^':
        return { kind: 'assert', what: flags.isMultiline ? 'lineStart' : 'start', flags };
      case '$':
        return { kind: 'assert', what: 'lineEnd', flags };
      case '[':
        return this.set(from);
      case '(':
        return this.group(from);
      case '\\':
        return this.escape(from);
      case '*':
      case '+':
      case '?':
        throw new PatternError('nothing to repeat', from);
      default:
        reader.at = from;
        if (character === '{' && this.bounds() !== null) throw new PatternError('nothing to repeat', from);
        reader.at = from + 1;
        return { kind: 'char', code: character.codePointAt(0) ?? 0, flags };
    }
  }

  private escape(from: number): Node {
    const { reader, flags } = this;
    const read = readEscape(reader, false);
    if (read.kind === 'char') return { ...read, flags };
    if (read.kind === 'class') return { kind: 'set', items: [read], isNegated: false, flags };
    const { letter } = read;
    if (letter === 'A') return { kind: 'assert', what: 'start', flags };
    if (letter === 'Z') return { kind: 'assert', what: 'end', flags };
    if (letter === 'b' || letter === 'B')
      return { kind: 'assert', what: letter === 'b' ? 'boundary' : 'noBoundary', flags };
    return this.reference(Number(letter + reader.while(/\d/, 1)), from + 1);
  }

  private reference(index: number, from: number): Node {
    if (index > this.groups) throw new PatternError(`invalid group reference ${index}`, from);
    if (this.open.has(index)) throw new PatternError('cannot refer to an open group', from - 1);
    return { kind: 'reference', index, flags: this.flags };
  }

  private set(from: number): Node {
    const { reader } = this;
    const isNegated = reader.take('^');
    const items: SetItem[] = [];
    for (let isFirst = true; isFirst || reader.peek() !== ']'; isFirst = false) {
      if (reader.isAtEnd) throw new PatternError('unterminated character set', from);
      const start = reader.at;
      const first = this.setItem();
      if (reader.peek() !== '-' || reader.peek(1) === ']' || reader.peek(1) === '') {
        items.push(first);
        continue;
      }
      reader.at++;
      const last = this.setItem();
      if (first.kind === 'class' || last.kind === 'class' || last.from < first.from)
        throw new PatternError(`bad character range ${this.slice(start)}`, start);
      items.push({ kind: 'range', from: first.from, to: last.from });
    }
    reader.at++;
    return { kind: 'set', items, isNegated, flags: this.flags };
  }

  private slice(from: number): string {
    const { reader } = this;
    const to = reader.at;
    reader.at = from;
    let text = '';
    while (reader.at < to) text += reader.next();
    return text;
  }

  private setItem(): SetItem {
    const character = this.reader.next();
    if (character !== '\\') {
      const code = character.codePointAt(0) ?? 0;
      return { kind: 'range', from: code, to: code };
    }
    const read = readEscape(this.reader, true);
    if (read.kind === 'class') return read;
    const code = read.kind === 'char' ? read.code : 0;
    return { kind: 'range', from: code, to: code };
  }

  private group(from: number): Node | null {
    const { reader } = this;
    if (++this.depth > MAX_DEPTH) throw new PatternError('groups are nested too deeply', from);
    const { flags } = this;
    const node = reader.take('?') ? this.special(from) : this.capturing(from, null);
    this.flags = flags;
    this.depth--;
    return node;
  }

  private close(from: number): void {
    if (!this.reader.take(')')) throw new PatternError('missing ), unterminated subpattern', from);
  }

  private body(from: number): Node {
    const node = this.either();
    this.close(from);
    return node;
  }

  private capturing(from: number, name: string | null): Node {
    const index = ++this.groups;
    if (name !== null) {
      const known = this.names.get(name);
      if (known !== undefined)
        throw new PatternError(
          `redefinition of group name '${name}' as group ${index}; was group ${known}`,
          from + 4,
        );
      this.names.set(name, index);
    }
    this.open.add(index);
    const body = this.body(from);
    this.open.delete(index);
    return { kind: 'group', body, index };
  }

  private special(from: number): Node | null {
    const { reader } = this;
    if (reader.take(':')) return { kind: 'sequence', parts: [this.body(from)] };
    if (reader.take('>')) return { kind: 'atomic', body: this.body(from) };
    if (reader.take('#')) {
      reader.upTo(')', 'unterminated comment');
      return null;
    }
    if (reader.take('=') || reader.take('!')) return this.look(from, false, this.previous());
    if (reader.take('<=') || reader.take('<!')) return this.look(from, true, this.previous());
    if (reader.take('P<')) return this.capturing(from, this.name('>'));
    if (reader.take('P=')) {
      const at = reader.at;
      return this.reference(this.indexOf(this.name(')'), at), at);
    }
    if (reader.take('(')) return this.conditional(from);
    return this.scopedFlags(from);
  }

  private previous(): string {
    return this.reader.peek(-1);
  }

  private look(from: number, isBehind: boolean, sign: string): Node {
    const body = this.body(from);
    if (isBehind && widthOf(body) === null)
      throw new PatternError('look-behind requires fixed-width pattern', from);
    return { kind: 'look', body, isBehind, isNegated: sign === '!' };
  }

  private name(end: string): string {
    const at = this.reader.at;
    const name = this.reader.upTo(end, 'unterminated name');
    if (name === '') throw new PatternError('missing group name', at);
    if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name))
      throw new PatternError(`bad character in group name '${name}'`, at);
    return name;
  }

  private indexOf(name: string, at: number): number {
    const index = this.names.get(name);
    if (index === undefined) throw new PatternError(`unknown group name '${name}'`, at);
    return index;
  }

  private conditional(from: number): Node {
    const { reader } = this;
    const at = reader.at;
    const name = reader.upTo(')', 'unterminated name');
    const index = /^\d+$/.test(name) ? Number(name) : this.indexOf(name, at);
    if (index === 0) throw new PatternError('bad group number', at);
    const then = this.sequence();
    const otherwise = reader.take('|') ? this.sequence() : EMPTY;
    if (reader.peek() === '|')
      throw new PatternError('conditional backref with more than two branches', reader.at);
    this.close(from);
    if (index > this.groups) throw new PatternError(`invalid group reference ${index}`, at);
    return { kind: 'condition', index, then, otherwise };
  }

  private scopedFlags(from: number): Node {
    const { reader } = this;
    const on = reader.while(/[a-zA-Z]/);
    const off = reader.take('-') ? reader.while(/[a-zA-Z]/) : '';
    if (reader.isAtEnd) throw new PatternError('unexpected end of pattern', reader.at);
    if (on === '' && off === '') throw new PatternError(`unknown extension ?${reader.peek()}`, from + 1);
    const flags = this.withFlags(this.withFlags(this.flags, on, true), off, false);
    if (reader.peek() === ')')
      throw new PatternError('global flags not at the start of the expression', from);
    if (!reader.take(':')) throw new PatternError('missing -, : or )', reader.at);
    this.flags = flags;
    return this.body(from);
  }

  /** Parses `{m,n}`. Returns null for a literal brace. */
  private bounds(): readonly [number, number] | null {
    const { reader } = this;
    const from = reader.at;
    reader.at++;
    const low = reader.while(/[0-9]/);
    const hasComma = reader.take(',');
    const high = hasComma ? reader.while(/[0-9]/) : low;
    if (!reader.take('}') || (low === '' && !hasComma)) {
      reader.at = from;
      return null;
    }
    const min = low === '' ? 0 : Number(low);
    const max = high === '' ? Number.POSITIVE_INFINITY : Number(high);
    if (max < min) throw new PatternError('min repeat greater than max repeat', from);
    return [min, max];
  }

  private repeatOf(): readonly [number, number] | null {
    const { reader } = this;
    if (reader.take('*')) return [0, Number.POSITIVE_INFINITY];
    if (reader.take('+')) return [1, Number.POSITIVE_INFINITY];
    if (reader.take('?')) return [0, 1];
    return reader.peek() === '{' ? this.bounds() : null;
  }

  private repeated(atom: Node, from: number): Node {
    const { reader } = this;
    while (this.flags.isVerbose && this.skipped());
    const before = reader.at;
    const bounds = this.repeatOf();
    if (bounds === null) return atom;
    if (atom.kind === 'assert') throw new PatternError('nothing to repeat', before);
    const [min, max] = bounds;
    const how = reader.take('?') ? 'lazy' : reader.take('+') ? 'possessive' : 'greedy';
    const at = reader.at;
    if (this.repeatOf() !== null) throw new PatternError('multiple repeat', at);
    return this.limited({ kind: 'repeat', body: atom, min, max, how }, from);
  }

  private limited(node: Node & { kind: 'repeat' }, from: number): Node {
    const most = Number.isFinite(node.max) ? node.max : node.min;
    if (most > MAX_REPEAT) throw new PatternError(`repeats more than ${MAX_REPEAT} times`, from);
    return node;
  }
}

/** Repeats are unrolled, so bounds determine the size of the program. */
const MAX_REPEAT = 65_535;
