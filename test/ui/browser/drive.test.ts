import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/instance.js';
import {
  type ClickhouseServer,
  hasClickhouse,
  NEEDS_CLICKHOUSE,
  startClickhouse,
} from '../../support/servers/clickhouseServer.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const INPUT = "input: [cron: {expression: '* * * * * *', count: 5}]";

(hasChromium ? describe : describe.skip)(`a scenario ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'web/generator.yml': `${INPUT}
event: {template: {mode: all, templates: [{line: {template: line.jinja}}]}}
output: [file: {path: out.log}]
`,
      'web/line.jinja': "level {{ globals.get('level', 0) }} is {{ 'on' if globals.get('isOn') else 'off' }}",
      'count/generator.yml': `${INPUT}
event: {script: {path: count.mjs}}
output: [file: {path: out.log}]
`,
      'count/count.mjs': `export const produce = ({ globals }) => {
  globals.set('orders', (globals.get('orders') ?? 0) + 1);
  return 'x';
};
`,
    },
    startup:
      '- {id: web, path: web/generator.yml, scenarios: [lab]}\n- {id: count, path: count/generator.yml, scenarios: [count]}\n',
  });

  test('is driven by hand: a global that is changed shows in the live events, and can be taken back', async () => {
    await ui.instance().api('PATCH', '/scenarios/lab/globals', { level: 1, isOn: false });
    const tail = await ui.open('/r/web');
    const events = tail.getByRole('region', { name: 'Events, newest first' });
    await events.getByText('level 1 is off').first().waitFor();
    const knobs = await ui.open('/s/lab');
    const panel = knobs.getByRole('region', { name: 'Knobs' });
    await panel.getByRole('textbox', { name: 'level' }).fill('7');
    await events.getByText('level 7 is off').first().waitFor();
    await panel.getByRole('switch', { name: 'isOn' }).click({ force: true });
    await events.getByText('level 7 is on').first().waitFor();
    expect((await ui.instance().api('GET', '/scenarios/lab/globals')).body).toEqual({ level: 7, isOn: true });
  });

  test('never offers a counter of its generators as a knob', async () => {
    const page = await ui.open('/help');
    // Whatever is drawn meanwhile is seen.
    await page.addInitScript(`
      globalThis.offered = [];
      new MutationObserver(() => {
        for (const knob of document.querySelectorAll('[aria-label="Knobs"] [role=slider]'))
          globalThis.offered.push(knob.getAttribute('aria-label'));
      }).observe(document, { childList: true, subtree: true });
    `);
    await page.goto(new URL('/s/count', page.url()).href);
    const numbers = page.getByRole('region', { name: 'Live numbers' });
    await numbers.getByText('orders').waitFor();
    await numbers.getByText(/^\+\S+\/s$/).waitFor();
    expect(await page.evaluate('globalThis.offered')).toEqual([]);
  });
});

const hasBoth = hasChromium && hasClickhouse;

(hasBoth ? describe : describe.skip)(`an output ${NEEDS_CHROMIUM} ${NEEDS_CLICKHOUSE}`, () => {
  let server: ClickhouseServer;
  beforeAll(async () => {
    server = await startClickhouse();
    await server.query('CREATE TABLE visits (n UInt64) ENGINE = MergeTree ORDER BY n');
    await server.kill();
  });
  afterAll(() => server.remove());
  const ui = browserSuite();

  test('whose server is away says why, and heals when the server is there', async () => {
    const folder = `/generator-configs/away`;
    const config = {
      input: [{ cron: { expression: '* * * * * *', count: 5 } }],
      event: { template: { mode: 'all', templates: [{ line: { template: 'line.jinja' } }] } },
      output: [
        {
          clickhouse: { host: '127.0.0.1', port: server.port, table: 'visits', input_format: 'JSONEachRow' },
        },
      ],
    };
    const { api, url } = ui.instance();
    expect((await api('POST', folder, config)).status).toBe(201);
    const line = await fetch(`${url}${folder}/file/line.jinja`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: '{"n": 1}',
    });
    expect(line.status).toBe(201);
    const page = await ui.open('/g/away', { expected: /status of 503/ });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('dialog', { name: 'Run away' }).getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { level: 1, name: 'away' }).waitFor();
    await page.getByText(/the connection was refused \(ECONNREFUSED\)/).waitFor();
    await server.start();
    await page.getByText('running', { exact: true }).waitFor();
    expect(await page.getByText(/ECONNREFUSED/).count()).toBe(0);
    const rows = async () => Number(await server.query('SELECT count() FROM visits')) || null;
    expect(await eventually(rows, 'rows')).toBeGreaterThan(0);
  });
});
