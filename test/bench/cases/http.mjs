/** Lines of text in bodies of up to 1 MB, to a server that discards them, against node:http with bodies made by hand. */
import { logServer } from '../lib/logServers.mjs';

export const limits = 'The server and the kernel: Spate sends the bytes of its batches as they are.';

export const pairs = (given) =>
  logServer(given, { kind: 'http', output: 'batching: joined, formatter: {format: plain}' });
