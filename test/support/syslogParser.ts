import { createRequire } from 'node:module';

/** What `nsyslog-parser` reads in a message; it has no types of its own. */
export interface ParsedSyslog {
  readonly type: string;
  readonly prival: number;
  readonly facilityval: number;
  readonly levelval: number;
  readonly level: string;
  readonly ts: Date;
  readonly host: string;
  readonly appName: string;
  readonly pid?: string;
  readonly messageid?: string;
  readonly structuredData?: readonly Readonly<Record<string, string>>[];
  readonly message: string;
  readonly cef?: Readonly<Record<string, string>>;
  readonly leef?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, string>>;
}

export const parseSyslog = createRequire(import.meta.url)('nsyslog-parser') as (line: string) => ParsedSyslog;
