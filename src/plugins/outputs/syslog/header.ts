import { isoFormatter } from '../../../domain/time/iso.js';
import { MICROS_PER_MS, type Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import { priorityOf } from './priority.js';

type Structured = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What stands before each event. */
export interface HeaderParts {
  readonly format: 'rfc5424' | 'rfc3164' | 'raw';
  readonly facility: string;
  readonly severity: string;
  readonly hostname: string;
  readonly app_name: string;
  readonly procid: string | null;
  readonly msgid: string | null;
  readonly structured_data: Structured | null;
}

const NIL = '-';

/** RFC 5424, 6.3.3: these three characters are escaped. */
const escaped = (value: string): string => value.replace(/["\\\]]/g, '\\$&');

export const structuredText = (data: Structured | null): string => {
  const elements = Object.entries(data ?? {}).map(([id, params]) => {
    const pairs = Object.entries(params).map(([name, value]) => ` ${name}="${escaped(value)}"`);
    return `[${id}${pairs.join('')}]`;
  });
  return elements.length === 0 ? NIL : elements.join('');
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Mmm dd hh:mm:ss` in the zone (RFC 3164, 4.1.2). */
const oldTime = (zone: Zone, micros: Micros): string => {
  const local = new Date(micros / MICROS_PER_MS + zone.offsetSecondsAt(micros) * 1_000);
  const day = String(local.getUTCDate()).padStart(2, ' ');
  return `${MONTHS[local.getUTCMonth()]} ${day} ${local.toISOString().slice(11, 19)}`;
};

/** The header of messages sent at a time. */
export const headerMaker = (parts: HeaderParts, zone: Zone): ((now: Micros) => Buffer) => {
  const { format, facility, severity, hostname, app_name, procid, msgid, structured_data } = parts;
  const priority = `<${priorityOf(facility, severity)}>`;
  if (format === 'raw') return () => Buffer.alloc(0);
  if (format === 'rfc3164') {
    const tag = `${hostname} ${app_name}${procid === null ? '' : `[${procid}]`}: `;
    return (now) => Buffer.from(`${priority}${oldTime(zone, now)} ${tag}`);
  }
  const timeOf = isoFormatter(zone);
  const rest = `${hostname} ${app_name} ${procid ?? NIL} ${msgid ?? NIL} ${structuredText(structured_data)} `;
  return (now) => Buffer.from(`${priority}1 ${timeOf(now)} ${rest}`);
};
