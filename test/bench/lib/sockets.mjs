/** Lines of 256 bytes, or syslog messages of them, to a listener that discards them, against hand-written loops and loggen of syslog-ng. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { runCommand } from './command.mjs';
import { sleep } from './daemon.mjs';
import { everyMs, generateCommand, nodeCommand, PEERS, writeFiles } from './spate.mjs';
import { watchGroup } from './workplace.mjs';

const LINE_BYTES = 256;
/** After the 32 characters of the timestamp, before the line end. */
const TAIL = ' shop order taken '.padEnd(LINE_BYTES - 33, 'x');
/** Time for the listener to read the rest. */
const REST_MS = 300;

/** The runner has its own TMPDIR below that of the system. */
const TEMPORARY = dirname(tmpdir());
/** Where test/support/servers/debianPackages.ts unpacks it: it conflicts with rsyslog. */
const UNPACKED = join(TEMPORARY, 'spate-test-packages', 'syslog-ng');

/** How to start loggen; `null`: it is not there. */
const findLoggen = () => {
  if (spawnSync('loggen', ['--help'], { stdio: 'ignore' }).error === undefined) return 'loggen';
  const program = join(UNPACKED, 'usr/bin/loggen');
  if (!existsSync(program)) return null;
  const libraries = readdirSync(join(UNPACKED, 'usr/lib'))
    .map((name) => join(UNPACKED, 'usr/lib', name))
    .concat(
      existsSync(join(UNPACKED, 'lib'))
        ? readdirSync(join(UNPACKED, 'lib')).map((name) => join(UNPACKED, 'lib', name))
        : [],
    );
  return `env LD_LIBRARY_PATH=${libraries.join(':')} SYSLOGNG_PREFIX=${join(UNPACKED, 'usr')} ${program}`;
};

/** Starts the listener: `{port, take(), end()}`; `take` returns what came since the last call. */
const startSink = async (protocol) => {
  const child = watchGroup(
    spawn(process.execPath, [join(PEERS, 'socketSink.mjs'), protocol], {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    }),
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: port } = await lines.next();
  return {
    port: Number(port),
    take: async () => {
      await sleep(REST_MS);
      child.stdin.write('\n');
      return JSON.parse((await lines.next()).value);
    },
    end: () => {
      const ended = once(child, 'exit');
      child.stdin.end();
      return ended;
    },
  };
};

/** A pair case over `tcp`, `udp` or `syslog`. */
export const sockets = async ({ folder }, { protocol, events }) => {
  const sink = await startSink(protocol === 'udp' ? 'udp' : 'tcp');
  writeFiles(folder, {
    'generator.yml': `input: [${everyMs(events)}]
event: {template: {mode: all, templates: [{event: {template: event.jinja}}]}}
output: [${protocol}: {host: 127.0.0.1, port: ${sink.port}}]
`,
    'stdout.yml': `input: [${everyMs(events)}]
event: {template: {mode: all, templates: [{event: {template: event.jinja}}]}}
output: [stdout: {}]
`,
    'event.jinja': `{{ timestamp.isoformat() }}${TAIL}`,
  });
  const config = join(folder, 'generator.yml');
  const side = (command) => ({
    events,
    run: async (env) => {
      const measured = await runCommand(command, { env });
      const { bytes, datagrams } = await sink.take();
      const isRight = {
        tcp: bytes === events * LINE_BYTES,
        udp: bytes === datagrams * LINE_BYTES && datagrams > 0,
        // With a header, and without the line end.
        syslog: bytes > events * LINE_BYTES,
      }[protocol];
      return {
        ...measured,
        problems: isRight ? [] : [`${bytes} bytes in ${datagrams} datagrams arrived of ${events} lines`],
      };
    },
  });
  const loggen = protocol === 'syslog' ? null : findLoggen();
  const loop = (args) => nodeCommand(join(PEERS, 'socketLoop.mjs'), args);
  const flag = protocol === 'tcp' ? '-S' : '-D';
  return {
    folder,
    config,
    sides: {
      spate: side(generateCommand(config)),
      // The same events, sent by hand.
      'stdout | loop': side(
        `set -o pipefail; ${generateCommand(join(folder, 'stdout.yml'))} | ${loop([protocol, sink.port])}`,
      ),
      loop: side(loop([protocol, sink.port, events, TAIL])),
      ...(loggen === null
        ? {}
        : {
            loggen: side(
              `${loggen} -i ${flag} -Q -s ${LINE_BYTES} -r 1000000000 -I 10000 -n ${events} 127.0.0.1 ${sink.port}`,
            ),
          }),
    },
    bars: { 'stdout | loop': 0.6, ...(loggen === null ? {} : { loggen: 1 }) },
    close: sink.end,
  };
};
