export const DEFAULT_MAX_MB = 32;
export const MAX_MB = 256;
export const DEFAULT_TOLERANCE = 5;
