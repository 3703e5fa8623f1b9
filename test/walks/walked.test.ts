import { afterEach, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';
import { TRACED, type Trace, traceProgram } from '../support/trace.js';
import { expectWalk } from './walks.js';

/** A generator of a template with one cron input. */
const generator = (directory: string, expression: string): Readonly<Record<string, string>> => ({
  [`${directory}/generator.yml`]: `input: [cron: {expression: '${expression}', count: 3}]
event: {template: {mode: all, templates: [{sale: {template: sale.jinja}}]}}
output: [file: {path: out.log}]
`,
  [`${directory}/sale.jinja`]: "sale {{ globals.get('sale') }}",
});

const NEVER = '0 0 1 1 *';

let instance: Instance | null = null;
let trace: Trace | null = null;

afterEach(async () => {
  trace?.end();
  await instance?.remove();
  instance = null;
  trace = null;
});

const start = async (options: Parameters<typeof makeInstance>[0]) => {
  instance = await makeInstance({ ...options, env: TRACED });
  await instance.start();
  trace = await traceProgram(instance.program());
  return { instance, trace };
};

/** Waits for text in a file that a program writes. */
const writes = (from: Instance, path: string) =>
  eventually(async () => {
    const text = await from.file(path).catch(() => '');
    return text.length > 0 ? text : null;
  }, `text in ${path}`);

const isRunning = (from: Instance, id: string) =>
  eventually(async () => {
    const { body } = await from.api('GET', '/generators/');
    const rows = body as readonly {
      readonly id: string;
      readonly status: { readonly is_running: boolean };
    }[];
    // The phase is `running` while its thread is still loading, too.
    return rows.find((row) => row.id === id)?.status.is_running === true ? true : null;
  }, `${id} runs`);

/** Looks in a row in which the pipelines entered nothing. */
const QUIET_LOOKS = 6;

/** Resolves when a start has nothing left to do. */
const isQuiet = async (of: Trace): Promise<void> => {
  let looks = 0;
  await eventually(async () => {
    const { threads } = await of.take();
    looks = [...threads].some((path) => path.startsWith('src/pipeline/')) ? 0 : looks + 1;
    return looks >= QUIET_LOOKS ? true : null;
  }, 'quiet pipelines');
};

test('a tick goes through the files that its walk tells of, from the config to the sink', async () => {
  // The first member loads the thread that both share.
  const { instance, trace } = await start({
    startup: `- {id: first, path: first/generator.yml, scenarios: [shop]}
- {id: second, path: second/generator.yml, scenarios: [shop], autostart: false}
`,
    generators: { ...generator('first', NEVER), ...generator('second', '* * * * * *') },
  });
  await instance.api('PATCH', '/scenarios/shop/globals', { sale: 1 });
  await trace.take();
  await instance.api('POST', '/generators/second/start');
  await writes(instance, 'generators/second/out.log');
  // The checkpoint is saved a moment later.
  await instance.api('POST', '/generators/second/stop');
  const { threads } = await trace.take();
  expectWalk('tick', threads);
});

test('a PATCH goes through the files that its walk tells of', async () => {
  const { instance, trace } = await start({
    startup: '- {id: first, path: first/generator.yml, scenarios: [shop]}\n',
    generators: generator('first', NEVER),
  });
  await isRunning(instance, 'first');
  // The first one reads what the members know of the globals.
  await instance.api('PATCH', '/scenarios/shop/globals', { sale: 1 });
  await isQuiet(trace);
  expect((await instance.api('PATCH', '/scenarios/shop/globals', { sale: 2 })).status).toBe(200);
  const { main, threads } = await trace.take();
  expectWalk('patch', new Set([...main, ...threads]));
});

test('an incident goes through the files that its walk tells of, from its file to the ground truth', async () => {
  const { instance, trace } = await start({
    startup: '',
    generators: generator('door', NEVER),
    incidents: {
      'theft.yml': `duration: 2s
members: {door: {path: ../generators/door}}
entities: {thief: {name: ann}}
phases: [{name: knocks, at: 0s, for: 1s, members: {door: {events: 20, globals: {sale: '\${thief.name}'}}}}]
ground_truth: {file: {path: truth.log}}
`,
    },
  });
  await trace.take();
  expect((await instance.api('POST', '/incidents/theft/start?seed=1')).status).toBe(200);
  await writes(instance, 'incidents/truth.log');
  const { main, threads } = await trace.take();
  expectWalk('incident', new Set([...main, ...threads]));
});
