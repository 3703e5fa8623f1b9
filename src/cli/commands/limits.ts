/**
 * Defaults, limits and variables that the help of a command names and its work applies. Apart from both: the help is
 * there at every start, the work is loaded when the command runs.
 */

/** `cluster drain` */
export const DEFAULT_DRAIN_SECONDS = 300;
export const MAX_DRAIN_SECONDS = 86_400;

/** `inspect` */
export const DEFAULT_INSPECTED = 10_000;
export const MAX_INSPECTED = 100_000_000;
/** With `--tells`, for each attack: events are kept in memory. */
export const DEFAULT_COMPARED = 20_000;
export const MAX_COMPARED = 200_000;
export const DEFAULT_LABEL = '/labels/anomaly';
/** About two seconds of counting. */
export const MAX_TIMESTAMPS = 20_000_000;

/** `learn` */
export const DEFAULT_LOG_MB = 32;
export const MAX_LOG_MB = 256;
export const DEFAULT_TOLERANCE = 5;

/** `verify` */
export const DEFAULT_SHOWN = 10;
export const MAX_SHOWN = 10_000;
export const CLICKHOUSE_PASSWORD_VARIABLE = 'SPATE_CLICKHOUSE_PASSWORD';

/** Credentials for the API of a service. */
export const API_USER_VARIABLE = 'SPATE_API_USER';
export const API_PASSWORD_VARIABLE = 'SPATE_API_PASSWORD';
export const API_TOKEN_VARIABLE = 'SPATE_API_TOKEN';
