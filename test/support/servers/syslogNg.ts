import * as fs from 'node:fs';
import * as net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../instance.js';
import { type ChildProcess, spawn } from '../programs.js';
import { librariesIn, unpacked } from './debianPackages.js';

/** syslog-ng conflicts with rsyslog in dpkg: its packages are unpacked, not installed. */
const PACKAGES = [
  'syslog-ng-core',
  'libivykis0',
  'libnet1',
  'libwrap0',
  'libjson-c5',
  'libpcre3',
  'libglib2.0-0',
];

const root = unpacked('syslog-ng', PACKAGES);
export const hasSyslogNg = root !== null;
export const NEEDS_SYSLOG_NG = '(needs syslog-ng-core)';

/** Folder of its modules. */
const modulesIn = (folder: string): string => {
  const base = join(folder, 'usr/lib/syslog-ng');
  const version = fs.readdirSync(base).find((name) => /^\d+\.\d+$/.test(name)) ?? '';
  return join(base, version);
};

export interface SyslogNg {
  readonly port: number;
  readonly lines: () => readonly string[];
  readonly remove: () => Promise<void>;
}

const START_LIMIT_MS = 20_000;

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** syslog-ng with an RFC 5424 source (octet counting) that writes a line per message by its template. */
export const startSyslogNg = async (template: string): Promise<SyslogNg> => {
  if (root === null) throw new Error('syslog-ng is not there');
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-syslog-ng-'));
  const port = await freePort();
  const file = join(folder, 'messages.log');
  const config = join(folder, 'syslog-ng.conf');
  fs.writeFileSync(
    config,
    `@version: 3.38
options { stats-freq(0); keep-hostname(yes); };
source s { syslog(transport("tcp") ip("127.0.0.1") port(${port})); };
destination d { file("${file}" template("${template}\\n") flush-lines(1)); };
log { source(s); destination(d); };
`,
  );
  const at = (name: string): string => join(folder, name);
  const errors = fs.openSync(at('errors.log'), 'a');
  const child: ChildProcess = spawn(
    join(root, 'usr/sbin/syslog-ng'),
    [
      ...['-F', '--no-caps', '-f', config, '-R', at('persist'), '-p', at('pid'), '-c', at('ctl')],
      ...['--module-path', modulesIn(root)],
    ],
    {
      stdio: ['ignore', errors, errors],
      env: {
        ...process.env,
        LD_LIBRARY_PATH: [...librariesIn(root), join(root, 'usr/lib/syslog-ng')].join(':'),
      },
    },
  );
  fs.closeSync(errors);
  for (const until = Date.now() + START_LIMIT_MS; !(await accepts(port)); ) {
    if (child.exitCode !== null || Date.now() > until) {
      throw new Error(`syslog-ng did not start: ${fs.readFileSync(at('errors.log'), 'utf8')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    port,
    lines: () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : []),
    remove: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};
