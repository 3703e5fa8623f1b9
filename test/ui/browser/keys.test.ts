import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { KEYS } from '../../../src/ui/app/keyTable.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const CONFIG = 'input: [static: {count: 1}]\nevent: {replay: {path: x.log}}\noutput: [stdout: {}]\n';

test('the docs name every key that the dialog shows', async () => {
  const docs = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'ui.md'), 'utf8');
  const keys = KEYS.flatMap((row) => row.keys.split(', '));
  expect(keys.filter((key) => !docs.includes(`\`${key}\``))).toEqual([]);
});

(hasChromium ? describe : describe.skip)(`keys ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: { 'a/generator.yml': CONFIG, 'a/x.log': 'x\n' },
    startup: ['one', 'three', 'two']
      .map((id) => `- {id: ${id}, path: a/generator.yml, autostart: false}\n`)
      .join(''),
  });

  test('? shows all keys, and Escape closes them', async () => {
    const page = await ui.open('/');
    await page.getByRole('link', { name: 'one', exact: true }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.getByRole('row', { name: /g d Destinations/ }).waitFor();
    expect(await dialog.getByRole('row').count()).toBeGreaterThan(KEYS.length + 7);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  test('g and a letter open a page, and letters in a field are letters', async () => {
    const page = await ui.open('/');
    await page.getByRole('link', { name: 'one', exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'Destinations', level: 1 }).waitFor();
    const name = page.getByLabel('Name of a new destination');
    await name.click();
    await page.keyboard.type('gh?');
    expect(await name.inputValue()).toBe('gh?');
    expect(new URL(page.url()).pathname).toBe('/destinations');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('/ goes to the filter, j and k through the rows, x chooses one', async () => {
    const page = await ui.open('/');
    await page.getByRole('link', { name: 'one', exact: true }).waitFor();
    const focused = () => page.evaluate('document.activeElement?.closest("tr")?.textContent ?? ""');
    await page.keyboard.press('j');
    expect(await focused()).toContain('one');
    await page.keyboard.press('j');
    expect(await focused()).toContain('three');
    await page.keyboard.press('x');
    await page
      .getByText(/1 (chosen|selected)|1 generator/)
      .first()
      .waitFor();
    await page.keyboard.press('k');
    expect(await focused()).toContain('one');
    await page.keyboard.press('/');
    await page.keyboard.type('two');
    await page.getByRole('link', { name: 'one', exact: true }).waitFor({ state: 'hidden' });
  });

  test('X chooses all rows from the last one to this', async () => {
    const page = await ui.open('/');
    await page.getByRole('link', { name: 'one', exact: true }).waitFor();
    for (const key of ['j', 'x', 'j', 'j', 'X']) await page.keyboard.press(key);
    await page.getByText('3 generators chosen').waitFor();
    await page.keyboard.press('X');
    await page.getByText('2 generators chosen').waitFor();
  });

  test('the first Tab offers to skip the menu', async () => {
    const page = await ui.open('/secrets');
    await page.getByRole('heading', { name: 'Secrets', level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement?.id')).toBe('content');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement?.closest("main") !== null')).toBe(true);
  });
});
