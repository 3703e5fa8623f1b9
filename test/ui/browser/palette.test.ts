import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const GENERATOR = `input: [cron: {expression: '* * * * * *', count: 1}]
event: {replay: {path: lines.txt, repeat: true}}
output: [file: {path: out.log}]
`;

(hasChromium ? describe : describe.skip)(`the command palette ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'web/generator.yml': GENERATOR,
      'web/lines.txt': 'hello\n',
      'broken/generator.yml': GENERATOR,
    },
    startup:
      '- {id: web-1, path: web/generator.yml}\n- {id: broken, path: broken/generator.yml, autostart: false}\n',
  });

  /** Types into the palette and takes the first result once it has this name. */
  const take = async (page: Page, query: string, first: RegExp): Promise<void> => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Go to a page or act on a generator' });
    await field.fill(query);
    await page.getByRole('option', { name: first, selected: true }).waitFor();
    await field.press('Enter');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor({ state: 'detached' });
  };

  const phaseOf = async (id: string): Promise<unknown> =>
    ((await ui.instance().api('GET', `/generators/${id}/status`)).body as { readonly phase: string }).phase;

  test('goes to pages and help from anywhere, fields too', async () => {
    const page = await ui.open('/');
    await page.getByRole('textbox', { name: /^Filter by id/ }).click();
    await take(page, 'concepts', /^Concepts/);
    await page.getByRole('heading', { level: 1, name: 'Concepts' }).waitFor();
    await take(page, 'new gen', /^New generator/);
    expect(page.url()).toMatch(/\/new$/);
    await take(page, 'web-1 generator', /^web-1/);
    expect(page.url()).toMatch(/\/r\/web-1$/);
  });

  test('stops and starts a generator, and says why one does not start', async () => {
    const page = await ui.open('/', { expected: /status of 422/ });
    await page.getByRole('row', { name: /web-1/ }).getByText('running').waitFor();
    await take(page, 'stop web', /^Stop web-1/);
    await page.getByText('web-1 stopped.').waitFor();
    expect(await phaseOf('web-1')).toBe('stopped');
    await take(page, 'start web', /^Start web-1/);
    await page.getByText('web-1 started.').waitFor();
    expect(await phaseOf('web-1')).toBe('running');
    await take(page, 'start broken', /^Start broken/);
    await page.getByText('broken was not started').waitFor();
    await page
      .getByText(/lines\.txt/)
      .first()
      .waitFor();
  });

  test('sets the rate of a generator', async () => {
    const page = await ui.open('/');
    await page.getByRole('row', { name: /web-1/ }).getByText('running').waitFor();
    await take(page, 'set rate of web to 7', /^Set the rate of web-1 to 7/);
    await page.getByText('Events at each timestamp of web-1: 7 until its next start, 1 before.').waitFor();
    const rate = page.getByRole('row', { name: /web-1/ }).locator('.rate');
    await rate.filter({ hasText: /^(6\.9\d*|7(\.0\d*)?)$/ }).waitFor();
  });

  test('begins with the last pages', async () => {
    const page = await ui.open('/r/web-1');
    await page.getByRole('heading', { name: 'web-1', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Secrets', exact: true }).click();
    await page.getByRole('heading', { name: 'Secrets', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const recent = page.getByRole('group', { name: 'Recent' });
    await recent.getByRole('option', { name: 'web-1' }).waitFor();
    expect(await recent.getByRole('option', { name: 'Secrets' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'web-1', level: 1 }).waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'opens by its button, is accessible and closes: %s',
    async (scheme) => {
      const page = await ui.open('/help', { scheme, width: 390, height: 844 });
      await page.getByRole('button', { name: 'Commands' }).click();
      await page.getByRole('option', { name: /^Generators/ }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  );
});
