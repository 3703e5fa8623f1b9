import * as dgram from 'node:dgram';
import * as fs from 'node:fs';
import * as net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../instance.js';
import { type ChildProcess, hasPrograms, needs, spawn } from '../programs.js';
import { librariesIn, unpacked } from './debianPackages.js';
import { dropTornLine } from './tornLine.js';

const PROGRAM = 'rsyslogd';

export const hasRsyslog = hasPrograms(PROGRAM);
export const NEEDS_RSYSLOG = needs(PROGRAM);

const MODULES = librariesIn('/').map((path) => join(path, 'rsyslog'));
const isInstalled = MODULES.some((path) => fs.existsSync(join(path, 'lmnsd_ossl.so')));
const tlsRoot = hasRsyslog && !isInstalled ? unpacked('rsyslog-openssl', ['rsyslog-openssl']) : null;
export const hasRsyslogTls = hasRsyslog && (isInstalled || tlsRoot !== null);
export const NEEDS_RSYSLOG_TLS = '(needs rsyslog-openssl)';

const MODULE_PATH = [
  ...MODULES,
  ...(tlsRoot === null ? [] : librariesIn(tlsRoot).map((path) => join(path, 'rsyslog'))),
].join(':');

export interface RsyslogOptions {
  /** What to write of each message, a template of rsyslog; by default the message as it was received. */
  readonly template?: string;
  /** Whether messages may be octet-counted: then none may start with a digit otherwise. */
  readonly counts?: boolean;
  /** Certificates, for TLS on the TCP port. */
  readonly tls?: { readonly ca: string; readonly cert: string; readonly key: string };
  /** Folder of the file that it writes, by default its own. */
  readonly into?: string;
}

/** rsyslogd on one loopback port, TCP (imtcp: both framings) and UDP, that writes each message as a line. */
export interface RsyslogServer {
  readonly port: number;
  readonly file: string;
  readonly lines: () => readonly string[];
  /** SIGKILL; the file stays. */
  readonly kill: () => Promise<void>;
  /** SIGTERM: it writes what it has received, then ends. */
  readonly stop: () => Promise<void>;
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly start: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

const driver = (tls: RsyslogOptions['tls']): readonly [global: string, module: string] =>
  tls === undefined
    ? ['', '']
    : [
        ` defaultNetstreamDriver="ossl" defaultNetstreamDriverCAFile="${tls.ca}" defaultNetstreamDriverCertFile="${tls.cert}" defaultNetstreamDriverKeyFile="${tls.key}"`,
        ' StreamDriver.Name="ossl" StreamDriver.Mode="1" StreamDriver.AuthMode="anon"',
      ];

const configOf = (
  folder: string,
  file: string,
  port: number,
  { template, tls, counts = false }: RsyslogOptions,
): string => {
  const [globals, stream] = driver(tls);
  return `global(workDirectory="${folder}" maxMessageSize="256k" parser.escapeControlCharactersOnReceive="off"${globals})
module(load="imtcp"${stream} maxSessions="500")
module(load="imudp")
main_queue(queue.type="Direct")
template(name="line" type="string" string="${template ?? '%rawmsg%'}\\n")
ruleset(name="all" queue.type="Direct") { action(type="omfile" file="${file}" template="line" fileCreateMode="0644") }
input(type="imtcp" port="${port}" address="127.0.0.1" ruleset="all" supportOctetCountedFraming="${counts ? 'on' : 'off'}")
input(type="imudp" port="${port}" address="127.0.0.1" ruleset="all" rcvbufSize="8m")
`;
};

const POLL_MS = 10;
const START_LIMIT_MS = 20_000;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** A port that is free for UDP too. */
const freeForBoth = async (): Promise<number> => {
  const port = await freePort();
  const socket = dgram.createSocket('udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(port, '127.0.0.1', resolve);
    });
    return port;
  } catch {
    return freeForBoth();
  } finally {
    socket.close();
  }
};

export const startRsyslog = async (options: RsyslogOptions = {}): Promise<RsyslogServer> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-rsyslog-'));
  const port = await freeForBoth();
  const file = join(options.into ?? folder, 'messages.log');
  const config = join(folder, 'rsyslog.conf');
  fs.writeFileSync(config, configOf(folder, file, port, options));
  let child: ChildProcess | null = null;

  const start = async (): Promise<void> => {
    dropTornLine(file);
    const errors = fs.openSync(join(folder, 'errors.log'), 'a');
    const pid = join(folder, 'pid');
    fs.rmSync(pid, { force: true });
    const started = spawn(PROGRAM, ['-n', '-f', config, '-i', pid, '-M', MODULE_PATH], {
      stdio: ['ignore', errors, errors],
    });
    fs.closeSync(errors);
    child = started;
    const until = Date.now() + START_LIMIT_MS;
    while (!(await accepts(port))) {
      if (started.exitCode !== null || Date.now() > until) {
        throw new Error(`rsyslogd did not start: ${fs.readFileSync(join(folder, 'errors.log'), 'utf8')}`);
      }
      await pause();
    }
  };

  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
  };

  await start();
  return {
    port,
    file,
    lines: () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : []),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    start,
    remove: async () => {
      child?.kill('SIGCONT');
      await end('SIGKILL');
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};
