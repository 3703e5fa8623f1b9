import { isIPv4 } from 'node:net';
import { CsvError, parse } from 'csv-parse/sync';
import * as E from 'fp-ts/lib/Either.js';
import { MADE_UP_HOST } from '../../../world/population/population.js';
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
  // Servers, the VPN, what others see of sites, and the internet of a world have addresses of their own.
  ip: {
    isValid: (value: string) => isIPv4(value) && !/^(?:10\.(?:10|15[01])|192\.0\.2|198\.1[89])\./.test(value),
    label: 'an IPv4 address, and none of 10.10.0.0/16, 10.150.0.0/15, 192.0.2.0/24 and 198.18.0.0/15',
  },
} as const;
type Column = keyof typeof COLUMNS;

/** Columns in which no two people have the same. */
const UNIQUE: readonly Column[] = ['user', 'email', 'host', 'ip'];

const isColumn = (name: string): name is Column => Object.hasOwn(COLUMNS, name);

/** Reads people from CSV with a header line. Returns what is wrong first. */
export const readStaff = (text: string): E.Either<string, readonly StaffMember[]> => {
  let rows: readonly (readonly string[])[];
  try {
    rows = parse(text, { skip_empty_lines: true, trim: true, bom: true });
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    return E.left(thrown.message);
  }
  const [header = [], ...people] = rows;
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
