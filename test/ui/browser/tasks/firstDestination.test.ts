import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, freePort } from '../../../support/instance.js';
import { type LogPeer, startLogPeer } from '../../../support/servers/logPeers/logPeer.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from '../browser.js';
import { chooseBy, enter, retype, tabTo } from './keyboard.js';

const EVENTS = 1_000;
const LOAD = 25;

/** Counts what a mouse and the keyboard do. */
const WATCH = `globalThis.clicks = 0;
globalThis.presses = 0;
addEventListener('pointerdown', () => globalThis.clicks++, true);
addEventListener('keydown', () => globalThis.presses++, true);`;

/** The text of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement?.textContent?.trim().slice(0, 40) ?? ""');

(hasChromium ? describe : describe.skip)(
  `a database log in Splunk, without a mouse ${NEEDS_CHROMIUM}`,
  () => {
    let folder: string;
    let splunk: LogPeer;
    const ui = browserSuite({ env: { SPATE_KEYRING_PASSWORD: 'a password of the test' } });
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'spate-first-destination-'));
      splunk = await startLogPeer('splunk_hec', folder, { token: 'the-token', use_ack: false });
    });
    afterAll(async () => {
      await splunk.kill();
      rmSync(folder, { recursive: true, force: true });
    });

    test('an empty service delivers what 5,000 people do after its destination was checked, and the focus is never lost', async () => {
      const page = await ui.open('/', { before: WATCH });
      await page.getByRole('heading', { name: 'No generators yet' }).waitFor();
      const began = performance.now();
      await page.keyboard.press('g');
      await page.keyboard.press('n');
      await page.getByRole('radio', { name: 'database-postgresql' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('payment');
      await page.getByRole('radio', { name: 'database-postgresql' }).waitFor({ state: 'detached' });
      await tabTo(page, page.getByRole('radio', { name: 'payments-api' }));
      await page.keyboard.press('Space');

      await tabTo(page, page.getByRole('radio', { name: 'As the example has it' }));
      await chooseBy(
        page,
        'ArrowDown',
        page.getByRole('radio', { name: 'A new destination', checked: true }),
      );
      await tabTo(page, page.getByRole('textbox', { name: 'Name of the destination' }));
      await page.keyboard.type('siem');
      await tabTo(page, page.getByRole('combobox', { name: 'Kind of output' }));
      await page.keyboard.press('Enter');
      const kind = page.locator('[role="option"][data-combobox-selected]').filter({ hasText: 'splunk_hec' });
      await chooseBy(page, 'ArrowDown', kind);
      await page.keyboard.press('Enter');
      const url = page.getByLabel('output splunk_hec url', { exact: true });
      await tabTo(page, url);
      await retype(page, `http://127.0.0.1:${await freePort()}`);
      await tabTo(page, page.getByLabel('output splunk_hec token', { exact: true }));
      await page.keyboard.type('the-token');

      const check = page.getByRole('button', { name: 'Check', exact: true });
      await enter(page, check);
      await page.getByRole('status').getByText('ECONNREFUSED').waitFor();
      expect(await focused(page)).toBe('Check');
      await tabTo(page, url, 'Shift+Tab');
      await retype(page, splunk.url);
      await enter(page, check);
      await page.getByText('can be opened. No event was sent.').waitFor();
      expect(await focused(page)).toBe('Check');

      await tabTo(page, page.getByRole('textbox', { name: 'load' }));
      await retype(page, String(LOAD));
      await enter(page, page.getByRole('button', { name: 'Create and start' }));
      await page.getByRole('heading', { name: 'payments-api', exact: true }).waitFor();
      await eventually(
        async () => (splunk.arrived().length >= EVENTS ? true : null),
        `${EVENTS} events at the collector`,
      );
      const seconds = (performance.now() - began) / 1_000;
      const presses = await page.evaluate('globalThis.presses');
      process.stderr.write(
        `without a mouse, until ${EVENTS} events had arrived: ${seconds.toFixed(1)} s, ${presses} keys\n`,
      );
      expect(await page.evaluate('globalThis.clicks')).toBe(0);
      expect(JSON.parse(splunk.arrived()[0] ?? '')).toMatchObject({
        resource: { attributes: expect.objectContaining({ 'service.namespace': 'payments' }) },
      });
      expect(await ui.instance().file('generators/payments-api/generator.yml')).toContain(
        `load: \${params.load:-${LOAD}}`,
      );
      // The next step of the keyboard begins on the new page, not in the address bar.
      expect(await page.evaluate('document.activeElement === document.body')).toBe(false);
    });
  },
);
