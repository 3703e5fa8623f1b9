/** Heartbeat: a comment that clients ignore. */
export const COMMENT = ': still here\n\n';

/** How long clients wait before they connect again. */
export const RETRY = 'retry: 2000\n\n';

/** One server-sent event (HTML standard, section 9.2); `data` is JSON, which has no line ends of its own. */
export const frame = (event: string, data: string, id?: string): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
