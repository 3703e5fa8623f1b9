/** Lines of text as objects of 8 MB, to a server that discards them, against node:http with bodies and signatures made by hand. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { againstNodeHttp, startDiscarder } from '../lib/logServers.mjs';
import { PEERS } from '../lib/spate.mjs';

const SERVER = join(import.meta.dirname, '..', '..', 'support', 'servers', 's3', 'server.mjs');
const BATCHES = 200;

export const limits =
  'The server, on the same two cores: it reads each body. Spate also replays, counts and keeps batches for retries.';

export const pairs = async ({ folder, scale }) => {
  const times = Math.max(1, Math.round(BATCHES * scale));
  writeFileSync(join(folder, 'control'), JSON.stringify({ discard: true }));
  const program = `import(${JSON.stringify(SERVER)}).then(({ serve }) => serve(${JSON.stringify(folder)}, 0));`;
  const server = await startDiscarder(['-e', program], '/count');
  return againstNodeHttp({
    ...{ folder, times, server },
    output: `s3: {endpoint: '${server.url}', bucket: events, access_key_id: AKIATEST, secret_access_key: right-secret}`,
    peer: (lines) => [join(PEERS, 's3Put.mjs'), [server.url, lines, times]],
  });
};
