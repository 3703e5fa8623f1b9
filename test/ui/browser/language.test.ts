import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/instance.js';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const GENERATOR = `input: [cron: {expression: '* * * * * *', count: 1}]
event:
  template:
    mode: all
    templates: [{line: {template: line.jinja}}]
    params: {host: web-1}
    samples:
      users: {type: csv, source: users.csv, header: true}
output: [stdout: {}]
`;
const TEMPLATE = '{{ samples.users.pick().name }} {{ samples.users.pick().shell }}\n';

/** The schema is loaded when it is asked for first. */
const DOCS_MS = 10_000;

const editorOf = (page: Page, name: string) => page.getByRole('textbox', { name: `Text of ${name}` });

/** Puts the cursor before a word of the open file. */
const moveTo = async (page: Page, line: number, column: number): Promise<void> => {
  await page.keyboard.press('Control+Home');
  for (let n = 1; n < line; n += 1) await page.keyboard.press('ArrowDown');
  for (let n = 1; n < column; n += 1) await page.keyboard.press('ArrowRight');
};

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Moves the mouse over a word of the open file. */
const pointAt = async (page: Page, word: string): Promise<void> => {
  const { x, y } = await page.evaluate<Point>(`(() => {
    const texts = document.createTreeWalker(document.querySelector('.cm-content'), NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const at = node.data.indexOf('${word}');
      if (at === -1) continue;
      range.setStart(node, at + 1);
      range.setEnd(node, at + 2);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }
  })()`);
  await page.mouse.move(x, y, { steps: 3 });
};

/** Takes the chosen completion. The editor ignores a key that comes right after its list, so that nobody takes it by accident. */
const take = (page: Page, name: string, written: string): Promise<true> =>
  eventually(async () => {
    await page.keyboard.press('Enter');
    if ((await editorOf(page, name).textContent())?.includes(written) === true) return true;
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Space');
    await page.getByRole('listbox', { name: 'Completions' }).waitFor();
    return null;
  }, 'the completion to be taken');

(hasChromium ? describe : describe.skip)(`the language service of the editor ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'web/generator.yml': GENERATOR,
      'web/line.jinja': TEMPLATE,
      'web/users.csv': 'name,shell\nann,sh\n',
      'web/more.jinja': '{% for user in samples.users %}{{ user.name }}{% endfor %}\n',
      'fails/generator.yml': GENERATOR,
      'fails/line.jinja': 'first\n{{ 1 // 0 }}\n',
      'fails/users.csv': 'name,shell\nann,sh\n',
    },
  });

  test('a template is written by keyboard: completion, signature, docs', async () => {
    const page = await ui.open('/g/web?file=line.jinja');
    const editor = editorOf(page, 'line.jinja');
    const options = page.getByRole('listbox', { name: 'Completions' });
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('{{ module.rand.');
    await options.getByRole('option', { name: /^number/ }).waitFor();
    await page.keyboard.type('number.int');
    await options.getByRole('option', { name: /^integer/ }).waitFor();
    // What the chosen one returns stands beside the list.
    await page.getByText('an integer from a to b, both included').waitFor();
    await take(page, 'line.jinja', 'integer(a, b)');
    await page.keyboard.type('1');
    const signature = page.locator('.cm-docs-title');
    await signature.getByText('integer(').waitFor();
    expect(await signature.locator('strong').textContent()).toBe('a');
    await page.keyboard.press('Tab');
    await page.keyboard.type('6');
    await eventually(
      async () => ((await signature.locator('strong').textContent()) === 'b' ? true : null),
      'the second argument to be marked',
    );
    await page.keyboard.press('Escape');
    await signature.waitFor({ state: 'detached' });
    await page
      .getByRole('list', { name: 'Next events' })
      .getByText(/ann sh/)
      .first()
      .waitFor();

    await moveTo(page, 1, 6);
    await page.keyboard.press('F1');
    await page.getByText('data sets', { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await pointAt(page, 'pick');
    await page.locator('.cm-docs').getByText('a random row. If the sample is empty').waitFor();
    expect(await ui.instance().file('generators/web/line.jinja')).toBe(TEMPLATE);
  });

  test('a key of the config is told by its schema', async () => {
    const page = await ui.open('/g/web');
    await editorOf(page, 'generator.yml').click();
    const docs = page.locator('.cm-docs').getByText('Picks templates for a timestamp');
    // Arrows go by pixels: where a font arrives between two of them, they lead to another word.
    await eventually(async () => {
      await moveTo(page, 4, 6);
      await page.keyboard.press('F1');
      return docs.waitFor({ timeout: DOCS_MS }).then(
        () => true,
        () => null,
      );
    }, 'the docs of a key');
    expect(await axeFindings(page)).toEqual([]);
  });

  test('columns of a sample, filters and statements are offered', async () => {
    const page = await ui.open('/g/web?file=more.jinja');
    const options = page.getByRole('listbox', { name: 'Completions' });
    await editorOf(page, 'more.jinja').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('{{ samples.users.pick().');
    await options.getByRole('option', { name: /^shell/ }).waitFor();
    await page.keyboard.type('shell | upp');
    await options.getByRole('option', { name: /^upper/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n{%');
    await page.keyboard.type(' fo');
    await options.getByRole('option', { name: /^for/ }).waitFor();
    await take(page, 'more.jinja', '{% for item in items %}{% endfor %}');
  });

  test('F12 leads to a definition, F2 renames a sample everywhere, and both files are saved', async () => {
    const page = await ui.open('/g/web?file=line.jinja');
    const editor = editorOf(page, 'line.jinja');
    await editor.click();
    await moveTo(page, 1, 14);
    await page.keyboard.press('F12');
    const config = editorOf(page, 'generator.yml');
    await config.waitFor();
    await page.locator('.cm-activeLine').getByText('users.csv').waitFor();

    // The cursor is on the entry of the sample now.
    await page.keyboard.press('F2');
    const dialog = page.getByRole('dialog', { name: 'Rename the sample users' });
    await dialog.getByText('Changes 4 places in 3 files').waitFor();
    await dialog.getByRole('textbox', { name: 'New name' }).fill('two words');
    await dialog.getByText('Write letters, digits and underscores').waitFor();
    await dialog.getByRole('textbox', { name: 'New name' }).fill('people');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    for (const name of ['generator.yml', 'line.jinja', 'more.jinja'])
      await page.getByRole('button', { name: `${name} unsaved` }).waitFor();
    expect(await ui.instance().file('generators/web/generator.yml')).toBe(GENERATOR);
    await page.getByRole('list', { name: 'Next events' }).getByText('ann sh').first().waitFor();

    await config.click();
    for (const name of ['generator.yml', 'line.jinja', 'more.jinja']) {
      await page.getByRole('button', { name: `${name} unsaved` }).click();
      await editorOf(page, name).click();
      await page.keyboard.press('Control+S');
      await page.getByRole('button', { name: `${name} unsaved` }).waitFor({ state: 'detached' });
    }
    expect(await ui.instance().file('generators/web/generator.yml')).toBe(
      GENERATOR.replace('users: {', 'people: {'),
    );
    expect(await ui.instance().file('generators/web/line.jinja')).toBe(
      TEMPLATE.replaceAll('samples.users', 'samples.people'),
    );
    expect(await ui.instance().file('generators/web/more.jinja')).toContain('in samples.people %}');
  });

  test('a mistake that comes with every event is one problem with its count', async () => {
    const page = await ui.open('/g/fails?file=line.jinja');
    const problems = page.getByRole('list', { name: 'Problems' });
    const problem = problems.getByRole('button');
    await problem.getByText(/\(\d+ times\)/).waitFor();
    expect(await problem.count()).toBe(1);
    await problem.click();
    await page.locator('.cm-activeLine').getByText('1 // 0').waitFor();
  });
});
