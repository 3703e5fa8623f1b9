import type { LogRecord } from './record.js';

/** What all records of an output share. */
export interface Origin {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope_name: string;
  readonly scope_version: string | null;
}

/** Encodes an ExportLogsServiceRequest with one resource and one scope. */
export type EncodeRequest = (records: readonly LogRecord[]) => Buffer;

/** Decoders of protobuf stop at 100 messages in each other, and a level of JSON is three: deeper values go as JSON text. */
export const MAX_LEVELS = 30;
