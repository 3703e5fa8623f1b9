/**
 * What `npm run test:fast` runs: rooms, less what starts a program, a server of its own or the built `dist/`, and less
 * what takes more than about two CPU seconds. `test/fastTier.test.ts` holds the first; `npm test` runs everything.
 */
export const ROOMS = [
  'actors',
  'adapters',
  'analysis',
  'architecture',
  'cli/arguments',
  'cli/cluster/statusText',
  'cli/terminal',
  'cluster',
  'config',
  'contract',
  'daemon/cluster',
  'daemon/delivery/resend',
  'daemon/incidentFolders',
  'daemon/partitions/bases',
  'daemon/renames',
  'daemon/scenarios/membership',
  'domain',
  'fastTier',
  'host',
  'hostile/(?:clockSet|headers|hungParts|numbers)',
  'http',
  'imperfections',
  'incidents',
  'mcp/tools',
  'pipeline',
  'plugins',
  'schema',
  'template',
  'ui',
  'walks/told',
  'worker',
  'world',
];

/** Places in the rooms where programs, servers, threads or the build are used. */
export const STARTS = [
  'adapters/(?:nats|threads)/',
  'adapters/directories/(?:generatorDirectories|generatorFiles|swaps)',
  'adapters/files/(?:files|folderLock|lock)\\.',
  'adapters/processes/(?:pythonProcess|runCommand)',
  'adapters/systemClock',
  'cli/terminal/terminal',
  'domain/time/(?:strftime|zoneNames)',
  'domain/timestamps/linear',
  'http/metrics',
  'http/listener/(?:server|tls|tlsServer)\\.',
  'analysis/learn/(?:bad|logs|times)\\.',
  'plugins/tutorial',
  'plugins/events/script/(?:eraser|script|state)\\.',
  'plugins/events/script/python/(?:failures|globals|python)\\.',
  'plugins/events/template/(?:guide|memory)\\.',
  'plugins/thirdParty/(?:load|types)\\.',
  'plugins/formatters/(?:avro|syslog)/(?:real|wire)',
  'plugins/inputs/http/',
  'plugins/outputs/hostileValues',
  'plugins/outputs/shared/(?:logExamples|socketExamples|http/request)',
  'plugins/outputs/file/paths',
  'plugins/outputs/(?:http|s3)/spec',
  'plugins/outputs/\\w+/(?:clients|endpoint|limits|plugin|proxy|real|sasl|tls)\\.',
  'plugins/shared/templateFiles',
  'template/(?:differential|quickPaths|randomScopes|randomTrees)',
  'ui/browser/',
  'ui/new/clickhouse',
  'worker/engineFlags',
];

/** Places in the rooms that take long: many random cases, or much data. */
export const SLOW = [
  'adapters/deadLetters/folders',
  'adapters/directories/model',
  'adapters/keyring/file',
  'adapters/logs/budgetedLog',
  'cluster/(?:hostile|member|rendezvous)\\.',
  'config/generator/configText',
  'config/startup/text',
  'config/yaml/source',
  'contract/(?:defaults|realShapes)',
  'domain/random/seededRandom',
  'http/(?:names|uploads)\\.',
  'analysis/inspect/(?:inspector|tallies)',
  'analysis/learn/(?:arrivals|programs)',
  'pipeline/(?:clocksAndSilences|imperfections)',
  'plugins/events/replay/(?:partitions|replay|snapshot)\\.',
  'plugins/events/replay/recorded/pairing',
  'plugins/events/template/context/faker/locales',
  'plugins/events/template/context/rand/(?:networks|numbers)',
  'plugins/formatters/json/squeeze',
  'plugins/formatters/template-batch/',
  'plugins/inputs/cron/cronParser',
  'plugins/inputs/rate/(?:arrivals|sizes)',
  'plugins/inputs/time_patterns/plugin',
  'template/(?:checkFalseAlarms|limits|sites)\\.',
  'world/world\\.',
];

const below = (places) => places.map((place) => `/test/${place}`);

/** For `testPathIgnorePatterns`: everything but the rooms, and what is left out of them. */
export const fastTierIgnores = () => [
  `/test/(?!(?:${ROOMS.join('|')})(?:/|\\.test\\.))`,
  ...below(STARTS),
  ...below(SLOW),
];

/** Whether the fast tier runs a test file, by its path from the root. */
export const isFast = (path) => !fastTierIgnores().some((pattern) => new RegExp(pattern).test(`/${path}`));
