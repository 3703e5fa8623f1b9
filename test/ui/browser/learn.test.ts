import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const LOG = join(import.meta.dirname, '..', '..', 'analysis', 'learn', 'logs', 'nginx-access.log');
/** Learning waits for other work on the machine. */
const LEARNED_MS = 60_000;
const NARROW = { width: 390, height: 844 };

(hasChromium ? describe : describe.skip)(`learning from a log in the browser ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite();

  const panelOf = (page: Page) => page.getByRole('tabpanel', { name: 'Learn' });
  const learn = async (page: Page): Promise<void> => {
    await panelOf(page).getByLabel('Log file').setInputFiles(LOG);
    await panelOf(page).getByRole('button', { name: 'Learn', exact: true }).click();
    await page.getByRole('heading', { name: 'What was found' }).waitFor({ timeout: LEARNED_MS });
  };

  test('goes from the upload over a look to a generator with a live preview', async () => {
    const page = await ui.open('/new');
    await page.getByRole('tab', { name: 'Learn' }).click();
    await learn(page);
    const found = page.getByRole('table', { name: 'What was found' });
    await found.getByText('access log of Apache or nginx').waitFor();
    await found.getByText(/IPv4 addresses.* replaced/).waitFor();
    await page
      .getByRole('table', { name: 'Fields' })
      .getByRole('row', { name: /^status / })
      .waitFor();
    await page.getByLabel('Content of generator.yml').getByText('Made by spate learn').waitFor();
    expect(await page.getByLabel('In the log').first().textContent()).toMatch(/HTTP\/1\.1/);
    expect(await page.getByLabel('Generated').first().textContent()).toMatch(/HTTP\/1\.1/);
    expect(await ui.instance().api('GET', '/generator-configs')).toMatchObject({ body: [] });

    await page.getByRole('button', { name: 'Open in the workbench' }).click();
    await page.waitForURL(({ pathname }) => pathname === '/g/nginx-access');
    await page
      .getByText(/HTTP\/1\.1/)
      .first()
      .waitFor({ timeout: LEARNED_MS });
    expect(await ui.instance().api('GET', '/generator-configs')).toMatchObject({
      body: [{ name: 'nginx-access' }],
    });
  });

  test('is accessible and fits a narrow screen in dark colors', async () => {
    const page = await ui.open('/new?from=learn', { scheme: 'dark', ...NARROW });
    await learn(page);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(NARROW.width);
  });

  test('keeps private values only after a warning, and shows why a log is refused', async () => {
    const page = await ui.open('/new?from=learn', { expected: /status of 422/ });
    const panel = panelOf(page);
    await panel
      .getByLabel('Log file')
      .setInputFiles({ name: 'a.log', mimeType: 'text/plain', buffer: Buffer.from(' \n\n') });
    await panel.getByRole('switch', { name: 'Keep private values' }).click({ force: true });
    await panel.getByText('Private values will be in the files').waitFor();
    await panel.getByRole('button', { name: 'Learn', exact: true }).click();
    await panel
      .getByRole('alert')
      .getByText(/no lines\. Give a text log/)
      .waitFor({ timeout: LEARNED_MS });
    await panel.getByRole('button', { name: 'Choose another log' }).click();
    await panel.getByRole('button', { name: 'Choose a log file' }).waitFor();
  });
});
