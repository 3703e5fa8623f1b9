/** Records that are read of a log. */
export const MAX_RECORDS = 300_000;
/** Records that a preview reads: 100,000 short ones take half a gigabyte. */
export const MAX_PREVIEWED_RECORDS = 100_000;
/** Events that a generator makes to be compared: enough that chance changes a share by less than 1 %. */
export const COMPARED_EVENTS = 30_000;
