/** Lines of text as log records in protobuf, 10,000 a request, to a server that discards them, against node:http with bodies made by hand. */
import { logServer } from '../lib/logServers.mjs';

export const limits =
  'The server, on the same two cores: it reads each body. Spate also replays, counts and keeps batches for retries.';

export const pairs = (given) => logServer(given, { kind: 'otlp', output: 'encoding: protobuf' });
