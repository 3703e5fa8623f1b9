import { describe, expect, test } from '@jest/globals';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

(hasChromium ? describe : describe.skip)(`the help ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite();

  test('is searched with the keyboard alone, and found by address', async () => {
    const page = await ui.open('/help');
    await page.getByRole('heading', { name: 'Write generators' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('kafka compression');
    await page.getByRole('link', { name: 'Output kafka › compression_type' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Output kafka' }).waitFor();
    expect(page.url()).toMatch(/\/help\/plugins\/outputs\/kafka#compression_type$/);
    await page.goBack();
    const field = page.getByRole('searchbox', { name: 'Search the help' });
    await page.getByRole('link', { name: 'Output kafka › compression_type' }).waitFor();
    expect(await field.inputValue()).toBe('kafka compression');
  });

  test('shows the row of an error code, and follows links without loading the app again', async () => {
    const page = await ui.open('/help/errors#not_found');
    const row = page.getByRole('row', { name: /^not_found/ });
    await row.waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('not_found');
    expect(await page.evaluate('scrollY')).toBeGreaterThan(100);
    await page.evaluate('window.isSame = true');
    await page.getByRole('link', { name: 'Help', exact: true }).last().click();
    await page.getByRole('link', { name: 'Concepts' }).click();
    await page.getByRole('article').getByRole('link', { name: 'glossary' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Glossary' }).waitFor();
    expect(await page.evaluate('window.isSame')).toBe(true);
  });

  test('says so where it has no page or no result', async () => {
    const page = await ui.open('/help/nothing');
    await page.getByRole('heading', { name: 'There is no such help page' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search the help' }).fill('xyzzy');
    await page.getByText('No page has these words: xyzzy').waitFor();
  });
});
