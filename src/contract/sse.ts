/** A comment, as a heartbeat. */
export const COMMENT = ': still here\n\n';

/** Reconnect delay of clients. */
export const RETRY = 'retry: 2000\n\n';

/** One server-sent event (HTML standard, 9.2); `data` is JSON without line breaks. */
export const frame = (event: string, data: string, id?: string): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
