import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../instance.js';
import { execFileSync, hasPrograms, needs, spawn } from '../programs.js';
import { type BrokerProcess, brokerProcess } from './brokerProcess.js';

const PROGRAMS = ['mosquitto', 'mosquitto_passwd', 'mosquitto_pub', 'mosquitto_sub'] as const;

/** Whether Debian's mosquitto and mosquitto-clients are installed; tests that need them say so in their name. */
export const hasMosquitto = hasPrograms(...PROGRAMS);
export const NEEDS_MOSQUITTO = needs(...PROGRAMS);

export interface StoredMessage {
  readonly topic: string;
  readonly text: string;
}

export interface MosquittoServer extends BrokerProcess {
  readonly port: number;
  readonly folder: string;
  /** Sets the password of a user; `reload` applies it. */
  readonly setPassword: (user: string, password: string) => void;
  /** Replaces the rights of users; `reload` applies them. */
  readonly setRights: (acl: string) => void;
  /** Queues all messages of these topics for `read`. */
  readonly subscribe: (topic: string) => void;
  /** Messages since the last `read`, read by mosquitto_sub, in order. */
  readonly read: () => Promise<readonly StoredMessage[]>;
  readonly remove: () => Promise<void>;
}

const READER = 'reader';
/** Topic of the message that ends a reading; its text is of that reading only. */
const END = 'spate-end';
const READ_LIMIT_MS = 60_000;

const RIGHTS = 'user reader\ntopic readwrite #\nuser writer\ntopic write #\n';

/** Starts a broker that keeps everything for its reader, with the users `reader` and `writer` (password `right`). */
export const startMosquitto = async (
  more = '',
  authority: string | null = null,
): Promise<MosquittoServer> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-mosquitto-'));
  const port = await freePort();
  const file = (name: string): string => join(folder, name);
  const setPassword: MosquittoServer['setPassword'] = (user, password) => {
    const isNew = !fs.existsSync(file('users'));
    execFileSync('mosquitto_passwd', [...(isNew ? ['-c'] : []), '-b', file('users'), user, password], {
      stdio: 'ignore',
    });
  };
  const setRights = (acl: string): void => fs.writeFileSync(file('acl'), acl, { mode: 0o600 });
  setPassword(READER, 'right');
  setPassword('writer', 'right');
  setRights(RIGHTS);
  fs.writeFileSync(
    file('mosquitto.conf'),
    [
      ...(process.getuid?.() === 0 ? ['user root'] : []),
      `listener ${port} 127.0.0.1`,
      'allow_anonymous false',
      `password_file ${file('users')}`,
      `acl_file ${file('acl')}`,
      'persistence true',
      `persistence_location ${folder}/`,
      'max_queued_messages 0',
      'log_dest none',
      more,
      '',
    ].join('\n'),
  );
  const server = brokerProcess('mosquitto', ['-c', file('mosquitto.conf')], port);
  await server.start();
  const tls = authority === null ? [] : ['--cafile', authority];
  const login = ['-h', '127.0.0.1', '-p', String(port), '-u', READER, '-P', 'right', ...tls];
  const session = [...login, '-i', READER, '-c', '-q', '1'];
  let readings = 0;
  return {
    ...server,
    port,
    folder,
    setPassword,
    setRights,
    subscribe: (topic) => {
      execFileSync('mosquitto_sub', [...session, '-t', topic, '-t', END, '-E'], { stdio: 'ignore' });
    },
    read: async () => {
      const end = String(++readings);
      execFileSync('mosquitto_pub', [...login, '-q', '1', '-t', END, '-m', end], { stdio: 'ignore' });
      const reader = spawn('mosquitto_sub', [...session, '-t', END, '-F', '%t\t%p'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const parts: Buffer[] = [];
      const last = `${END}\t${end}\n`;
      const ended = new Promise((resolve) => reader.once('close', resolve));
      const limit = setTimeout(() => reader.kill('SIGKILL'), READ_LIMIT_MS);
      reader.stdout.on('data', (part: Buffer) => {
        parts.push(part);
        if (part.subarray(-last.length).toString('utf8') === last) reader.kill('SIGTERM');
      });
      await ended;
      clearTimeout(limit);
      const text = Buffer.concat(parts).toString('utf8');
      if (!text.endsWith(last)) throw new Error('mosquitto_sub did not read to the end');
      // The reader may be ended before it has acknowledged the end: the broker sends that one again.
      return text
        .slice(0, -last.length)
        .split('\n')
        .slice(0, -1)
        .map((line) => {
          const tab = line.indexOf('\t');
          return { topic: line.slice(0, tab), text: line.slice(tab + 1) };
        })
        .filter(({ topic }) => topic !== END);
    },
    remove: async () => {
      await server.kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};
