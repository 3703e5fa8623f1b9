/** Dead letters sent again and removed over the API while the generator adds more. */
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type {
  DeadLetterSummary,
  PurgedDeadLetters,
  ResentDeadLetters,
} from '../../../src/messages/deadLetters.js';
import { eventually, freePort, type Instance, makeInstance } from '../../support/instance.js';

const SECRET = 'a-secret-of-the-test';

let instance: Instance;
let server: Server;
/** Whether the destination takes events; a refusal repeats the secret header. */
let isUp = false;
const arrived: string[] = [];

beforeAll(async () => {
  const port = await freePort();
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (isUp) arrived.push(...Buffer.concat(parts).toString('utf8').trim().split('\n'));
      response.writeHead(isUp ? 200 : 422).end(`bad key ${String(request.headers['x-key'])}`);
    });
  }).listen(port, '127.0.0.1');
  instance = await makeInstance({
    startup: '- {id: shop, path: shop/generator.yml, retry: {attempts: 1}, autostart: false}',
    generators: {
      'shop/generator.yml': `
input: [cron: {expression: '* * * * * *', count: 20}]
event: {script: {path: produce.mjs}}
output: [http: {url: 'http://127.0.0.1:${port}/', success_code: 200, formatter: {format: plain}, headers: {x-key: '\${secrets.key}'}}]
`,
      'shop/produce.mjs': 'let n = 0; export const produce = () => `event ${++n}`;',
    },
    env: { SPATE_KEYRING_PASSWORD: 'a password of the test' },
  });
  await instance.start();
  expect(await instance.api('PUT', '/secrets/key', SECRET)).toMatchObject({ status: 200 });
  expect(await instance.api('POST', '/generators/shop/start')).toEqual({ status: 200, body: true });
});
afterAll(async () => {
  server.close();
  await instance.remove();
});

const summaries = async (): Promise<readonly DeadLetterSummary[]> =>
  (await instance.api('GET', '/generators/shop/dead-letters')).body as readonly DeadLetterSummary[];
const letters = async (): Promise<number> => (await summaries()).reduce((sum, each) => sum + each.letters, 0);

interface Counters {
  readonly written: number;
  readonly dead_lettered: number;
}
const counters = async (): Promise<Counters> => {
  const { body } = await instance.api('GET', '/generators/shop/stats');
  return (body as { output: readonly Counters[] }).output[0] as Counters;
};

test('reasons do not show the secret that the destination repeats', async () => {
  await eventually(async () => ((await letters()) > 0 ? true : null), 'letters');
  const refused = await instance.api('POST', '/generators/shop/resend-dead-letters?limit=1');
  expect(JSON.stringify(refused.body)).not.toContain(SECRET);
  const page = await instance.api('GET', '/generators/shop/dead-letters/1-http?limit=500');
  expect(page.status).toBe(200);
  expect(JSON.stringify([page.body, await summaries()])).not.toContain(SECRET);
});

test('every event is delivered, removed or still there, once', async () => {
  const [summary] = await summaries();
  expect(summary).toMatchObject({ output: '1-http' });
  const until = encodeURIComponent(summary?.oldest ?? '');
  const purged = await instance.api('DELETE', `/generators/shop/dead-letters?output=1-http&until=${until}`);
  const [{ removed } = { removed: 0 }] = purged.body as readonly PurgedDeadLetters[];
  expect(removed).toBeGreaterThan(0);
  // The generator adds letters during these resends, and writes itself once the destination is up.
  let sent = 0;
  const resend = async (): Promise<void> => {
    const { status, body } = await instance.api('POST', '/generators/shop/resend-dead-letters');
    expect(status).toBe(200);
    for (const row of body as readonly ResentDeadLetters[]) sent += row.sent;
  };
  await resend();
  expect(sent).toBe(0);
  isUp = true;
  for (let n = 0; n < 5; n++) await resend();
  await eventually(async () => ((await counters()).written > 0 ? true : null), 'written events');
  await instance.api('POST', '/generators/shop/stop');
  await eventually(async () => {
    await resend();
    return (await letters()) === 0 ? true : null;
  }, 'an empty summary');
  const { written, dead_lettered } = await counters();
  expect(sent + removed).toBe(dead_lettered);
  expect(arrived).toHaveLength(written + sent);
  expect(new Set(arrived).size).toBe(arrived.length);
  expect(written).toBeGreaterThan(0);
});
