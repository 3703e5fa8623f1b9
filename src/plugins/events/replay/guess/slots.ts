/** A part of a timestamp as a pattern, and the strftime code that writes it. */
export interface Piece {
  readonly pattern: string;
  readonly format: string;
}

/** A place in a kind of timestamp. */
export interface Slot {
  /** Regular expression without groups. */
  readonly source: string;
  /** Texts of different kinds belong to different formats. */
  readonly kindOf: (text: string) => string;
  /** `texts`: of one kind, at least one. */
  readonly pieceOf: (texts: readonly string[]) => Piece;
}

export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const sameKind = (): string => '';

/** Characters between the parts. */
export const mark = (source: string): Slot => ({
  source,
  kindOf: (text) => text,
  pieceOf: ([text = '']) => ({ pattern: escaped(text), format: text.replaceAll('%', '%%') }),
});

/** `pattern`: as people write it; `source` may be stricter. */
export const fixed = (source: string, format: string, pattern = source): Slot => ({
  source,
  kindOf: sameKind,
  pieceOf: () => ({ pattern, format }),
});

/** A number of one or two digits, padded by `0` or a blank; `blank`: the padding while no text shows it. */
export const twoDigits = (code: string, source: string, { blank = false } = {}): Slot => ({
  source: `(?:${source})`,
  kindOf: sameKind,
  pieceOf: (texts) => {
    const isBlank = texts.some((text) => text.startsWith(' '));
    if (!isBlank && texts.some((text) => text.length === 1))
      return { pattern: '\\d{1,2}', format: `%-${code}` };
    const isZero = texts.some((text) => text.startsWith('0'));
    if (isBlank || (blank && !isZero))
      return { pattern: '[ \\d]\\d', format: code === 'd' ? '%e' : `%_${code}` };
    return { pattern: '\\d{2}', format: `%${code}` };
  },
});

/** A fraction of a second with its mark, or nothing. */
export const fraction: Slot = {
  source: '(?:[.,]\\d{1,9}|:\\d{3}(?!\\d)|)',
  kindOf: (text) => text.slice(0, 1).replace(/\d/, ''),
  pieceOf: (texts) => {
    const digits = texts.map((text) => text.length - 1);
    const [least, most] = [Math.min(...digits), Math.max(...digits)];
    if (most < 1) return { pattern: '', format: '' };
    const point = texts[0]?.[0] ?? '.';
    const code = most <= 3 ? '%L' : '%f';
    return {
      pattern: `${escaped(point)}${least === most ? `\\d{${most}}` : '\\d+'}`,
      // Microseconds are the finest: the digits after them are zeros.
      format: `${point}${code}${'0'.repeat(least === most ? Math.max(0, most - 6) : 0)}`,
    };
  },
};

const ZONE_NAMES = 'UTC|GMT|WET|WEST|CET|CEST|EET|EEST|MSK|EST|EDT|CST|CDT|MST|MDT|PST|PDT|IST|JST|AEST|AEDT';

/** An offset or a name of a time zone, or nothing. */
export const zone: Slot = {
  source: `(?:Z(?!\\w)| ?[+-]\\d{2}:?\\d{2}(?![\\d:])| ?(?:${ZONE_NAMES})(?!\\w)|)`,
  kindOf: (text) => text.replace(/[+-]\d{2}(:?)\d{2}/, '+$1').replace(/[A-Z]{3,4}/, 'N'),
  pieceOf: ([text = '']) => {
    const blank = text.startsWith(' ') ? ' ' : '';
    const rest = text.trimStart();
    if (rest === '' || rest === 'Z') return { pattern: rest, format: rest };
    if (/^[A-Z]/.test(rest)) return { pattern: `${blank}[A-Z]{3,4}`, format: `${blank}%Z` };
    return rest.includes(':')
      ? { pattern: `${blank}[+-]\\d{2}:\\d{2}`, format: `${blank}%:z` }
      : { pattern: `${blank}[+-]\\d{4}`, format: `${blank}%z` };
  },
};

/** `AM` or `PM`, in capitals or not. */
export const halfDay: Slot = {
  source: ' ?[AaPp][Mm](?!\\w)',
  kindOf: (text) => text.replace(/[ap]/, 'p').replace(/[AP]/, 'P'),
  pieceOf: ([text = '']) => {
    const blank = text.startsWith(' ') ? ' ' : '';
    const isCapital = text.includes('M');
    return {
      pattern: `${blank}${isCapital ? '[AP]M' : '[ap]m'}`,
      format: `${blank}${isCapital ? '%p' : '%P'}`,
    };
  },
};
