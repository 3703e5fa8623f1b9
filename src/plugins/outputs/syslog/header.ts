import type { Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import { headerWriter, structuredElement } from '../../shared/syslog/header.js';
import { priorityOf } from '../../shared/syslog/priority.js';

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

const structuredText = (data: Structured | null): string =>
  Object.entries(data ?? {})
    .map(([id, params]) => structuredElement(id, Object.entries(params)))
    .join('');

/** The header of messages sent at a time. */
export const headerMaker = (parts: HeaderParts, zone: Zone): ((now: Micros) => Buffer) => {
  const { format, facility, severity, structured_data } = parts;
  if (format === 'raw') return () => Buffer.alloc(0);
  const write = headerWriter(format, zone);
  const words = {
    ...parts,
    priority: priorityOf(facility, severity),
    structured: structuredText(structured_data),
  };
  return (now) => Buffer.from(write(now, words));
};
