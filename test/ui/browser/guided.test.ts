import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, freePort } from '../../support/instance.js';
import { type LogPeer, startLogPeer } from '../../support/servers/logPeers/logPeer.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';
import { enter, tabTo } from './tasks/keyboard.js';

(hasChromium ? describe : describe.skip)(`a generator in three choices ${NEEDS_CHROMIUM}`, () => {
  let folder: string;
  let splunk: LogPeer;
  const ui = browserSuite({ env: { SPATE_KEYRING_PASSWORD: 'a password of the test' } });
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'spate-guided-'));
    splunk = await startLogPeer('splunk_hec', folder, { token: 'the-token', use_ack: false });
  });
  afterAll(async () => {
    await splunk.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test('from nothing: a log of payments of 5,000 people is in Splunk, and the page shows what it writes', async () => {
    const began = performance.now();
    const page = await ui.open('/');
    await page.getByRole('banner').getByRole('link', { name: 'New generator' }).click();
    await page.getByRole('textbox', { name: 'Search the examples' }).fill('payment');
    await page.getByRole('radio', { name: 'payments-api' }).click();

    await page.getByRole('radio', { name: 'A new destination' }).click();
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.getByRole('alert').getByText('The name of the destination must not be empty').waitFor();
    await page.getByRole('textbox', { name: 'Name of the destination' }).fill('siem');
    await page.getByRole('combobox', { name: 'Kind of output' }).click();
    await page.getByRole('option', { name: 'splunk_hec' }).click();
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.getByRole('alert').getByText('Correct the fields of the output.').waitFor();
    const url = page.getByLabel('output splunk_hec url', { exact: true });
    await url.fill(`http://127.0.0.1:${await freePort()}`);
    await page.getByLabel('output splunk_hec token', { exact: true }).fill('the-token');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('status').getByText('ECONNREFUSED').waitFor();
    await url.fill(splunk.url);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('can be opened. No event was sent.').waitFor();

    await page.getByRole('textbox', { name: 'load' }).fill('25');
    const shown = await page.locator('pre.event').allTextContents();
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.getByRole('heading', { name: 'payments-api', exact: true }).waitFor();
    await eventually(
      async () => (splunk.arrived().length >= 1_000 ? true : null),
      '1,000 events at the collector',
    );
    const seconds = (performance.now() - began) / 1_000;
    process.stderr.write(`in three choices, until 1,000 events had arrived: ${seconds.toFixed(1)} s\n`);
    expect(JSON.parse(splunk.arrived()[0] ?? '')).toMatchObject({
      resource: { attributes: expect.objectContaining({ 'service.namespace': 'payments' }) },
    });
    expect(shown).toContain(await ui.instance().file('destinations/siem.yml'));
    const config = await ui.instance().file('generators/payments-api/generator.yml');
    // The formatter that is stored has its defaults, too.
    const written = config.replace(/^# yaml-language-server:.*\n+/, '').replace(/\n +indent: 0\n$/, '\n');
    expect(shown).toContain(written);
    expect(shown.join('')).not.toContain('the-token');
    expect(shown.join('')).toContain('load: ${params.load:-25}');
  });

  test('the next one uses the destination, keeps the day of its example, and shows an attack', async () => {
    const page = await ui.open('/new');
    await page.getByRole('radio', { name: 'iot-sensors' }).click();
    await page.getByRole('radio', { name: 'A new destination' }).click();
    await page.getByRole('textbox', { name: 'Name of the destination' }).fill('siem');
    await page.getByText('The destination "siem" exists').waitFor();
    await page.getByRole('radio', { name: 'siem' }).click();
    await page.getByRole('textbox', { name: 'load' }).fill('2');
    await page.getByRole('combobox', { name: 'Attack' }).click();
    await page.getByRole('option', { name: 'botnet' }).click();
    await page.getByText('Logins with default passwords until').waitFor();
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.getByRole('heading', { name: 'iot-sensors', exact: true }).waitFor();
    const login = await eventually(
      async () => splunk.arrived().find((line) => line.includes('"anomaly":"botnet"')) ?? null,
      'an event of the attack at the collector',
    );
    expect(login).toContain('mqtt');
    const config = await ui.instance().file('generators/iot-sensors/generator.yml');
    expect(config).toContain('load: ${params.load:-2}');
    expect(config).toContain('anomaly: ${params.anomaly:-botnet}');
  });

  test('without a mouse, an example is in a destination of its own', async () => {
    const page = await ui.open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    const example = page.getByRole('radio', { name: 'database-postgresql' });
    await example.waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('postgresql');
    await page.getByRole('radio', { name: 'web-nginx' }).waitFor({ state: 'detached' });
    await tabTo(page, example);
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('radio', { name: 'As the example has it' }));
    const created = page.getByRole('radio', { name: 'A new destination' });
    for (let steps = 0; steps < 20 && !(await created.isChecked()); steps++)
      await page.keyboard.press('ArrowDown');
    await tabTo(page, page.getByRole('textbox', { name: 'Name of the destination' }));
    await page.keyboard.type('archive');
    await tabTo(page, page.getByRole('combobox', { name: 'Kind of output' }));
    await page.keyboard.press('Enter');
    const file = page.locator('[role="option"][data-combobox-selected]').filter({ hasText: /^file$/ });
    for (let steps = 0; steps < 20 && (await file.count()) === 0; steps++)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('textbox', { name: 'output file path' }));
    await page.keyboard.type('out/postgresql.log');
    await enter(page, page.getByRole('button', { name: 'Create and start' }));
    await page.getByRole('heading', { name: 'database-postgresql', exact: true }).waitFor();
    const text = await eventually(
      () =>
        ui
          .instance()
          .file('generators/database-postgresql/out/postgresql.log')
          .then((found) => (found.includes('\n') ? found : null))
          .catch(() => null),
      'an event in the file',
    );
    expect(JSON.parse(text.slice(0, text.indexOf('\n')))).toHaveProperty('postgresql');
  });
});
