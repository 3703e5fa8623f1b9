import { hostname } from 'node:os';

/** Name of this host; a header field is printable ASCII without spaces. */
export const ownHostname = (): string => hostname().replace(/[^!-~]/g, '') || '-';
