/** Encodings of text files, by the names of Python's codecs. `plugins/shared/strictEncoding.ts` decodes them. */
export interface Encoding {
  /** Canonical spelling, for example `utf_8`. */
  readonly name: string;
  /** Name in iconv-lite, or `charmap` for a table of `charmaps.ts`. Null when the encoding is not supported. */
  readonly decoder: string | null;
  /** Bytes per code unit: line ends are aligned to it. */
  readonly unit: 1 | 2 | 4;
  /** `mark`: by the byte order mark, else little endian. */
  readonly order: 'little' | 'big' | 'mark';
  /** A byte below 0x80 may be part of another character than ASCII. */
  readonly isStateful: boolean;
}

type Row = readonly [decoder: string | null, more?: Partial<Omit<Encoding, 'name' | 'decoder'>>];

const STATEFUL = { isStateful: true } as const;
const UNSUPPORTED: Row = [null];

const same = (...names: readonly string[]): Record<string, Row> =>
  Object.fromEntries(names.map((name) => [name, [name]]));

const charmaps = (...names: readonly string[]): Record<string, Row> =>
  Object.fromEntries(names.map((name) => [name, ['charmap']]));

/** East Asian encodings are decoded in their wider forms, as in browsers: `euc_kr` as cp949, `gb2312` as cp936, `big5` as HKSCS. */
const ROWS: Readonly<Record<string, Row>> = {
  utf_8: ['utf8'],
  utf_8_sig: ['utf8', { order: 'mark' }],
  ascii: ['ascii'],
  latin_1: ['latin1'],
  utf_16: ['utf-16', { unit: 2, order: 'mark' }],
  utf_16_le: ['utf-16le', { unit: 2 }],
  utf_16_be: ['utf-16be', { unit: 2, order: 'big' }],
  utf_32: ['utf-32', { unit: 4, order: 'mark' }],
  utf_32_le: ['utf-32le', { unit: 4 }],
  utf_32_be: ['utf-32be', { unit: 4, order: 'big' }],
  utf_7: ['utf-7', STATEFUL],
  ...same('iso8859_2', 'iso8859_3', 'iso8859_4', 'iso8859_5', 'iso8859_6', 'iso8859_7', 'iso8859_8'),
  ...same('iso8859_9', 'iso8859_10', 'iso8859_11', 'iso8859_13', 'iso8859_14', 'iso8859_15', 'iso8859_16'),
  ...same('cp437', 'cp720', 'cp737', 'cp775', 'cp850', 'cp852', 'cp855', 'cp856', 'cp857', 'cp858'),
  ...same('cp860', 'cp861', 'cp862', 'cp863', 'cp864', 'cp865', 'cp866', 'cp869', 'cp874', 'cp1125'),
  ...same('cp1250', 'cp1251', 'cp1252', 'cp1253', 'cp1254', 'cp1255', 'cp1256', 'cp1257', 'cp1258'),
  ...charmaps('cp037', 'cp273', 'cp424', 'cp500', 'cp875', 'cp1006', 'cp1026', 'cp1140'),
  ...same(
    'koi8_r',
    'koi8_t',
    'koi8_u',
    'mac_cyrillic',
    'mac_greek',
    'mac_iceland',
    'mac_roman',
    'mac_turkish',
  ),
  mac_latin2: ['maccenteuro'],
  kz1048: ['rk1048'],
  ptcp154: ['pt154'],
  ...same('big5', 'big5hkscs', 'cp932', 'cp949', 'cp950', 'euc_jp', 'euc_kr', 'gb2312', 'gbk', 'gb18030'),
  shift_jis: ['shift_jis'],
  euc_jis_2004: UNSUPPORTED,
  euc_jisx0213: UNSUPPORTED,
  hz: UNSUPPORTED,
  iso2022_jp: UNSUPPORTED,
  iso2022_jp_1: UNSUPPORTED,
  iso2022_jp_2: UNSUPPORTED,
  iso2022_jp_2004: UNSUPPORTED,
  iso2022_jp_3: UNSUPPORTED,
  iso2022_jp_ext: UNSUPPORTED,
  iso2022_kr: UNSUPPORTED,
  johab: UNSUPPORTED,
  shift_jis_2004: UNSUPPORTED,
  shift_jisx0213: UNSUPPORTED,
};

const ALIASES: Readonly<Record<string, string>> = {
  u8: 'utf_8',
  cp65001: 'utf_8',
  utf8bom: 'utf_8_sig',
  usascii: 'ascii',
  '646': 'ascii',
  iso88591: 'latin_1',
  iso8859: 'latin_1',
  l1: 'latin_1',
  cp819: 'latin_1',
  latin2: 'iso8859_2',
  latin5: 'iso8859_9',
  latin9: 'iso8859_15',
  u16: 'utf_16',
  u32: 'utf_32',
  u7: 'utf_7',
  cp936: 'gbk',
  ms936: 'gbk',
  sjis: 'shift_jis',
  windows31j: 'cp932',
  mskanji: 'cp932',
  uhc: 'cp949',
  macintosh: 'mac_roman',
  maccenteuro: 'mac_latin2',
  rk1048: 'kz1048',
  pt154: 'ptcp154',
};

export const ENCODING_NAMES: readonly string[] = Object.keys(ROWS);

/** Ignores case, `-`, `_`, blanks and dots; `windows` and `ibm` mean code pages. */
const squeeze = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[-_ .]/g, '')
    .replace(/^(?:windows|ibm)(?=\d)/, 'cp');

const BY_SQUEEZED: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ALIASES),
  ...ENCODING_NAMES.map((name) => [squeeze(name), name] as const),
]);

/** The encoding by any spelling of its name, or `null`. */
export const encodingOf = (spelling: string): Encoding | null => {
  const name = BY_SQUEEZED.get(squeeze(spelling));
  const row = name === undefined ? undefined : ROWS[name];
  if (name === undefined || row === undefined) return null;
  const [decoder, more = {}] = row;
  return { name, decoder, unit: 1, order: 'little', isStateful: false, ...more };
};
