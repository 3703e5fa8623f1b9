import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance, runProgram } from '../support/instance.js';

/** A destination that answers every request with the same status. */
let status = 400;
let destination: Server;
let instance: Instance;

const SCRIPT = 'export const produce = () => { throw new Error("no such user") };';

beforeAll(async () => {
  destination = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end('no such index');
  });
  await new Promise<void>((resolve) => destination.listen(0, '127.0.0.1', resolve));
  const address = destination.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const timer = 'input:\n  - timer: {seconds: 0.1, count: 1}\n';
  instance = await makeInstance({
    startup:
      '- {id: sender, path: sender/generator.yml}\n- {id: thrower, path: thrower/generator.yml, autostart: false}\n',
    generators: {
      'sender/generator.yml': `${timer}event:
  template: {mode: all, templates: [{a: {template: a.jinja}}]}
output:
  - http: {url: 'http://127.0.0.1:${port}/in', success_code: 200, formatter: {format: plain}}
`,
      'sender/a.jinja': '{{ timestamp }}',
      'thrower/generator.yml': `${timer}event:
  script: {path: produce.mjs}
output:
  - file: {path: out.log}
`,
      'thrower/produce.mjs': SCRIPT,
    },
  });
  await instance.start();
});

afterAll(async () => {
  await instance.remove();
  destination.close();
});

interface Report {
  readonly phase: string;
  readonly health: string;
  readonly health_reason: string | null;
  readonly remedy: string | null;
}

const whenHealth = (id: string, health: string): Promise<Report> =>
  eventually(async () => {
    const report = (await instance.api('GET', `/generators/${id}/status`)).body as Report;
    return report.health === health ? report : null;
  }, `${id} to be ${health}`);

const metric = async (line: string): Promise<boolean> => {
  const answer = await fetch(`${instance.url}/metrics`);
  return (await answer.text()).split('\n').includes(line);
};

const readiness = async (query: string): Promise<number> =>
  (await instance.api('GET', `/ready${query}`)).status;

const statusOfAll = async (): Promise<{ readonly code: number | null; readonly out: string }> => {
  const program = runProgram(['status', '--url', instance.url]);
  const { code } = await program.exited;
  return { code, out: program.stdout() };
};

test('an output that rejects every batch makes the generator failing, with the cause, until it accepts', async () => {
  const failing = await whenHealth('sender', 'failing');
  expect(failing).toMatchObject({ phase: 'running', remedy: expect.stringContaining('dead letters') });
  expect(failing.health_reason).toMatch(/^every batch of output http is rejected: .*400/);
  expect(await metric('spate_generator_health{generator="sender",health="failing"} 1')).toBe(true);
  expect([await readiness(''), await readiness('?strict=true')]).toEqual([200, 503]);
  expect((await instance.api('GET', '/ready?strict=true')).body).toMatchObject({
    detail: expect.stringMatching(/^1 failing generator\. /),
  });
  const listed = (await instance.api('GET', '/generators/')).body as readonly { status: Report }[];
  expect(listed[0]?.status).toMatchObject({ health: 'failing', health_reason: failing.health_reason });
  const shown = await statusOfAll();
  expect(shown.code).toBe(1);
  expect(shown.out).toMatch(
    /^GENERATOR +HEALTH +PHASE +REASON\nsender +failing +running +every batch of output http/,
  );

  status = 200;
  const recovered = await whenHealth('sender', 'ok');
  // The rejected events are still there.
  expect(recovered.health_reason === null || recovered.health_reason === 'dead letters are waiting').toBe(
    true,
  );
  expect(await readiness('?strict=true')).toBe(200);
  expect(await statusOfAll()).toMatchObject({ code: 0 });
});

test('a generator whose events all fail is failing though it runs, and idle once stopped', async () => {
  await instance.api('POST', '/generators/thrower/start');
  const failing = await whenHealth('thrower', 'failing');
  expect(failing.phase).toBe('running');
  expect(failing.health_reason).toMatch(/^every event fails: .*no such user/);
  await instance.api('POST', '/generators/thrower/stop');
  expect(await whenHealth('thrower', 'idle')).toMatchObject({
    health_reason: 'stopped on purpose',
    remedy: null,
  });
});
