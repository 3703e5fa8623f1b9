/** Lines of text to a server of logs that discards them, against node:http that sends bodies made by hand. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runCommand } from './command.mjs';
import { generateCommand, nodeCommand, PEERS, writeFiles } from './spate.mjs';
import { watchGroup } from './workplace.mjs';

const LOG_PEER = join(import.meta.dirname, '..', '..', 'support', 'servers', 'logPeers', 'peer.mjs');
const LINES = 10_000;
const BATCHES = 600;

const textOf = (index) =>
  `192.0.2.${index % 250} - - [01/Jan/2026:00:00:${String(index % 60).padStart(2, '0')} +0000] "GET /orders/${(index * 7_919) % 100_000} HTTP/1.1" ${index % 7 === 0 ? 404 : 200} ${(index * 104_729) % 90_000} "-" "Mozilla/5.0 (X11; Linux x86_64)"`;

/** Field of the output with the address, and the program of a server that is none of logs. */
const SINK = join(PEERS, 'httpSink.mjs');
const OTHERS = {
  http: { program: SINK, address: (url) => `url: '${url}'` },
  opensearch: { program: SINK, address: (url) => `hosts: ['${url}']`, isJson: true },
};
const ofLogs = { program: LOG_PEER, address: (url) => `url: '${url}'` };

/** The program of a server that discards what it gets and counts its bytes; it prints its port first. */
export const startDiscarder = async (args, bytesPath) => {
  const child = watchGroup(
    spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true }),
  );
  const port = await new Promise((resolve) => child.stdout.once('data', (data) => resolve(Number(data))));
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    bytes: async () => (await (await fetch(`${url}${bytesPath}`)).json()).bytes,
    kill: () => child.kill('SIGKILL'),
  };
};

/** Replays the lines `times` times: `output` in YAML, against the program `peer` of node:http. */
export const againstNodeHttp = ({ folder, lineOf = textOf, times, server, output, peer }) => {
  const text = `${Array.from({ length: LINES }, (_, index) => lineOf(index)).join('\n')}\n`;
  const lines = join(folder, 'lines.log');
  const config = join(folder, 'generator.yml');
  writeFiles(folder, {
    'lines.log': text,
    'generator.yml': `input: [static: {count: ${LINES * times}}]
event: {replay: {path: lines.log, repeat: true}}
output: [${output}]
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
    sides: { spate: side(generateCommand(config)), 'node:http': side(nodeCommand(...peer(lines))) },
    bars: { 'node:http': 0.6 },
    close: () => server.kill(),
  };
};

/** A pair case: `output` are the options of the output beside its address. */
export const logServer = async ({ folder, scale }, { kind, output }) => {
  const times = Math.max(1, Math.round(BATCHES * scale));
  const { program, address, isJson } = OTHERS[kind] ?? ofLogs;
  const state = JSON.stringify({ discard: true, use_ack: false });
  const server = await startDiscarder([program, kind, join(folder, 'arrived'), '0', state], '/control');
  return againstNodeHttp({
    ...{ folder, times, server },
    ...(isJson ? { lineOf: (index) => JSON.stringify({ message: textOf(index) }) } : {}),
    output: `${kind}: {${address(server.url)}, ${output}}`,
    peer: (lines) => [join(PEERS, 'logPost.mjs'), [kind, server.url, lines, times]],
  });
};
