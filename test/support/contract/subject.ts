import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, type Instance, makeInstance } from '../instance.js';
import { TINY } from '../library.js';

/** Files of the instance that requests are sent to. The examples of the document are names that are here. */
const GENERATORS: Readonly<Record<string, string>> = {
  'web/generator.yml': JSON.stringify({
    input: [{ timer: { seconds: 1, count: 1 } }],
    event: { script: { path: 'produce.js' } },
    output: [{ file: { path: 'out/events.log' } }],
  }),
  'web/produce.js': 'export const produce = ({ globals }) => `event ${globals.get("mode")}`;\n',
  'web/access.log': '127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 1\n',
  'web/login.jinja': '{{ timestamp }}',
  'web/event.jinja': '{{ event }}',
  'web/batch.jinja': '{{ events | length }}',
  'web/samples/users.csv': 'name,weight\nada,1\n',
  'web/samples/hosts.json': '[{"name": "web"}]',
  'web/a.csv': 'a,b\n1,2\n',
  'web/a.json': '[[1, 2]]',
  'web/notes.txt': 'notes\n',
  'web/deep/er/file.bin': '\u0000\u0001',
  'calm/generator.yml': JSON.stringify({
    input: [{ cron: { expression: '* * * * * *', count: 1 } }],
    event: { script: { path: '../web/produce.js' } },
    output: [{ file: { path: 'out/events.log' } }],
  }),
  'spare/generator.yml': JSON.stringify({
    input: [{ static: { count: 1 } }],
    event: { replay: { path: '../web/access.log' } },
    output: [{ stdout: {} }],
  }),
};

/** One that runs and is in a scenario, and one that waits to be started. */
const STARTUP = `# kept
- id: web
  path: web/generator.yml
  scenarios: [shop]
- id: idle
  path: web/generator.yml
  autostart: false
`;

const LETTER = {
  at: '2026-01-01T00:00:00+00:00',
  code: 'output_failed',
  reason: 'the disk is full',
  event: 'event a',
};

const leaveLetter = async (folder: string): Promise<void> => {
  const box = join(folder, 'state', 'dead-letters', 'web', '1-file');
  await mkdir(box, { recursive: true });
  await writeFile(join(box, '00000001.jsonl'), `${JSON.stringify(LETTER)}\n`);
};

/** The former text of a file, by the number that requests name. */
export const FORMER_VERSION = '1767225600000';

const leaveVersion = async (folder: string): Promise<void> => {
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
  const [path, text] = ['notes.txt', 'former notes\n'];
  const home = join(folder, 'state', 'file-versions', digest('web'));
  await mkdir(home, { recursive: true });
  await writeFile(join(home, `${digest(path)}.path`), JSON.stringify({ path }));
  const head = JSON.stringify({ user: 'ada', what: 'replaced' });
  const name = `${FORMER_VERSION.padStart(15, '0')}-${digest(path)}-${text.length}`;
  await writeFile(join(home, name), `${head}\n${text}`);
};

/** Starts an instance with something of everything in a folder of its own. `server` stands in its settings. */
export const startSubject = async (server = ''): Promise<Instance> => {
  const instance = await makeInstance({
    startup: STARTUP,
    generators: GENERATORS,
    library: TINY,
    worlds: { 'small.yml': 'people: 3\n', 'broken.yml': 'people: 0\n' },
    server: `secrets_readable: true, ${server}`,
    env: { SPATE_KEYRING_PASSWORD: 'a password for the contract test' },
  });
  await leaveLetter(instance.folder);
  await leaveVersion(instance.folder);
  await instance.start();
  const isReady = async () => ((await instance.api('GET', '/ready')).status === 200 ? true : null);
  await eventually(isReady, 'the generators of the startup list run');
  return instance;
};

/** Port of an instance. */
export const portOf = ({ url }: Instance): number => Number(new URL(url).port);
