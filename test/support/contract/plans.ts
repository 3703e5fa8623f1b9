import type { Operation } from './document.js';
import { FORMER_VERSION } from './subject.js';
import type { Excuse } from './values/beyondSchema.js';

/** A request that makes what another one needs; its answer is not looked at. */
export interface Errand {
  readonly method: string;
  readonly path: string;
  /** JSON, or the bytes of a file when it is a text. */
  readonly body?: unknown;
}

/** What an operation is tried on. */
export interface Plan {
  /** What path parameters name; `FRESH` is a new name in each request. */
  readonly path: Readonly<Record<string, string>>;
  /** Texts of parameters of the query that must be given. */
  readonly query: Readonly<Record<string, string>>;
  /** The file of a request that is about something else. */
  readonly content: string;
  /** Done once, before the first request. */
  readonly first: readonly Errand[];
  /** Done before each request that may change something, to bring back what the last one took away. */
  readonly before: readonly Errand[];
  readonly excuses: readonly Excuse[];
  /** Most valid requests that are sent, drawn from all; for operations whose every success takes long, or that have very many. */
  readonly most_valid: number | null;
  /** Most broken bodies that are sent, drawn from all; for bodies that another operation gets whole. */
  readonly most_broken: number | null;
}

/** Stands for a name that nothing has. */
export const FRESH = '<fresh>';

const SPARE = {
  input: [{ static: { count: 1 } }],
  event: { script: { path: 'produce.js' } },
  output: [{ stdout: {} }],
};

const errand = (method: string, path: string, body?: unknown): Errand =>
  body === undefined ? { method, path } : { method, path, body };

const PREVIEW = errand('POST', '/preview/web/event-plugin', { script: { path: 'produce.js' } });
const PREVIEW_GLOBALS = errand('PATCH', '/preview/web/event-plugin/template/state/global', { mode: 'a' });
const PREVIEW_TEMPLATE = errand('POST', '/preview/web/event-plugin', {
  template: { mode: 'all', templates: [{ a: { template: 'login.jinja' } }] },
});
const PREVIEW_SHARED = errand('PATCH', '/preview/web/event-plugin/template/state/shared', { mode: 'a' });
const PREVIEW_LOCAL = errand('PATCH', '/preview/web/event-plugin/template/state/local/a', { mode: 'a' });
const GLOBALS = errand('PATCH', '/scenarios/shop/globals', { mode: 'a', list: [1, null] });
const SECRET = errand('PUT', '/secrets/key', 'value');
const DESTINATION = errand('PUT', '/destinations/log', { stdout: {} });
const FILES = '/generator-configs/web/file';

/** Names of what is there, for the path parameters of operations below a prefix. */
const NAMES: readonly (readonly [prefix: string, names: Readonly<Record<string, string>>])[] = [
  ['/generator-configs/', { name: 'web', filepath: 'notes.txt' }],
  ['/preview/', { name: 'web', key: 'mode', alias: 'a' }],
  ['/scenarios/', { name: 'shop', key: 'mode', generator_id: 'web', generator_name: 'web' }],
  ['/generators/', { id: 'web', output: '1-file' }],
  ['/library/', { name: 'web-tiny' }],
  ['/startup/', { id: 'web' }],
  ['/secrets/', { name: 'key' }],
  ['/cluster/', { node: 'a' }],
  ['/destinations/', { name: 'log' }],
  ['/worlds/', { name: 'small', person: '0' }],
];

/** What is needed for operations below a prefix. */
const FIRST: readonly (readonly [prefix: string, errands: readonly Errand[]])[] = [
  ['/preview/{name}/event-plugin/template/state/global/', [PREVIEW, PREVIEW_GLOBALS]],
  ['/preview/{name}/event-plugin/template/state/shared', [PREVIEW_TEMPLATE, PREVIEW_SHARED]],
  ['/preview/{name}/event-plugin/template/state/local', [PREVIEW_TEMPLATE, PREVIEW_LOCAL]],
  ['/preview/{name}/event-plugin/', [PREVIEW]],
  ['/scenarios/{name}/globals', [GLOBALS]],
  ['/secrets/', [SECRET]],
  ['/destinations/', [DESTINATION]],
];

const ENDED: Excuse = {
  status: 409,
  says: /ended|does not run/,
  why: 'inputs with an end, from the past, end the generator before the change is in force',
};
const EMPTY_ROW: Excuse = {
  status: 422,
  says: /is an object without keys: a row needs/,
  why: 'a row of a sample needs at least one value',
};
const NOTHING_LISTENS: Excuse = {
  status: 422,
  says: /output_failed/,
  why: 'new outputs are opened first, and nothing listens at made-up addresses',
};
const BOUND_TO_START: Excuse = {
  status: 422,
  says: /inputs cannot be exchanged while one waits for requests/,
  why: 'the input http listens from the start on, and comes by no patch',
};
const NO_ZSTD: Excuse = {
  status: 422,
  says: /needs Node\.js 22\.15/,
  why: 'zstd, in a Node that has none',
};
const NOTHING_GIVEN: Excuse = {
  status: 422,
  says: /needs input, event or output/,
  why: 'a section that is null is not given, and one must be',
};

const ALONE: Excuse = {
  status: 409,
  says: /runs alone/,
  why: 'there are no nodes to drain without a cluster',
};

const INCIDENT = {
  text: JSON.stringify({
    duration: '1h',
    members: { calm: { path: '../generators/calm' } },
    phases: [{ name: 'knock', at: '1m', for: '1m', members: { calm: { events: 2 } } }],
  }),
};

/** One of its own for each operation: they run side by side. */
const incident = (name: string, before: 'start' | 'stop'): Pick<Plan, 'path' | 'first' | 'before'> => ({
  path: { name },
  first: [errand('PUT', `/incidents/${name}`, INCIDENT)],
  before: [errand('POST', `/incidents/${name}/${before}`)],
});

const NO_INCIDENT: Excuse = {
  status: 422,
  says: /./,
  why: 'the text of a file is any text to the schema, and must be an incident',
};
const NO_MOMENT: Excuse = {
  status: 404,
  says: /has no phase/,
  why: 'a moment is any text to the schema, and must be a duration or a phase of the incident',
};
const NO_GENERATOR: Excuse = {
  status: 422,
  says: /must be JSON|is required|unknown key/,
  why: 'any bytes are a file, but not a generator',
};
const NO_LINES: Excuse = {
  status: 422,
  says: /no lines|only binary data/,
  why: 'any bytes are a file, but not a log',
};

const NO_USE: Excuse = {
  status: 422,
  says: /cannot use another one|destination .* that does not exist|must consist of letters/,
  why: 'a destination is an output of its own, and a check needs one that is there',
};

/** Its body is that of `createGeneratorConfig`. */
const LIKE_CREATED = { most_broken: 100 };

const LIKE_ADDED = { most_valid: 25, most_broken: 60 };
const PART_OF_CONFIG = { most_valid: 50, most_broken: 100 };

/** What is special about single operations; the others need nothing but the names above. */
const SPECIAL: Readonly<Record<string, Partial<Plan>>> = {
  createGeneratorConfig: { path: { name: FRESH }, most_valid: 150, most_broken: 250 },
  deleteGenerator: {
    path: { name: 'spare' },
    before: [errand('POST', '/generator-configs/spare', SPARE)],
  },
  importGenerator: {
    path: { name: FRESH },
    content: JSON.stringify({ config: JSON.stringify(SPARE), files: { 'produce.js': '' } }),
    excuses: [NO_GENERATOR],
  },
  // Each makes and compares 30,000 events.
  learnGenerator: { excuses: [NO_LINES], most_valid: 3 },
  createGeneratorFile: { path: { name: 'web', filepath: FRESH } },
  makeGeneratorSubdirectory: { path: { name: 'web', filepath: FRESH } },
  deleteGeneratorFile: {
    path: { name: 'web', filepath: 'drop.txt' },
    before: [errand('POST', `${FILES}/drop.txt`, 'text')],
  },
  moveGeneratorFile: {
    query: { source: 'from.txt', destination: 'to.txt' },
    before: [errand('DELETE', `${FILES}/to.txt`), errand('POST', `${FILES}/from.txt`, 'text')],
  },
  copyGeneratorFile: {
    query: { source: 'notes.txt', destination: 'to.txt' },
    before: [errand('DELETE', `${FILES}/to.txt`)],
  },
  copyLibraryGenerator: {
    before: [errand('DELETE', '/generator-configs/my-shop')],
  },
  writeDestination: { ...PART_OF_CONFIG, excuses: [NO_USE] },
  deleteDestination: { before: [DESTINATION] },
  // An output has five seconds to open, and little listens at made-up addresses.
  checkOutput: { most_valid: 6, most_broken: 60, excuses: [NO_USE] },
  releaseEventPreview: { before: [PREVIEW] },
  deleteGlobalsKey: { before: [GLOBALS] },
  deleteScenario: { before: [errand('POST', '/scenarios/shop/generators/web')] },
  joinScenario: {
    path: { name: 'other', generator_id: 'web' },
    before: [errand('DELETE', '/scenarios/other/generators/web')],
  },
  renameScenario: {
    path: { name: 'named' },
    query: { to: 'renamed' },
    before: [errand('DELETE', '/scenarios/renamed'), errand('POST', '/scenarios/named/generators/idle')],
  },
  leaveScenario: { before: [errand('POST', '/scenarios/shop/generators/web')] },
  // Each success starts a generator.
  createGenerator: { path: { id: FRESH }, most_valid: 100, most_broken: 250 },
  // Its body, and that of a startup entry, is that of `createGenerator`.
  replaceGenerator: { path: { id: 'idle' }, ...LIKE_ADDED },
  removeGenerator: {
    path: { id: 'extra' },
    before: [errand('POST', '/generators/extra', { path: 'web/generator.yml' })],
  },
  renameGenerator: {
    path: { id: 'named' },
    query: { to: 'renamed' },
    before: [
      errand('DELETE', '/generators/renamed'),
      errand('POST', '/generators/named', { path: 'web/generator.yml' }),
    ],
  },
  openEventPreview: { excuses: [EMPTY_ROW], most_valid: 30, most_broken: 120 },
  // The plugin in its body is that of `openEventPreview`, and that one is part of a generator config.
  openDraftPreview: { excuses: [EMPTY_ROW], most_valid: 20, most_broken: 60 },
  patchGenerator: {
    before: [errand('POST', '/generators/web/start')],
    excuses: [ENDED, NOTHING_LISTENS, BOUND_TO_START, NO_ZSTD, NOTHING_GIVEN],
    most_valid: 60,
    ...LIKE_CREATED,
  },
  updateGeneratorConfig: { most_valid: 80, ...LIKE_CREATED },
  createStartupEntry: { path: { id: FRESH }, ...LIKE_ADDED },
  replaceStartupEntry: LIKE_ADDED,
  updateSettings: { most_valid: 80, most_broken: 150 },
  // Inputs and formatters are parts of a generator config.
  previewTimestamps: PART_OF_CONFIG,
  previewFormatter: PART_OF_CONFIG,
  deleteStartupEntry: {
    path: { id: 'extra' },
    before: [errand('POST', '/startup/extra', { path: 'web/generator.yml' })],
  },
  deleteSecret: { before: [SECRET] },
  renameSecret: {
    path: { name: 'named' },
    query: { to: 'renamed' },
    before: [errand('DELETE', '/secrets/renamed'), errand('PUT', '/secrets/named', 'value')],
  },
  readFileVersion: { path: { name: 'web', version: FORMER_VERSION } },
  readIncident: { path: { name: 'read' }, first: [errand('PUT', '/incidents/read', INCIDENT)] },
  readIncidentTruth: { path: { name: 'told' }, first: [errand('PUT', '/incidents/told', INCIDENT)] },
  writeIncident: { path: { name: FRESH }, excuses: [NO_INCIDENT] },
  deleteIncident: { path: { name: 'spare' }, before: [errand('PUT', '/incidents/spare', INCIDENT)] },
  startIncident: { ...incident('started', 'stop'), most_valid: 40 },
  pauseIncident: { ...incident('paused', 'start'), most_valid: 40 },
  resumeIncident: { ...incident('resumed', 'start'), most_valid: 40 },
  jumpInIncident: {
    ...incident('jumped', 'start'),
    query: { to: 'knock' },
    excuses: [NO_MOMENT],
    most_valid: 60,
  },
  stopIncident: { ...incident('stopped', 'start'), most_valid: 40 },
  drainNode: { excuses: [ALONE] },
  resumeNode: { excuses: [ALONE] },
  removeNode: { excuses: [ALONE] },
};

const under = <A>(rows: readonly (readonly [prefix: string, row: A])[], path: string): A | undefined =>
  rows.find(([prefix]) => path.startsWith(prefix))?.[1];

/** The plan of an operation. */
export const planOf = ({ id, path }: Operation): Plan => ({
  path: under(NAMES, path) ?? {},
  query: {},
  content: 'content',
  first: under(FIRST, path) ?? [],
  before: [],
  excuses: [],
  most_valid: null,
  most_broken: null,
  ...SPECIAL[id],
});
