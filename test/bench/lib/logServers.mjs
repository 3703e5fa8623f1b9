/** Lines of text to a server of logs that discards them, against node:http that sends bodies made by hand. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.mjs';
import { generateCommand, nodeCommand, PEERS, writeFiles } from './spate.mjs';
import { watchGroup } from './workplace.mjs';

const LOG_PEER = join(import.meta.dirname, '..', '..', 'support', 'servers', 'logPeers', 'peer.mjs');
const LINES = 10_000;
const BATCHES = 300;

const textOf = (index) =>
  `192.0.2.${index % 250} - - [01/Jan/2026:00:00:${String(index % 60).padStart(2, '0')} +0000] "GET /orders/${(index * 7_919) % 100_000} HTTP/1.1" ${index % 7 === 0 ? 404 : 200} ${(index * 104_729) % 90_000} "-" "Mozilla/5.0 (X11; Linux x86_64)"`;

/** Field of the output with the address, and the program of a server that is none of logs. */
const SINK = join(PEERS, 'httpSink.mjs');
const OTHERS = {
  http: { program: SINK, address: (url) => `url: '${url}'` },
  opensearch: { program: SINK, address: (url) => `hosts: ['${url}']`, isJson: true },
};
const ofLogs = { program: LOG_PEER, address: (url) => `url: '${url}'` };

const startPeer = async (kind, program, folder) => {
  const state = JSON.stringify({ discard: true, use_ack: false });
  const child = watchGroup(
    spawn(process.execPath, [program, kind, join(folder, 'arrived'), '0', state], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    }),
  );
  const port = await new Promise((resolve) => child.stdout.once('data', (data) => resolve(Number(data))));
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    bytes: async () => (await (await fetch(`${url}/control`)).json()).bytes,
    kill: () => child.kill('SIGKILL'),
  };
};

/** A pair case: `output` are the options of the output beside its address. */
export const logServer = async ({ folder, scale }, { kind, output }) => {
  const times = Math.max(1, Math.round(BATCHES * scale));
  const { program, address, isJson } = OTHERS[kind] ?? ofLogs;
  const lineOf = (index) => (isJson ? JSON.stringify({ message: textOf(index) }) : textOf(index));
  const text = `${Array.from({ length: LINES }, (_, index) => lineOf(index)).join('\n')}\n`;
  const lines = join(folder, 'lines.log');
  writeFileSync(lines, text);
  const server = await startPeer(kind, program, folder);
  const config = join(folder, 'generator.yml');
  writeFiles(folder, {
    'generator.yml': `input: [static: {count: ${LINES * times}}]
event: {replay: {path: lines.log, repeat: true}}
output: [${kind}: {${address(server.url)}, ${output}}]
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
      'node:http': side(nodeCommand(join(PEERS, 'logPost.mjs'), [kind, server.url, lines, times])),
    },
    bars: { 'node:http': 0.6 },
    close: () => server.kill(),
  };
};
