/** Lines of text as objects of 8 MB, to a server that discards them, against node:http with bodies and signatures made by hand. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../lib/command.mjs';
import { generateCommand, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';
import { watchGroup } from '../lib/workplace.mjs';

const SERVER = join(import.meta.dirname, '..', '..', 'support', 'servers', 's3', 'server.mjs');
const LINES = 10_000;
const BATCHES = 200;

export const limits =
  'The server, on the same two cores: it reads each body. Spate also replays, counts and keeps batches for retries.';

const lineOf = (index) =>
  `192.0.2.${index % 250} - - [01/Jan/2026:00:00:${String(index % 60).padStart(2, '0')} +0000] "GET /orders/${(index * 7_919) % 100_000} HTTP/1.1" ${index % 7 === 0 ? 404 : 200} ${(index * 104_729) % 90_000} "-" "Mozilla/5.0 (X11; Linux x86_64)"`;

const startServer = async (folder) => {
  writeFileSync(join(folder, 'control'), JSON.stringify({ discard: true }));
  const program = `import(${JSON.stringify(SERVER)}).then(({ serve }) => serve(${JSON.stringify(folder)}, 0));`;
  const child = watchGroup(
    spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'], detached: true }),
  );
  const port = await new Promise((resolve) => child.stdout.once('data', (data) => resolve(Number(data))));
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    bytes: async () => (await (await fetch(`${url}/count`)).json()).bytes,
    kill: () => child.kill('SIGKILL'),
  };
};

export const pairs = async ({ folder, scale }) => {
  const times = Math.max(1, Math.round(BATCHES * scale));
  const text = `${Array.from({ length: LINES }, (_, index) => lineOf(index)).join('\n')}\n`;
  const lines = join(folder, 'lines.log');
  writeFileSync(lines, text);
  const server = await startServer(folder);
  const config = join(folder, 'generator.yml');
  writeFiles(folder, {
    'generator.yml': `input: [static: {count: ${LINES * times}}]
event: {replay: {path: lines.log, repeat: true}}
output: [s3: {endpoint: '${server.url}', bucket: events, access_key_id: AKIATEST, secret_access_key: right-secret}]
`,
  });
  const side = (command) => ({
    events: LINES * times,
    run: async (env) => {
      const before = await server.bytes();
      const measured = await runCommand(command, { env });
      const bytes = (await server.bytes()) - before;
      const isWhole = bytes >= text.length * times;
      return { ...measured, problems: isWhole ? [] : [`only ${bytes} bytes arrived`] };
    },
  });
  return {
    folder,
    config,
    sides: {
      spate: side(generateCommand(config)),
      'node:http': side(nodeCommand(join(PEERS, 's3Put.mjs'), [server.url, lines, times])),
    },
    bars: { 'node:http': 0.6 },
    close: () => server.kill(),
  };
};
