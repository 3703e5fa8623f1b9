import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

/** Writes the value of `mode` that each event saw, with the event's time. */
const PRODUCER = `
let n = 0;
export const produce = ({ timestamp, globals }) => {
  n += 1;
  return \`\${timestamp.epochMilliseconds} \${globals.get('mode', 'unset')} \${n}\`;
};
`;

const config = (name: string): string => `
input:
  - linspace: {start: now, end: +60s, count: 60000}
event:
  script: {path: produce.mjs}
output:
  - file: {path: ../../out/${name}.log, flush_interval: 0}
`;

/** Order in which the values of `mode` are set. */
const rank = (mode: string | undefined): number => (mode === 'unset' ? 0 : Number(mode?.slice(1)));

const NAMES = ['a', 'b', 'c', 'other'];

describe('globals of a running scenario', () => {
  let instance: Instance;

  beforeAll(async () => {
    const generators = Object.fromEntries(
      NAMES.flatMap((name) => [
        [`${name}/generator.yml`, config(name)],
        [`${name}/produce.mjs`, PRODUCER],
      ]),
    );
    generators['killer/generator.yml'] = config('killer');
    generators['killer/produce.mjs'] = 'export const produce = () => process.exit(3);';
    const killer = '- {id: killer, path: killer/generator.yml, scenarios: [busy], autostart: false}';
    const startup = NAMES.map(
      (name) =>
        `- {id: ${name}, path: ${name}/generator.yml, scenarios: [${name === 'other' ? 'quiet' : 'busy'}]}`,
    )
      .concat(killer)
      .join('\n');
    instance = await makeInstance({ startup, generators });
    await instance.start();
    for (const name of NAMES) {
      await eventually(
        async () => ((await instance.file(`out/${name}.log`).catch(() => '')) === '' ? null : true),
        `events of ${name}`,
      );
    }
  });

  afterAll(async () => {
    await instance.remove();
  });

  const lines = async (name: string) =>
    (await instance.file(`out/${name}.log`))
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [at, mode, n] = line.split(' ');
        return { at: Number(at), mode, n: Number(n) };
      });

  test('no event later than the reply to a PATCH shows the old value, at 1,000 events/s in three generators', async () => {
    const replies: { mode: string; at: number }[] = [];
    for (let round = 1; round <= 5; round++) {
      const mode = `m${round}`;
      const answer = await instance.api('PATCH', '/scenarios/busy/globals', { mode });
      replies.push({ mode, at: Date.now() });
      expect(answer).toEqual({ status: 200, body: null });
      await eventually(
        async () => ((await lines('a')).some((line) => line.mode === mode) ? true : null),
        `an event with ${mode}`,
      );
    }
    for (const name of ['a', 'b', 'c']) {
      const seen = await lines(name);
      for (const reply of replies) {
        // An event may show a newer value than its timestamp (it is produced up to a slice late), never an older one.
        const stale = seen.filter(({ at, mode }) => at > reply.at && rank(mode) < rank(reply.mode));
        expect(stale).toEqual([]);
      }
      expect(seen.map(({ n }) => n)).toEqual(seen.map((_, index) => index + 1));
    }
  });

  test('another scenario never sees the values', async () => {
    expect((await lines('other')).filter(({ mode }) => mode !== 'unset')).toEqual([]);
    const answer = await instance.api('GET', '/scenarios/quiet/globals');
    expect(answer).toEqual({ status: 200, body: {} });
  });

  test('changes made through the API survive kill -9 of the daemon', async () => {
    await instance.api('PATCH', '/scenarios/busy/globals', { kept: [1, { two: null }] });
    await instance.kill('SIGKILL');
    await instance.start();
    const answer = await instance.api('GET', '/scenarios/busy/globals');
    expect(answer.body).toMatchObject({ kept: [1, { two: null }], mode: 'm5' });
  });

  test('changes survive the death of the thread that owns the globals, and its members restart', async () => {
    await instance.api('PATCH', '/scenarios/busy/globals', { mode: 'm6', before: 'death' });
    const refused = await instance.api('POST', '/generators/killer/start');
    expect(refused.status).toBe(200);
    await eventually(async () => {
      const { body } = await instance.api('GET', '/generators/killer/status');
      return (body as { reason: string | null }).reason?.includes('process.exit') === true ? true : null;
    }, 'the thread died');
    await instance.api('POST', '/generators/killer/stop');
    const held = await instance.api('GET', '/scenarios/busy/globals');
    expect(held.body).toMatchObject({ before: 'death', mode: 'm6' });
    for (const id of ['a', 'b', 'c']) {
      await eventually(async () => {
        const { body } = await instance.api('GET', `/generators/${id}/status`);
        return (body as { phase: string }).phase === 'running' ? true : null;
      }, `${id} runs again`);
    }
    const count = (await lines('a')).length;
    const later = await eventually(async () => {
      const seen = await lines('a');
      return seen.length > count + 100 ? seen : null;
    }, 'more events');
    expect(later.at(-1)?.mode).toBe('m6');
  });

  test('changes survive the time in which no member runs', async () => {
    await instance.api('PATCH', '/scenarios/busy/globals', { before: 'loss' });
    await instance.api('POST', '/generators/a/stop');
    await instance.api('POST', '/generators/b/stop');
    await instance.api('POST', '/generators/c/stop');
    const held = await instance.api('GET', '/scenarios/busy/globals');
    expect(held.body).toMatchObject({ before: 'loss', mode: 'm6' });
    await instance.api('POST', '/generators/a/start');
    const lent = await instance.api('GET', '/scenarios/busy/globals');
    expect(lent.body).toMatchObject({ before: 'loss' });
  });

  test('an unknown scenario is 404 and a body that is no object 422', async () => {
    expect((await instance.api('PATCH', '/scenarios/nowhere/globals', {})).status).toBe(404);
    expect((await instance.api('PATCH', '/scenarios/busy/globals', [1])).status).toBe(422);
  });
});
