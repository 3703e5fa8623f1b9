/** Records that are read of a log. */
export const MAX_RECORDS = 300_000;
/** Records that a preview reads: 100,000 short ones take half a gigabyte. */
export const MAX_PREVIEWED_RECORDS = 100_000;
/** Fields, or columns, of one record. */
export const MAX_FIELDS = 1_000;
/** Different names of fields in all records. */
export const MAX_FIELD_NAMES = 5_000;
/** Events that a generator makes to be compared: enough that chance changes a share by less than 1 %. */
export const COMPARED_EVENTS = 30_000;
/** More are made for a log with more records, up to this number; fewer, but this many, if records are long. */
export const MAX_COMPARED_EVENTS = 100_000;
export const MIN_COMPARED_EVENTS = 2_000;
/** Maximum size of the events that are compared, which `MIN_COMPARED_EVENTS` may exceed. */
export const MAX_COMPARED_BYTES = 16_000_000;
