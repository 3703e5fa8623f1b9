/** Rooms of nouns, doors and details that every walk passes; none decides where it goes on. */
const EVERYWHERE = [
  'src/adapters',
  'src/domain',
  'src/schema',
  'src/world/activity/kinds.ts',
  'src/template',
  'src/host',
  'src/plugins',
  'src/worker',
];

/** What each request of the API passes before and after its handler. */
const REQUEST = [
  'src/http/access',
  'src/http/listener',
  'src/http/audit.ts',
  'src/http/body.ts',
  'src/http/headers.ts',
  'src/http/send.ts',
  'src/http/streams/lasting.ts',
  'src/http/target.ts',
  'src/contract/body.ts',
  'src/contract/jsonNumbers.ts',
  'src/contract/match.ts',
  'src/contract/params.ts',
  'src/contract/reply.ts',
];

/** What watches generators and their members meanwhile. */
const WATCHING = [
  'src/daemon/series.ts',
  'actors/daemon.ts',
  'actors/partitions',
  // Whether a scenario is being renamed.
  'actors/scenarios/scenarios.ts',
  'actors/generators/report.ts',
  'src/daemon.ts',
  'src/daemon/secrets.ts',
  'src/daemon/unreadGlobals.ts',
];

/** What the start of a generator reads, beside what its walk tells of. */
const START = [
  'actors/generators/patching.ts',
  'actors/generators/roster.ts',
  'src/config/generator',
  'src/config/startup/entry.ts',
  'src/config/yaml',
  'src/daemon/texts.ts',
  // The line on the terminal of the daemon.
  'src/cli/commands/run.ts',
  'src/cli/terminal',
];

/** Parts of the pipeline for other days: back-pressure, patches, samples, bulk outputs, events at fault. */
const PIPELINE = [
  'src/pipeline/build.ts',
  'src/pipeline/delivery/gather.ts',
  'src/pipeline/delivery/hold.ts',
  'src/pipeline/delivery/isolate.ts',
  'src/pipeline/delivery/items.ts',
  'src/pipeline/gate.ts',
  'src/pipeline/patch.ts',
  'src/pipeline/schedule/requests.ts',
  'src/pipeline/schedule/trackInput.ts',
];

/** Express and the handler, which the walk "patch" tells of. */
const HANDLER = ['src/http/app.ts', 'src/http/handler.ts', 'src/contract/route.ts', 'actors/ask.ts'];

/** Files and folders that a walk enters and does not tell of. `test/walks` fails for any other. */
export const PASSED_BY: Readonly<Record<string, readonly string[]>> = {
  tick: [...EVERYWHERE, ...PIPELINE, 'src/worker.ts'],
  patch: [
    ...EVERYWHERE,
    ...REQUEST,
    ...WATCHING,
    'src/config/generator/given.ts',
    'src/contract/route.ts',
    'src/daemon/generators.ts',
    'src/daemon/observe.ts',
  ],
  click: [
    ...EVERYWHERE,
    ...REQUEST,
    ...HANDLER,
    ...WATCHING,
    ...START,
    // What a page asks for beside, such as the incidents that a generator is part of, and how it draws.
    'actors/incidents/incidents.ts',
    'src/daemon/incidents.ts',
    'actors/stores',
    'src/contract/routes',
    'src/daemon/configs.ts',
    'src/daemon/deadLetters.ts',
    'src/daemon/generators.ts',
    'src/daemon/cluster/alone.ts',
    'src/http/streams',
    'src/ui/api/rates.ts',
    'src/ui/api/routes.ts',
    'src/ui/api/streams/link.ts',
    'src/ui/api/streams/protocol.ts',
    'src/ui/app',
    'src/ui/pages/generator',
    'src/ui/parts',
  ],
  incident: [
    ...EVERYWHERE,
    ...REQUEST,
    ...HANDLER,
    ...WATCHING,
    ...START,
    'actors/generators',
    'actors/stores',
    'src/config/incidents/check.ts',
    'src/config/incidents/shape.ts',
    'src/config/settings/generationFields.ts',
    'src/config/startup',
    'src/config/values.ts',
    'src/daemon/registration.ts',
    'src/daemon/configs.ts',
    'src/daemon/observe.ts',
    'src/pipeline',
    'src/worker.ts',
  ],
  takeover: [
    ...EVERYWHERE,
    ...REQUEST,
    ...HANDLER,
    ...WATCHING,
    ...START,
    'actors/generators',
    'src/config/library/pack.ts',
    'src/contract/routes/generators.ts',
    'src/daemon/generators.ts',
    'src/daemon/observe.ts',
    // The node's own session, and what it shows.
    'src/cluster/documents.ts',
    'src/cluster/tasks.ts',
    'src/cluster/heartbeat.ts',
    'src/cluster/keys.ts',
    'src/cluster/life.ts',
    'src/cluster/refusals.ts',
    'src/cluster/rendezvous.ts',
    'src/daemon/cluster/bases.ts',
    'src/daemon/cluster/calls.ts',
    'src/daemon/cluster/join.ts',
    'src/daemon/cluster/node.ts',
    'src/daemon/cluster/quarantine.ts',
    'src/daemon/cluster/report.ts',
    'src/daemon/cluster/routedAsk.ts',
    'src/daemon/cluster/view.ts',
  ],
};
