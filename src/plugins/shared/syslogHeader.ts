import { hostname } from 'node:os';
import { isoFormatter } from '../../domain/time/iso.js';
import { MICROS_PER_MS, type Micros } from '../../domain/time/micros.js';
import type { Zone } from '../../domain/time/zone.js';

/** What stands before a message, as it is written: the words are printable ASCII without spaces. */
interface HeaderWords {
  readonly priority: number;
  readonly hostname: string;
  readonly app_name: string;
  readonly procid: string | null;
  readonly msgid: string | null;
  /** Elements of `structuredElement`, joined; empty: none. */
  readonly structured: string;
}

type HeaderFormat = 'rfc5424' | 'rfc3164';

const NIL = '-';

/** RFC 5424, 6.3.3: these three characters are escaped. */
const escaped = (value: string): string => value.replace(/["\\\]]/g, '\\$&');

/** One element of structured data. */
export const structuredElement = (id: string, params: readonly (readonly [string, string])[]): string =>
  `[${id}${params.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')}]`;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Mmm dd hh:mm:ss` in the zone (RFC 3164, 4.1.2). */
const oldTime = (zone: Zone, micros: Micros): string => {
  const local = new Date(micros / MICROS_PER_MS + zone.offsetSecondsAt(micros) * 1_000);
  const day = String(local.getUTCDate()).padStart(2, ' ');
  return `${MONTHS[local.getUTCMonth()]} ${day} ${local.toISOString().slice(11, 19)}`;
};

/** Writes the header of a message, with the space before its text. */
export const headerWriter = (
  format: HeaderFormat,
  zone: Zone,
): ((time: Micros, words: HeaderWords) => string) => {
  if (format === 'rfc3164') {
    return (time, { priority, hostname, app_name, procid }) =>
      `<${priority}>${oldTime(zone, time)} ${hostname} ${app_name}${procid === null ? '' : `[${procid}]`}: `;
  }
  const timeOf = isoFormatter(zone);
  return (time, { priority, hostname, app_name, procid, msgid, structured }) =>
    `<${priority}>1 ${timeOf(time)} ${hostname} ${app_name} ${procid ?? NIL} ${msgid ?? NIL} ${structured === '' ? NIL : structured} `;
};

/** Name of this host; a header field is printable ASCII without spaces. */
export const ownHostname = (): string => hostname().replace(/[^!-~]/g, '') || '-';
