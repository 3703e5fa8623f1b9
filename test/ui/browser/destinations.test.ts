import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, freePort } from '../../support/instance.js';
import { type LogPeer, startLogPeer } from '../../support/servers/logPeers/logPeer.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const CONFIG = `input: [static: {count: 1}]
event: {script: {path: produce.mjs}}
output: [use: archive]
`;

(hasChromium ? describe : describe.skip)(`destinations in the browser ${NEEDS_CHROMIUM}`, () => {
  let folder: string;
  let splunk: LogPeer;
  const ui = browserSuite({
    generators: {
      'web/generator.yml': CONFIG,
      'web/produce.mjs': 'export const produce = () => "x";\n',
    },
    startup: '- {id: web, path: web/generator.yml, autostart: false}\n',
    env: { SPATE_KEYRING_PASSWORD: 'a password of the test' },
  });
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'spate-destinations-'));
    splunk = await startLogPeer('splunk_hec', folder, { token: 'the-token', use_ack: false });
  });
  afterAll(async () => {
    await splunk.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a log of payments goes into Splunk by clicks, without a line of YAML', async () => {
    const began = performance.now();
    const page = await ui.open('/destinations');
    await page.getByLabel('Name of a new destination').fill('siem');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('combobox', { name: 'Kind of output' }).click();
    await page.getByRole('option', { name: 'splunk_hec' }).click();
    await page.getByRole('button', { name: 'Store', exact: true }).click();
    await page.getByText('is required').first().waitFor();
    const url = page.getByLabel('output splunk_hec url', { exact: true });
    await url.fill(`http://127.0.0.1:${await freePort()}`);
    await page.getByLabel('output splunk_hec token', { exact: true }).fill('the-token');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('status').getByText('ECONNREFUSED').waitFor();
    await url.fill(splunk.url);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('can be opened. No event was sent.').waitFor();
    await page.getByRole('button', { name: 'Store', exact: true }).click();
    await page.getByText('siem is stored. What is secret is in the keyring').waitFor();

    await page.getByRole('link', { name: 'New generator' }).click();
    await page.getByRole('tab', { name: 'From an example' }).click();
    await page.getByRole('button', { name: 'Details of payments-api' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('combobox', { name: 'Where events go' }).click();
    await page.getByRole('option', { name: 'siem (splunk_hec)' }).click();
    await drawer.getByRole('textbox', { name: 'load' }).fill('25');
    await drawer.getByRole('button', { name: 'Create and start' }).click();
    await page.getByRole('heading', { name: 'payments-api', exact: true }).waitFor();
    await eventually(
      async () => (splunk.arrived().length >= 1_000 ? true : null),
      '1,000 events at the collector',
    );
    const seconds = (performance.now() - began) / 1_000;
    process.stderr.write(`by clicks, until 1,000 events had arrived: ${seconds.toFixed(1)} s\n`);
    await ui.instance().api('POST', '/generators/payments-api/stop');
    expect(splunk.arrived()[0]).toMatch(/"service.namespace": ?"payments"/);
    expect(await ui.instance().file('destinations/siem.yml')).not.toContain('the-token');
    expect(await ui.instance().file('generators/payments-api/generator.yml')).toMatch(
      /output:\n {2}- use:\n {6}name: siem\n {6}with:\n {8}formatter:\n/,
    );
  });

  test('one that generators use names them, is changed in one place and deleted after a question', async () => {
    await ui.instance().api('PUT', '/destinations/archive', { file: { path: 'out/one.log' } });
    const page = await ui.open('/destinations');
    const row = page.getByRole('row').filter({ hasText: 'archive' });
    await row.getByRole('link', { name: 'web', exact: true }).waitFor();
    await row.getByRole('link', { name: 'archive' }).click();
    await page.getByLabel('output file path', { exact: true }).fill('out/two.log');
    await page.getByRole('button', { name: 'Store', exact: true }).click();
    await page.getByRole('button', { name: 'Restart those that use it' }).click();
    await eventually(
      () =>
        ui
          .instance()
          .file('generators/web/out/two.log')
          .catch(() => null),
      'an event in the new file',
    );
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete archive?' });
    await dialog.getByText('Used by web: their next start fails.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('archive is deleted.').waitFor();
    expect((await ui.instance().api('GET', '/destinations/archive')).status).toBe(404);
  });

  test('one whose file is invalid says so, and is replaced', async () => {
    await writeFile(join(ui.instance().folder, 'destinations', 'broken.yml'), 'opensearch: {hosts: 5}\n');
    const page = await ui.open('/destinations/broken', { expected: /422/ });
    await page.getByRole('alert').getByText('must be a list, not a number').waitFor();
    await page.getByRole('combobox', { name: 'Kind of output' }).click();
    await page.getByRole('option', { name: 'stdout' }).click();
    await page.getByRole('button', { name: 'Store', exact: true }).click();
    await page.getByText('broken is stored.').waitFor();
    expect(await ui.instance().file('destinations/broken.yml')).toBe('stdout: {}\n');
  });

  test('one that others change meanwhile is not overwritten', async () => {
    await ui.instance().api('PUT', '/destinations/both', { file: { path: 'a.log' } });
    const page = await ui.open('/destinations/both', { expected: /412/ });
    const path = page.getByLabel('output file path', { exact: true });
    await path.fill('mine.log');
    await ui.instance().api('PUT', '/destinations/both', { file: { path: 'theirs.log' } });
    await page.getByRole('button', { name: 'Store', exact: true }).click();
    await page.getByRole('alert').getByText('has changed: read it again').waitFor();
    expect(await path.inputValue()).toBe('mine.log');
    expect((await ui.instance().api('GET', '/destinations/both')).body).toEqual({
      file: { path: 'theirs.log' },
    });
  });
});
