import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { parseSource, ROOT, readSources, type Source } from './support/sources.js';

/** The figures of the house that must not slide: names, folders, fragments of files, long functions. */

const MOST_FILES = 20;
/** A file with one user in its folder is a fragment of that user below this, unless it has a test of its own. */
const FRAGMENT_LINES = 60;
const LONG_LINES = 100;

/** Only re-exported: the front of its room has no code of its own. */
const BARREL: ReadonlySet<string> = new Set(['src/schema/optionTable.ts']);
/** A chapter is no longer than this. */
const CHAPTER_LINES = 300;

const sources = readSources();
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const testImports = new Set(
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name))
    .map((name) => join('test', name))
    .flatMap((path) => parseSource(path, textOf(path)).imports.map(({ target }) => target)),
);

const treeOf = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

const namesOf = (statement: ts.Statement): readonly string[] => {
  const isExported =
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  const { name } = statement as ts.DeclarationStatement;
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
};

/** Exported names that several files have, with these files. */
const sharedNames = (
  files: readonly (readonly [string, string])[],
): ReadonlyMap<string, readonly string[]> => {
  const owners = new Map<string, Set<string>>();
  for (const [path, text] of files)
    for (const name of treeOf(path, text).statements.flatMap(namesOf))
      owners.set(name, (owners.get(name) ?? new Set()).add(path));
  return new Map(
    [...owners].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, [...paths]]),
  );
};

/** Files of one neighbour that are too short for a chapter. */
const fragmentsIn = (files: readonly Source[], isTested: (path: string) => boolean): readonly string[] =>
  files
    .filter(({ path, lines }) => lines < FRAGMENT_LINES && !isTested(path))
    .filter(({ path, lines }) => {
      const users = files.filter(({ imports }) =>
        imports.some(({ isOurs, target }) => isOurs && target === path),
      );
      const [user] = users;
      if (users.length !== 1 || user === undefined) return false;
      return dirname(user.path) === dirname(path) && user.lines + lines <= CHAPTER_LINES;
    })
    .map(({ path }) => path);

/** Functions over the limit, as `path name`. */
const longFunctions = (path: string, text: string): readonly string[] => {
  const tree = treeOf(path, text);
  const found: string[] = [];
  const lineAt = (at: number): number => tree.getLineAndCharacterOfPosition(at).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && lineAt(node.end) - lineAt(node.getStart()) >= LONG_LINES) {
      const named = ts.isFunctionDeclaration(node) ? node : node.parent;
      const isNamed = ts.isFunctionDeclaration(named) || ts.isVariableDeclaration(named);
      found.push(`${path} ${isNamed && named.name !== undefined ? named.name.getText() : 'a function'}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
};
const files = sources.map(({ path }) => [path, textOf(path)] as const);

/** Functions over the limit, by the reason why they stay whole. */
const LONG: Readonly<Record<string, readonly string[]>> = {
  'a table of rows: one after the other, nothing between them': [
    'src/contract/routes/configs.ts configRoutes',
    'src/contract/routes/files.ts fileRoutes',
    'src/contract/routes/generators.ts generatorRoutes',
    'src/contract/routes/incidents.ts incidentRoutes',
    'src/contract/routes/membership.ts membershipRoutes',
    'src/contract/routes/observe.ts observeRoutes',
    'src/contract/routes/scenarios.ts scenarioRoutes',
    'src/contract/routes/startup.ts startupRoutes',
    'src/daemon.ts daemonInput',
    'actors/daemon.ts daemonMachine',
  ],
  'a start in steps, each of which may end it': [
    'src/daemon.ts startDaemon',
    'src/daemon/cluster/node.ts openNode',
  ],
  'one owner of changing state: short functions that share its variables': [
    'src/adapters/logs/logFiles.ts logFiles',
    'src/adapters/nats/archives.ts natsArchives',
    'src/adapters/nats/channel.ts openChannel',
    'src/adapters/nats/reader.ts openReader',
    'src/adapters/nats/watch.ts watchStream',
    'src/cluster/heartbeat.ts makePresence',
    'src/cluster/leaseWrites.ts makeLeaseWrites',
    'src/cluster/taskWork.ts makeTaskWork',
    'src/cluster/watchedNodes.ts makeWatchedNodes',
    'src/daemon/cluster/fences.ts fencedValues',
    'src/daemon/cluster/routedAsk.ts routedAsk',
    'src/daemon/cluster/sharedDirectories.ts sharedDirectories',
    'src/daemon/series.ts seriesStore',
    'src/domain/stats/series.ts makeSeries',
    'src/host/thread.ts spawnThread',
    'src/host/workerHost.ts workerHost',
    'src/http/access/sessions.ts makeSessions',
    'src/http/listener/connections.ts trackConnections',
    'src/analysis/inspect/inspector.ts makeInspector',
    'src/analysis/inspect/tally/fieldTree.ts fieldTree',
    'src/analysis/learn/privacy/scrub.ts makeScrubber',
    'src/pipeline/delivery/deliver.ts deliver',
    'src/pipeline/delivery/hold.ts holdBack',
    'src/pipeline/delivery/writer.ts makeWriter',
    'src/pipeline/schedule/merge.ts merge',
    'src/plugins/buildParts.ts buildersOf',
    'src/plugins/events/replay/lineReader.ts openLineReader',
    'src/plugins/events/script/plugin.ts scriptProducer',
    'src/plugins/events/script/python/child.ts startChild',
    'src/plugins/events/template/fsm/instances.ts makeInstances',
    'src/plugins/formatters/avro/readSchema.ts reader',
    'src/plugins/inputs/rate/arrivals.ts arrivalsInput',
    'src/plugins/inputs/recorded/timedFile.ts recordFile',
    'src/plugins/outputs/file/fileOutput.ts fileOutput',
    'src/plugins/outputs/kafka/cluster.ts makeCluster',
    'src/plugins/outputs/kafka/producer.ts makeProducer',
    'src/plugins/outputs/s3/drafts.ts makeDrafts',
    'src/plugins/outputs/s3/upload.ts makeUploader',
    'src/plugins/outputs/shared/socket/streamSender.ts makeStreamSender',
    'src/template/environment.ts makeEnvironment',
    'src/ui/api/streams/liveStates.ts liveStates',
    'actors/incidents/incident.ts makeIncident',
    'actors/stores/configs.ts configsLogic',
    'actors/stores/startup.ts startupLogic',
  ],
  'a page that is mostly markup': [
    'src/ui/pages/workbench/OpenFile.tsx OpenFile',
    'src/ui/pages/workbench/Workbench.tsx Bench',
    'src/ui/pages/workbench/files/FileTree.tsx a function',
    'src/ui/pages/workbench/preview/PreviewPane.tsx a function',
    'src/ui/pages/workbench/preview/useEvents.ts useEvents',
  ],
};

describe('names', () => {
  test('of two files are found', () => {
    const two = [
      ['a.ts', 'export const x = 1;\nexport interface Row {}'],
      ['b.ts', 'export type Row = 1;\nconst text = `\nexport const x = 2;\n`;'],
    ] as const;
    expect([...sharedNames(two)]).toEqual([['Row', ['a.ts', 'b.ts']]]);
  });

  test('are exported from one file: a name says of what it is', () => {
    expect([...sharedNames(files)].map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
  });
});

describe('folders', () => {
  test(`have at most ${MOST_FILES} files`, () => {
    const counts = new Map<string, number>();
    for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
  });
});

describe('files', () => {
  /** What is loaded later than its user is a file of its own. */
  const isLazy = (path: string): boolean => {
    const call = `import('./${basename(path).replace(/\.tsx?$/, '.js')}')`;
    return files.some(([user, text]) => dirname(user) === dirname(path) && text.includes(call));
  };

  test('of one neighbour and few lines live with it, unless they have a test or would make it too long', () => {
    const lib = ['export const a = 1;', "import { a } from './a.js';\nexport const b = a;"].map(
      (text, index) => parseSource(`src/x/${'ab'[index]}.ts`, text),
    );
    expect(fragmentsIn(lib, () => false)).toEqual(['src/x/a.ts']);
    expect(fragmentsIn(sources, (path) => testImports.has(path) || isLazy(path) || BARREL.has(path))).toEqual(
      [],
    );
  });
});

describe('functions', () => {
  test(`over ${LONG_LINES} lines are found`, () => {
    const long = `const f = () => {\n${'x();\n'.repeat(LONG_LINES)}};`;
    expect(longFunctions('a.ts', long)).toEqual(['a.ts f']);
    expect(longFunctions('a.ts', 'const f = () => 1;')).toEqual([]);
  });

  test(`over ${LONG_LINES} lines have a reason`, () => {
    const found = files.flatMap(([path, text]) => longFunctions(path, text));
    expect(found.sort()).toEqual(Object.values(LONG).flat().sort());
  });
});
