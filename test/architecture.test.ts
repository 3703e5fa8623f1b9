import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cyclesOf, parseSource, ROOT, readSources, type Source } from './support/sources.js';

/**
 * The import table: what each folder may import of ours. An entry is a folder, or one file; `(types)`
 * behind it allows what is gone at run time. A folder may always import itself.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/domain': [],
  'src/messages': ['src/domain'],
  'src/ports': ['src/domain'],
  'src/schema': ['src/domain'],
  'src/contract': ['src/domain', 'src/messages (types)', 'src/schema'],
  'src/regex': [],
  'src/world': ['src/domain'],
  'src/imperfections': ['src/domain'],
  'src/incidents': ['src/domain'],
  'src/template': ['src/domain', 'src/regex'],
  'src/plugins': [
    'src/domain',
    'src/imperfections',
    'src/ports',
    'src/regex',
    'src/schema',
    'src/template',
    'src/world',
  ],
  'src/pipeline': ['src/domain', 'src/imperfections', 'src/ports', 'src/plugins/kit.ts (types)'],
  'src/config': [
    'src/domain',
    'src/incidents',
    'src/ports',
    'src/schema',
    // The file of a world, which the input plugin reads on its thread, too.
    'src/plugins/inputs/world/worldShape.ts',
    // Names of attacks, and how long campaigns take.
    'src/world/attack/names.ts',
    'src/world/spec.ts (types)',
  ],
  'src/host': ['src/domain', 'src/ports'],
  actors: [
    'src/domain',
    'src/messages',
    'src/ports',
    'src/config',
    'src/cluster',
    'src/host/port.ts (types)',
    'src/host/globalsOwner.ts (types)',
    'src/host/protocol.ts (types)',
    'src/host/previewHost.ts (types)',
  ],
  'src/http': [
    'src/domain',
    'src/messages',
    'src/ports',
    'src/contract',
    'src/mcp/api.ts',
    'src/mcp/endpoint.ts (types)',
  ],
  'src/mcp': ['src/domain', 'src/schema', 'src/config', 'src/analysis/inspect'],
  'src/adapters': ['src/domain', 'src/ports'],
  'src/cluster': ['src/domain'],
  'src/analysis/verify': ['src/domain', 'src/imperfections'],
  'src/analysis/inspect': ['src/domain'],
  'src/analysis/learn': [
    'src/domain',
    // Pure: how timestamps of logs are found.
    'src/plugins/events/replay/guess/guess.ts',
  ],
  'src/analysis/expect': ['src/domain', 'src/schema', 'src/analysis/inspect/tells'],
  // It runs in a browser: what it takes from these must be pure.
  'src/ui': [
    'src/domain',
    'src/schema',
    'src/contract',
    'src/config',
    'src/plugins/generatorShape.ts',
    // Its time is bounded: that of a browser's own engine is not.
    'src/regex',
    'src/messages (types)',
    'src/analysis/learn (types)',
    // Pure: names of formats, kinds and private values.
    'src/analysis/learn/emit/words.ts',
  ],
  'src/cli': [
    'src/domain',
    'src/messages (types)',
    'src/ports (types)',
    'src/schema',
    'src/config',
    'src/adapters',
    'src/template',
    'src/imperfections',
    'src/plugins/installed.ts',
    'src/plugins/loaded.ts',
    'src/plugins/thirdParty',
    'src/plugins/kit.ts (types)',
    // Pure: what a cron expression means.
    'src/plugins/inputs/cron/expression.ts',
    'src/plugins/inputs/world/worldShape.ts',
    'src/world',
    'src/host/singleThread.ts',
    'src/cluster',
    'src/analysis/verify',
    'src/analysis/inspect',
    'src/analysis/expect',
    'src/mcp',
    'src/analysis/learn',
    'src/daemon.ts',
    'src/daemon',
  ],
};

/** Files that name each other's types; what loads a file late may share types with it. */
const TYPE_CIRCLES: ReadonlySet<string> = new Set([
  'actors/generators/generators.ts, actors/generators/reloading.ts, actors/generators/slots.ts',
  'actors/scenarios/scenario.ts, actors/scenarios/scenarios.ts',
  'src/domain/generator.ts, src/domain/partitions.ts',
]);

/** The composition roots, each with its folder: they may import everything. */
const ROOTS = ['src/daemon', 'src/worker', 'src/isolate', 'src/cli/compose'];

/** Where a package may be imported. A package that is not listed may be imported nowhere. */
const MAY_USE_PACKAGE: Readonly<Record<string, readonly string[]>> = {
  'fp-ts': ['src', 'actors'],
  'io-ts': ['src/schema'],
  xstate: ['actors', 'src/cluster/life.ts', 'src/daemon.ts', 'src/cli/compose'],
  rxjs: ['src/pipeline'],
  express: ['src/http'],
  // What Express matches paths with, for requests that do not come through it.
  'path-to-regexp': ['src/contract'],
  '@fastify/busboy': ['src/http'],
  ws: ['src/http'],
  helmet: ['src/http'],
  '@modelcontextprotocol/server': ['src/mcp'],
  archiver: ['src/adapters'],
  yauzl: ['src/adapters'],
  yaml: [
    'src/config',
    'src/plugins/readme.ts',
    'src/plugins/inputs/time_patterns',
    'src/plugins/inputs/world',
    'src/cli',
  ],
  '@clickhouse/client': ['src/plugins/outputs/clickhouse', 'src/adapters/verify/clickhouseRows.ts'],
  '@nats-io/transport-node': ['src/plugins/outputs/nats', 'src/adapters/nats'],
  '@nats-io/jetstream': ['src/adapters/nats'],
  '@nats-io/kv': ['src/adapters/nats'],
  '@nats-io/obj': ['src/adapters/nats'],
  'tar-stream': ['src/adapters'],
  mqtt: ['src/plugins/outputs/mqtt'],
  pg: ['src/plugins/outputs/postgresql'],
  '@redis/client': ['src/plugins/outputs/redis'],
  '@faker-js/faker': ['src/plugins/events/template/context/faker'],
  'chrono-node': ['src/plugins/inputs'],
  'cron-parser': ['src/plugins/inputs/cron'],
  'iconv-lite': ['src/plugins/shared'],
  ajv: ['src/adapters/jsonSchema.ts'],
  'csv-parse': ['src/plugins/events/template/context/samples'],
};

/** Packages of the web UI. */
const UI_PACKAGES = [
  'react',
  'react-dom',
  '@mantine/core',
  '@mantine/hooks',
  '@mantine/notifications',
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  'wouter',
  'lucide-react',
  'codemirror',
  '@codemirror/autocomplete',
  '@codemirror/lang-javascript',
  '@codemirror/lang-jinja',
  '@codemirror/lang-json',
  '@codemirror/lang-yaml',
  '@codemirror/language',
  '@codemirror/lint',
  '@codemirror/merge',
  '@codemirror/state',
  '@codemirror/view',
  'uplot',
];

/** Where a global may be used. */
const MAY_USE_GLOBAL: Readonly<Record<string, readonly string[]>> = {
  process: ['src/cli', 'src/adapters', 'src/worker.ts', 'src/isolate.ts'],
  ...Object.fromEntries(
    [
      'Date.now',
      'new Date()',
      'Math.random',
      'performance.now',
      'randomBytes',
      'randomUUID',
      'randomInt',
      'crypto.getRandomValues',
      'setTimeout',
      'setInterval',
      'setImmediate',
    ].map((name) => [name, ['src/adapters', 'src/worker.ts', 'src/isolate.ts', 'src/ui']]),
  ),
  // A nonce of a login must not come from a seed.
  randomBytes: ['src/adapters', 'src/worker.ts', 'src/isolate.ts', 'src/plugins/outputs/kafka/sasl.ts'],
};

/** Packages of Node that open a door around the rules on time and chance. */
const TIMER_PACKAGES = ['node:timers', 'node:timers/promises', 'node:perf_hooks'];

const MAX_LINES = 400;

const isBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

const isRoot = (path: string): boolean => ROOTS.some((root) => path === `${root}.ts` || isBelow(path, root));

/** Rooms of `src/analysis` share a roof, not their imports. */
const depthOf = (path: string): number => {
  if (path.startsWith('src/analysis/')) return 3;
  return path.startsWith('src/') ? 2 : 1;
};

const folderOf = (path: string): string => path.split('/').slice(0, depthOf(path)).join('/');

const isAllowed = (entry: string, target: string, isTypeOnly: boolean): boolean => {
  const isForTypes = entry.endsWith(' (types)');
  return isBelow(target, entry.replace(' (types)', '')) && (!isForTypes || isTypeOnly);
};

/** Imports of ours that the table does not allow. */
const wallBreaches = (sources: readonly Source[]): readonly string[] =>
  sources
    .filter(({ path }) => !isRoot(path))
    .flatMap(({ path, imports }) => {
      const folder = folderOf(path);
      const table = MAY_IMPORT[folder];
      if (table === undefined) return [`${path}: the folder is not in the import table`];
      return imports
        .filter(({ isOurs, target }) => isOurs && !isBelow(target, folder))
        .filter(({ target, isTypeOnly }) => !table.some((entry) => isAllowed(entry, target, isTypeOnly)))
        .map(({ target }) => `${path} imports ${target}`);
    });

const placesOf = (name: string): readonly string[] => [
  ...(MAY_USE_PACKAGE[name] ?? []),
  ...(UI_PACKAGES.includes(name) ? ['src/ui'] : []),
];

/** Packages that are imported where they do not belong. */
const packageBreaches = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ isOurs }) => !isOurs)
      .filter(({ target }) =>
        target.startsWith('node:')
          ? TIMER_PACKAGES.includes(target) && !isBelow(path, 'src/adapters')
          : !placesOf(target).some((place) => isBelow(path, place)),
      )
      .map(({ target }) => `${path} imports ${target}`),
  );

/** Globals that are used where they do not belong. */
const globalBreaches = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap(({ path, uses }) =>
    Object.entries(MAY_USE_GLOBAL)
      .filter(([name, places]) => uses.has(name) && !places.some((place) => isBelow(path, place)))
      .map(([name]) => `${path} uses ${name}`),
  );

const sources = readSources();

test('there are sources to look at', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.reduce((sum, { imports }) => sum + imports.length, 0)).toBeGreaterThan(1_000);
});

describe('imports', () => {
  test.each([
    ['src/domain/x.ts', "import type { Clock } from '../ports/clock.js';"],
    ['src/pipeline/x.ts', "import { inputPlugin } from '../plugins/kit.js';"],
    ['src/plugins/inputs/x.ts', "export * from '../../config/settings.js';"],
    ['src/host/x.ts', "const later = () => import('../../actors/ask.js');"],
    ['actors/x.ts', "import { workerHost } from '../src/host/workerHost.js';"],
    ['actors/x.ts', "import { previewHost } from '../src/host/previewHost.js';"],
    ['src/messages/x.ts', "export type A = import('../http/server.js').Server;"],
    ['src/somewhere/x.ts', ''],
  ])('the search finds a breach in %s: %s', (path, text) => {
    expect(wallBreaches([parseSource(path, text)])).toHaveLength(1);
  });

  test.each([
    ['src/pipeline/x.ts', "import type { Input } from '../plugins/kit.js';"],
    ['actors/x.ts', "import { type PreviewHost } from '../src/host/previewHost.js';"],
    ['src/worker/x.ts', "import { runPipeline } from '../pipeline/run.js';"],
    ['src/domain/time/x.ts', "import { failure } from '../errors.js';"],
    [
      'src/domain/x.ts',
      "const text = \"import { x } from '../http/server.js';\"; // import '../http/server.js'",
    ],
  ])('and none in %s: %s', (path, text) => {
    expect(wallBreaches([parseSource(path, text)])).toEqual([]);
  });

  test('stay within the walls between folders', () => {
    expect(wallBreaches(sources)).toEqual([]);
  });

  test('use every grant of the table', () => {
    const used = (folder: string, entry: string): boolean =>
      sources.some(
        ({ path, imports }) =>
          folderOf(path) === folder &&
          imports.some(({ isOurs, target, isTypeOnly }) => isOurs && isAllowed(entry, target, isTypeOnly)),
      );
    const unused = Object.entries(MAY_IMPORT).flatMap(([folder, entries]) =>
      entries.filter((entry) => !used(folder, entry)).map((entry) => `${folder}: ${entry}`),
    );
    expect(unused).toEqual([]);
  });

  test('of types make no further circle', () => {
    const circles = cyclesOf(sources, ({ isLate }) => isLate !== true);
    expect(new Set(circles.map((circle) => [...new Set(circle)].sort().join(', ')))).toEqual(TYPE_CIRCLES);
  });

  test('of rooms form no circle, composition roots included', () => {
    const roomOf = (path: string): string =>
      ROOTS.find((root) => path === `${root}.ts` || isBelow(path, root)) ?? folderOf(path);
    const rooms = new Map<string, Set<string>>();
    for (const { path, imports } of sources)
      for (const { isOurs, target } of imports)
        if (isOurs && roomOf(target) !== roomOf(path))
          rooms.set(roomOf(path), (rooms.get(roomOf(path)) ?? new Set()).add(roomOf(target)));
    const graph = [...rooms].map(([path, targets]) => ({
      ...parseSource(path, ''),
      imports: [...targets].map((target) => ({ target, isOurs: true, isTypeOnly: false })),
    }));
    expect(cyclesOf(graph)).toEqual([]);
  });

  test('of actors come from the composition roots only', () => {
    const importers = sources.filter(
      ({ path, imports }) =>
        !isBelow(path, 'actors') && imports.some(({ isOurs, target }) => isOurs && isBelow(target, 'actors')),
    );
    expect(importers.map(({ path }) => path).filter((path) => !isRoot(path))).toEqual([]);
  });

  test('name files that exist', () => {
    const missing = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ isOurs, target }) => isOurs && !existsSync(join(ROOT, target)))
        .map(({ target }) => `${path}: ${target}`),
    );
    expect(missing).toEqual([]);
  });

  test('make no circle at run time', () => {
    const circle = ['a', 'b', 'c'].map((name, index) =>
      parseSource(`src/domain/${name}.ts`, `import { x } from './${'bca'[index]}.js';`),
    );
    expect(cyclesOf(circle)).toHaveLength(1);
    expect(cyclesOf([parseSource('src/domain/a.ts', "import type { X } from './a.js';")])).toEqual([]);
    expect(cyclesOf(sources)).toEqual([]);
  });
});

describe('packages', () => {
  test.each([
    ['src/http/x.ts', "import { createActor } from 'xstate';"],
    ['actors/generators/generator.ts', "import { map } from 'rxjs';"],
    ['src/plugins/inputs/cron/x.ts', "import * as t from 'io-ts';"],
    ['src/plugins/outputs/file/x.ts', "import { createClient } from '@clickhouse/client';"],
    ['src/domain/x.ts', "import _ from 'lodash/fp';"],
    ['src/pipeline/x.ts', "import { setTimeout } from 'node:timers/promises';"],
  ])('the search finds a breach in %s: %s', (path, text) => {
    expect(packageBreaches([parseSource(path, text)])).toHaveLength(1);
  });

  test('are imported only where they belong', () => {
    expect(packageBreaches(sources)).toEqual([]);
  });

  test('are imported by every folder that may', () => {
    const isUsed = (name: string, place: string): boolean =>
      sources.some(
        ({ path, imports }) => isBelow(path, place) && imports.some(({ target }) => target === name),
      );
    const grants = [
      ...Object.entries(MAY_USE_PACKAGE),
      ...UI_PACKAGES.map((name) => [name, ['src/ui']] as const),
    ];
    expect(
      grants.flatMap(([name, places]) =>
        places.filter((place) => !isUsed(name, place)).map((place) => `${name}: ${place}`),
      ),
    ).toEqual([]);
  });
});

describe('time, chance and the process', () => {
  test.each([
    ['const now = Date.now();', 'Date.now'],
    ['const now = new Date();', 'new Date()'],
    ['const give = { random: Math.random };', 'Math.random'],
    ['setTimeout(() => {}, 1);', 'setTimeout'],
    ['const { env } = process;', 'process'],
    ['process.exit(1);', 'process'],
    ["import { randomBytes } from 'node:crypto';", 'randomBytes'],
  ])('the search finds %s', (text, name) => {
    expect(globalBreaches([parseSource('src/domain/x.ts', text)])).toEqual([`src/domain/x.ts uses ${name}`]);
  });

  test.each([
    'const at = new Date(0);',
    '// Date.now() and setTimeout\nconst text = `process.exit`;',
    'const reason = { process: 1, setTimeout: 2 };',
    'const exit = options.process.exit;',
  ])('and nothing in %j', (text) => {
    expect(globalBreaches([parseSource('src/domain/x.ts', text)])).toEqual([]);
  });

  test('are used by adapters, the command line and the thread entry only', () => {
    expect([...globalBreaches(sources)].sort()).toEqual([]);
  });
});

/** Half sentences that only a reader of this house would understand: `null`: none; Left: why not; Of a file. */
const DIALECT = [
  /`(?:null|undefined|false|true)`:/,
  /\b(?:Left|Right)(?::| `| also)/,
  /\b[Aa]bsent:/,
  /^\W*Of (?:a|an|the)\b/,
  /\b(?:plugins?|scripts?) of others/i,
];

const dialectOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => /^\s*(?:\/\/|\/\*|\*)/.test(line) && DIALECT.some((pattern) => pattern.test(line)));

describe('comments', () => {
  test('in half sentences are found', () => {
    expect(
      dialectOf('/** Address; `null`: none. */\n // Left: why not\n/** Of a file. */\n * Plugins of others.'),
    ).toHaveLength(4);
    expect(dialectOf("const help = 'Plugins of others';\n// Null when there is none.")).toEqual([]);
  });

  test('are sentences', () => {
    const found = sources.flatMap(({ path }) =>
      dialectOf(readFileSync(join(ROOT, path), 'utf8')).map((line) => `${path}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });
});

describe('files', () => {
  test(`have at most ${MAX_LINES} lines`, () => {
    expect(
      sources.filter(({ lines }) => lines > MAX_LINES).map(({ path, lines }) => `${path}: ${lines}`),
    ).toEqual([]);
  });

  test('of a plugin come with a README and a declaration', () => {
    const plugins = ['inputs', 'events', 'outputs', 'formatters'].flatMap((kind) =>
      readdirSync(join(ROOT, 'src/plugins', kind), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
        .map(({ name }) => join('src/plugins', kind, name)),
    );
    expect(plugins.length).toBeGreaterThan(5);
    const missing = plugins.flatMap((folder) =>
      ['README.md', 'spec.ts', 'plugin.ts']
        .map((name) => join(folder, name))
        .filter((path) => !existsSync(join(ROOT, path))),
    );
    expect(missing).toEqual([]);
  });
});
