export const DEFAULT_MAX_MB = 32;
export const MAX_MB = 256;
export const DEFAULT_TOLERANCE = 5;
export const MAX_RECORDS = 300_000;
/** Events that a generator makes to be compared: enough that chance changes a share by less than 1 %. */
export const COMPARED_EVENTS = 30_000;
