import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/instance.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

(hasChromium ? describe : describe.skip)(`an empty service ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite();

  test('makes its first events after a choice and two clicks', async () => {
    const page = await ui.open('/');
    await page.getByRole('heading', { name: 'No generators yet' }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'New generator' }).click();
    await page.getByRole('radio', { name: 'web-nginx' }).click();
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.waitForURL(({ pathname }) => pathname !== '/new');
    await page.getByRole('link', { name: 'Spate, overview' }).click();
    const row = page.getByRole('row', { name: /web-nginx/ });
    await row.getByText('running').waitFor();
    await row
      .getByRole('cell', { name: /^[1-9][\d,.]*K?$/ })
      .first()
      .waitFor();
    const written = await eventually(async () => {
      const { body } = await ui.instance().api('GET', '/generators/web-nginx/stats');
      const count = (body as { readonly output: readonly { readonly written: number }[] }).output[0]?.written;
      return count !== undefined && count > 0 ? count : null;
    }, 'written events');
    expect(written).toBeGreaterThan(0);
  });

  test('shows the generator to who comes later, and stops it on request', async () => {
    const page = await ui.open('/');
    const row = page.getByRole('row', { name: /web-nginx/ });
    await row.getByText('running').waitFor();
    await page.getByRole('checkbox', { name: 'Choose web-nginx' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog', { name: 'Stop web-nginx?' }).getByRole('button', { name: 'Stop' }).click();
    await row.getByText('stopped').waitFor();
  });
});
