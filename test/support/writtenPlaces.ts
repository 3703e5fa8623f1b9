/** Values that `killedWrites.test.ts` writes through the API, and how to read them from disk. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { globalsFiles, latestGlobals } from '../../actors/scenarios/store.js';
import { privateFiles } from '../../src/adapters/files/privateFiles.js';
import { keyringFile } from '../../src/adapters/keyring/file.js';
import { DEFAULT_GENERATION } from '../../src/config/settings/generationFields.js';
import { loadStartup } from '../../src/config/startup/startup.js';
import type { Random } from '../../src/domain/random.js';
import { knownSecrets } from '../../src/domain/secrets.js';
import { right } from './either.js';
import { type WriteHistory, writeHistory } from './writeHistory.mjs';

export const PASSWORD = 'correct horse';

/** Makes a write take more than one step. */
const padding = (n: number): string => `${n} `.repeat(200);

const configText = (n: number): string => `# Kept by hand.
${'# A line that no write may lose.\n'.repeat(1_000)}
input:
  - static: {count: ${n}} # how many
event:
  replay: {path: data.txt}
output:
  - stdout: {}
`;
const configBody = (n: number) => ({
  input: [{ static: { count: n } }],
  event: { replay: { path: 'data.txt' } },
  output: [{ stdout: {} }],
});
const data = (n: number): string => `${n} `.repeat(50_000);
const dataText = (n: number): string => JSON.stringify(data(n));
const secretText = (n: number): string => `${n}:${padding(n)}`;
const entryBody = (n: number) => ({
  path: 'entry/generator.yml',
  autostart: false,
  params: { n, pad: padding(n) },
});

export const HAND = `# Kept by hand.

# The one that runs.
- id: counter   # counts in the globals
  path: counter/generator.yml
  scenarios: [shop]
`;
const COUNTER = `
input: [linspace: {start: now, end: +1d, count: 8640000}]
event: {script: {path: produce.mjs}}
output: [file: {path: ../../out.log, flush_interval: 0}]
`;

/** A generator that counts its events in the globals of its scenario. */
export const COUNTER_FILES = {
  'counter/generator.yml': COUNTER,
  'counter/produce.mjs': 'export const produce = ({ globals }) => String(globals.increment("count"));',
} as const;

/** The generators directory before the first write. */
export const FIRST_FILES = {
  ...COUNTER_FILES,
  'a/generator.yml': configText(1),
  'a/data.txt': dataText(1),
  'b/generator.yml': configText(1),
  // It reads the parameters of the entries.
  'entry/generator.yml': JSON.stringify({
    input: [{ static: { count: '${params.n:-1}', tags: ['${params.pad:-none}'] } }],
    event: { replay: { path: '../a/data.txt' } },
    output: [{ stdout: {} }],
  }),
} as const;

/** A value written through the API: a number, or `null` for none. */
export interface Place {
  readonly what: string;
  readonly history: WriteHistory<number | null>;
  readonly request: (n: number) => readonly [method: string, path: string, body: unknown];
  /** Its value after a kill of the daemon; throws when it is incomplete. */
  readonly onDisk: (disk: Disk) => number | null;
}

/** All written files. */
export interface Disk {
  readonly file: (path: string) => string;
  readonly entries: ReadonlyMap<string, unknown>;
  readonly globals: Readonly<Record<string, unknown>>;
  readonly secrets: ReadonlyMap<string, string>;
}

/** The number in a text, which must match the text of that number exactly. */
const numberIn = (text: string, found: RegExp, textOf: (n: number) => string): number => {
  const n = Number(found.exec(text)?.[1]);
  if (text !== textOf(n)) throw new Error(`is not whole: ${text.length} bytes, ${text.slice(-200)}`);
  return n;
};

const configPlace = (name: string): Place => ({
  what: `config ${name}`,
  history: writeHistory<number | null>(1),
  request: (n) => ['PUT', `/generator-configs/${name}`, configBody(n)],
  onDisk: ({ file }) => numberIn(file(`generators/${name}/generator.yml`), /count: (\d+)/, configText),
});

const dataPlace: Place = {
  what: 'file data.txt',
  history: writeHistory<number | null>(1),
  request: (n) => ['PUT', '/generator-configs/a/file/data.txt', data(n)],
  onDisk: ({ file }) => numberIn(file('generators/a/data.txt'), /^"(\d+) /, dataText),
};

const settingsPlace = (first: string): Place => {
  const textOf = (n: number): string => first.replace('max_bytes: 1000000', `max_bytes: ${1_000_000 + n}`);
  const port = Number(/port: (\d+)/.exec(first)?.[1]);
  const path = { logs: 'logs', startup: 'startup.yml', generators_dir: 'generators', state: 'state' };
  const body = (n: number) => ({
    server: { host: '127.0.0.1', port },
    generation: {},
    log: { max_bytes: 1_000_000 + n },
    path: { ...path, keyring_cryptfile: 'keyring' },
  });
  return {
    what: 'settings',
    history: writeHistory<number | null>(0),
    request: (n) => ['PUT', '/instance/settings', body(n)],
    onDisk: ({ file }) =>
      numberIn(file('spate.yml'), /max_bytes: (\d+)/, (bytes) => textOf(bytes - 1_000_000)) - 1_000_000,
  };
};

/** A startup entry that is created and removed: requests depend on those before. */
const entryPlace = (random: Random, id: string): Place => ({
  what: `entry ${id}`,
  history: writeHistory<number | null>(null),
  request: (n) => [['POST', 'PUT', 'DELETE'][random.integer(0, 2)] ?? '', `/startup/${id}`, entryBody(n)],
  onDisk: ({ entries }) => {
    const params = entries.get(id) as { readonly n: number; readonly pad: string } | undefined;
    if (params === undefined) return null;
    expect(params).toEqual({ n: params.n, pad: padding(params.n) });
    return params.n;
  },
});

const secretPlace = (name: string): Place => ({
  what: `secret ${name}`,
  history: writeHistory<number | null>(null),
  request: (n) => ['PUT', `/secrets/${name}`, secretText(n)],
  onDisk: ({ secrets }) => {
    const value = secrets.get(name);
    return value === undefined ? null : numberIn(value, /^(\d+):/, secretText);
  },
});

const globalPlace = (key: string): Place => ({
  what: `global ${key}`,
  history: writeHistory<number | null>(null),
  request: (n) => ['PATCH', '/scenarios/shop/globals', { [key]: { n, pad: padding(n) } }],
  onDisk: ({ globals }) => {
    const value = globals[key] as { readonly n: number; readonly pad: string } | undefined;
    if (value === undefined) return null;
    expect(value).toEqual({ n: value.n, pad: padding(value.n) });
    return value.n;
  },
});

const secretsIn = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const keyring = keyringFile({
    file: join(folder, 'keyring'),
    password: async () => E.right(PASSWORD),
    known: knownSecrets(),
    warn: () => undefined,
  });
  const found = new Map<string, string>();
  for (const name of right(await keyring.list())) found.set(name, right(await keyring.read(name)));
  return found;
};

/** Reads a copy, because reading globals repairs their journal. */
export const readDisk = async (folder: string): Promise<Disk> => {
  const copy = await mkdtemp(join(tmpdir(), 'spate-killed-'));
  try {
    // A killed service leaves the socket of its lock.
    await cp(folder, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    const paths = [
      'spate.yml',
      'generators/a/data.txt',
      'generators/a/generator.yml',
      'generators/b/generator.yml',
    ];
    const texts = new Map<string, string>();
    for (const path of paths) texts.set(path, await readFile(join(copy, path), 'utf8'));
    const startup = await readFile(join(copy, 'startup.yml'), 'utf8');
    expect(startup.startsWith(HAND)).toBe(true);
    const list = right(loadStartup(startup, 'startup.yml', DEFAULT_GENERATION, '/g'));
    expect(list.rejected).toEqual([]);
    const saved = right(await globalsFiles(privateFiles, join(copy, 'state', 'globals')).load('shop'));
    return {
      file: (path) => texts.get(path) ?? '',
      entries: new Map(list.entries.map(({ id, params }) => [id, params])),
      globals: latestGlobals(saved),
      secrets: await secretsIn(copy),
    };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
};

/** All values; `settings`: text of the settings file before the first write. */
export const placesOf = (settings: string, random: Random): readonly Place[] => [
  configPlace('a'),
  configPlace('b'),
  dataPlace,
  settingsPlace(settings),
  ...['e0', 'e1', 'e2'].map((id) => entryPlace(random, id)),
  ...['s0', 's1'].map(secretPlace),
  ...['k0', 'k1'].map(globalPlace),
];
