/** JSON of 10,000 events a bulk request, to a server that discards it, against node:http with bodies made by hand. */
import { logServer } from '../lib/logServers.mjs';

export const limits =
  'The server, on the same two cores: it reads each body and replies with a result per event, which both sides read.';

export const pairs = (given) => logServer(given, { kind: 'opensearch', output: 'index: lines' });
