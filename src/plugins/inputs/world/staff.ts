import { isIPv4 } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import { MADE_UP_HOST } from '../../../world/population/entities.js';
import type { StaffMember } from '../../../world/spec.js';

const matches =
  (pattern: RegExp) =>
  (value: string): boolean =>
    pattern.test(value);

const isPlain = matches(/^[^\p{Cc}]{1,64}$/u);
const NAME = { isValid: isPlain, label: 'at most 64 characters' };

/** What a column may hold, and how that is said. */
const COLUMNS = {
  user: {
    isValid: matches(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
    label: 'letters, digits, ".", "_" and "-"',
  },
  first_name: NAME,
  last_name: NAME,
  department: NAME,
  title: NAME,
  site: NAME,
  email: { isValid: matches(/^[^\s\p{Cc}@]{1,64}@[A-Za-z0-9.-]{1,190}$/u), label: 'a mail address' },
  host: {
    isValid: (value: string) => /^[A-Za-z0-9][A-Za-z0-9-]{0,14}$/.test(value) && !MADE_UP_HOST.test(value),
    label:
      'at most 15 letters, digits and "-", and no name of a host that is made up, such as WS-00001 or FS-01',
  },
  // Servers, the VPN, devices, routers, what others see of sites, and the internet of a world have addresses of their own.
  ip: {
    isValid: (value: string) =>
      isIPv4(value) && !/^(?:10\.(?:10|15[01]|2\d\d)|192\.0\.2|198\.1[89])\./.test(value),
    label:
      'an IPv4 address, and none of 10.10.0.0/16, 10.150.0.0/15, 10.200 and above, 192.0.2.0/24 and 198.18.0.0/15',
  },
} as const;
type Column = keyof typeof COLUMNS;

/** Columns in which no two people have the same. */
const UNIQUE: readonly Column[] = ['user', 'email', 'host', 'ip'];

const isColumn = (name: string): name is Column => Object.hasOwn(COLUMNS, name);

/** A cell, quoted or not, and what ends it (RFC 4180). */
const CELL = /[ \t]*(?:"((?:[^"]|"")*)"[ \t]*|([^",\r\n]*))(,|\r?\n|$)/y;

/** Returns the rows of a text without its empty lines, all of one length, or what is wrong with a line. */
const rowsOf = (text: string): E.Either<string, readonly (readonly string[])[]> => {
  const rows: (readonly string[])[] = [];
  let row: string[] = [];
  let line = 1;
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at <= text.length; ) {
    CELL.lastIndex = at;
    const [whole, quoted, plain = '', end] = CELL.exec(text) ?? [];
    if (whole === undefined)
      return E.left(`line ${line}: quotes stand around a whole cell, and "" in it for "`);
    row.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    // An empty match at the end would be found again.
    at = end === '' ? text.length + 1 : at + whole.length;
    if (end === ',') continue;
    const isEmpty = row.length === 1 && row[0] === '';
    if (!isEmpty) rows.push(row);
    const [{ length } = row] = rows;
    if (!isEmpty && row.length !== length)
      return E.left(`person ${rows.length - 1}: has ${row.length} of ${length} cells`);
    row = [];
  }
  return E.right(rows);
};

/** Reads people from CSV with a header line. Returns what is wrong first. */
export const readStaff = (text: string): E.Either<string, readonly StaffMember[]> => {
  const rows = rowsOf(text);
  if (E.isLeft(rows)) return rows;
  const [header = [], ...people] = rows.right;
  if (/^\S+\.csv$/i.test(text.trim())) return E.left('write the lines of the file here, not its name');
  const stray = header.find((name) => !isColumn(name));
  if (stray !== undefined)
    return E.left(`line 1: no column is called '${stray}': they are ${Object.keys(COLUMNS).join(', ')}`);
  if (new Set(header).size < header.length) return E.left('line 1: a column is there twice');
  if (!header.includes('user')) return E.left("line 1: the column 'user' is missing");
  if (people.length === 0) return E.left('nobody is in it');
  const taken = new Set<string>();
  const staff: StaffMember[] = [];
  for (const [index, row] of people.entries()) {
    const cells = new Map(header.map((name, at) => [name as Column, row[at] ?? '']));
    for (const [column, value] of cells) {
      if (value === '' && column !== 'user') continue;
      if (!COLUMNS[column].isValid(value))
        return E.left(`person ${index + 1}: ${column} '${value}' must be ${COLUMNS[column].label}`);
      const known = `${column} ${value.toLowerCase()}`;
      if (UNIQUE.includes(column) && taken.has(known))
        return E.left(`person ${index + 1}: ${column} '${value}' is there twice`);
      taken.add(known);
    }
    const cell = (column: Column): string | null => cells.get(column) || null;
    staff.push({
      user: cell('user') ?? '',
      first_name: cell('first_name'),
      last_name: cell('last_name'),
      department: cell('department'),
      title: cell('title'),
      site: cell('site'),
      email: cell('email'),
      host: cell('host'),
      ip: cell('ip'),
    });
  }
  return E.right(staff);
};
