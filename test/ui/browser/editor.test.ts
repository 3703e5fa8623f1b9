import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/instance.js';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';
import { tabTo } from './tasks/keyboard.js';

const CONFIG = `input: [cron: {expression: '* * * * * *', count: 1}]
event:
  template:
    mode: all
    templates: [{line: {template: line.jinja}}]
output: [file: {path: out.log}]
`;
const UNEVEN = `# kept\na:\n    b:   1   # why\n`;

const editorOf = (page: Page, path: string): Locator =>
  page.getByRole('textbox', { name: `Text of ${path}`, exact: true });
const tabOf = (page: Page, name: string): Locator => page.getByRole('tab', { name });
const separator = (page: Page, name: string): Locator => page.getByRole('separator', { name });
const textOf = (editor: Locator): Promise<string> =>
  editor
    .locator('.cm-line')
    .allTextContents()
    .then((lines) => lines.join('\n'));

const write = async (page: Page, path: string, text: string): Promise<void> => {
  await editorOf(page, path).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
  await tabOf(page, `${path} unsaved`).waitFor();
};

const save = async (page: Page, path: string): Promise<void> => {
  await page.keyboard.press('Control+S');
  await tabOf(page, `${path} unsaved`).waitFor({ state: 'detached' });
};

const fileButton = (page: Page, path: string): Locator =>
  page.getByRole('list', { name: 'Files' }).getByRole('button', { name: path, exact: true });

(hasChromium ? describe : describe.skip)(`the workbench as an editor ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'web/generator.yml': CONFIG,
      'web/line.jinja': 'first {{ timestamp }}',
      'web/notes.yml': UNEVEN,
      'web/data.json': '{"a":[1.0,2]}',
      'web/deep/more.txt': `${'x\n'.repeat(300)}needle at the end\n`,
      'web/picture.bin': '\u0000\u0001',
    },
  });

  test('other colors leave focus, cursor and undo to who is writing', async () => {
    const page = await ui.open('/g/web?file=line.jinja');
    await editorOf(page, 'line.jinja').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('a');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    await page.keyboard.type('b');
    expect(await textOf(editorOf(page, 'line.jinja'))).toMatch(/^abfirst/);
    await page.keyboard.press('Control+Z');
    await page.keyboard.press('Control+Z');
    expect(await textOf(editorOf(page, 'line.jinja'))).toMatch(/^first/);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('open files have tabs, which keep undo and place, are closed and remembered', async () => {
    const page = await ui.open('/g/web');
    await fileButton(page, 'line.jinja').click();
    await write(page, 'line.jinja', 'one');
    await page.keyboard.type(' two');
    await tabOf(page, 'generator.yml').click();
    await editorOf(page, 'generator.yml').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await editorOf(page, 'line.jinja').count()).toBe(0);

    // By keyboard, as in other tabs.
    await tabOf(page, 'generator.yml').press('ArrowRight');
    await editorOf(page, 'line.jinja').waitFor();
    expect(new URL(page.url()).searchParams.get('file')).toBe('line.jinja');
    await page.keyboard.press('End');
    expect(await tabOf(page, 'line.jinja').getAttribute('aria-selected')).toBe('true');
    await editorOf(page, 'line.jinja').click();
    for (let n = 0; n < 3; n += 1) await page.keyboard.press('Control+Z');
    await eventually(
      async () => ((await textOf(editorOf(page, 'line.jinja'))).startsWith('first') ? true : null),
      'the text before the changes',
    );

    await page.reload();
    await editorOf(page, 'line.jinja').waitFor();
    const tabs = page.getByRole('tablist', { name: 'Open files' }).getByRole('tab');
    expect(await tabs.allTextContents()).toEqual(['generator.yml', 'line.jinja']);
    await fileButton(page, 'notes.yml').click();
    await tabOf(page, 'notes.yml').press('Delete');
    await editorOf(page, 'line.jinja').waitFor();
    await tabOf(page, 'generator.yml').click({ button: 'middle' });
    await eventually(async () => ((await tabs.count()) === 1 ? true : null), 'one tab is left');
    expect(await tabOf(page, 'line.jinja').getAttribute('aria-selected')).toBe('true');
  });

  test('a long file is where it was when its tab is shown again', async () => {
    const page = await ui.open('/g/web?file=deep/more.txt');
    await editorOf(page, 'deep/more.txt').click();
    await page.keyboard.press('Control+End');
    await page.getByText('needle at the end').waitFor();
    const scrolled = 'document.querySelector(".tab-panel:not([inert]) .cm-scroller").scrollTop';
    const before = await page.evaluate(scrolled);
    expect(before).toBeGreaterThan(500);
    await fileButton(page, 'line.jinja').click();
    await editorOf(page, 'line.jinja').waitFor();
    await tabOf(page, 'more.txt').click();
    await editorOf(page, 'deep/more.txt').waitFor();
    expect(await page.evaluate(scrolled)).toBe(before);
  });

  test('panes change their width by keyboard and mouse, and stay as they are', async () => {
    const page = await ui.open('/g/web');
    const tree = separator(page, 'Width of the files');
    const editor = separator(page, 'Width of the editor');
    await tree.waitFor();
    const width = async (): Promise<number> =>
      (await page.getByRole('region', { name: 'Editor' }).boundingBox())?.width ?? 0;
    await editorOf(page, 'generator.yml').waitFor();
    const wide = await width();
    await tabTo(page, editor);
    for (let n = 0; n < 5; n += 1) await page.keyboard.press('ArrowLeft');
    expect(await editor.getAttribute('aria-valuenow')).toBe('45');
    expect(await width()).toBeLessThan(wide - 50);
    const box = await editor.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 6, (box?.y ?? 0) + 200);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 106, (box?.y ?? 0) + 200, { steps: 4 });
    await page.mouse.up();
    expect(Number(await editor.getAttribute('aria-valuenow'))).toBeGreaterThan(50);
    await editor.dblclick();
    expect(await editor.getAttribute('aria-valuenow')).toBe('55');
    await tree.focus();
    await page.keyboard.press('End');
    expect(await tree.getAttribute('aria-valuenow')).toBe('520');
    await page.keyboard.press('Enter');
    await tree.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Show the files' }).click();
    expect(await tree.getAttribute('aria-valuenow')).toBe('520');
  });

  test('the navigation of the app becomes icons with names, also after a reload', async () => {
    const page = await ui.open('/g/web');
    await page.getByRole('button', { name: 'Show only icons' }).click();
    await page.reload();
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' });
    await link.waitFor();
    expect((await page.getByRole('navigation', { name: 'Main' }).boundingBox())?.width).toBeLessThan(80);
    await link.hover();
    await page.getByRole('tooltip', { name: 'Settings' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show the names of the pages' }).click();
  });

  test('a search finds saved and unsaved texts, and opens the line', async () => {
    const page = await ui.open('/g/web?file=line.jinja');
    await write(page, 'line.jinja', 'one\nunsaved needle');
    await page.keyboard.press('Control+Shift+F');
    const field = page.getByRole('textbox', { name: 'Search in files' });
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Needle');
    const panel = page.getByRole('region', { name: 'Search in files' });
    await panel.getByText('2 matches in 2 files').waitFor();
    await panel.getByText('1 file not searched, not text or too large: picture.bin.').waitFor();
    const inLine = panel.getByRole('list', { name: 'Matches in line.jinja' });
    await inLine.getByRole('button', { name: /^2 ?unsaved needle$/ }).waitFor();
    expect(await panel.locator('mark').allTextContents()).toEqual(['needle', 'needle']);
    expect(await axeFindings(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Match case' }).click();
    await panel.getByText('Nothing found').waitFor();
    await panel.getByRole('button', { name: 'Match case' }).click();
    await panel.getByRole('button', { name: 'Regular expression' }).click();
    await field.fill('(needle');
    await panel.getByText('Not a regular expression').waitFor();
    await field.fill('^needle .* end$');
    await panel
      .getByRole('list', { name: 'Matches in deep/more.txt' })
      .getByRole('button', { name: '301' })
      .click();
    await editorOf(page, 'deep/more.txt').waitFor();
    await page.getByText('needle at the end').last().waitFor();
    await editorOf(page, 'deep/more.txt').and(page.locator(':focus')).waitFor();
    await field.press('Escape');
    await page.getByRole('list', { name: 'Files', exact: true }).waitFor();
  });

  test('a former text is compared and restored as an unsaved change', async () => {
    const page = await ui.open('/g/web?file=line.jinja');
    await write(page, 'line.jinja', 'second');
    await save(page, 'line.jinja');
    await write(page, 'line.jinja', 'third');
    await save(page, 'line.jinja');
    await page.getByRole('button', { name: 'Versions', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Versions of line.jinja' });
    const list = dialog.getByRole('list', { name: 'Versions' });
    await list.getByRole('button').nth(1).click();
    await dialog.locator('.cm-deletedChunk').getByText('third').waitFor();
    await dialog.locator('.cm-changedLine').getByText('first').waitFor();
    expect(await list.getByText(/just now|ago/).count()).toBe(2);
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await tabOf(page, 'line.jinja unsaved').waitFor();
    expect(await textOf(editorOf(page, 'line.jinja'))).toBe('first {{ timestamp }}');
    expect(await ui.instance().file('generators/web/line.jinja')).toBe('third');
    await editorOf(page, 'line.jinja').click();
    await page.keyboard.press('Control+S');
    await tabOf(page, 'line.jinja unsaved').waitFor({ state: 'detached' });
    expect(await ui.instance().file('generators/web/line.jinja')).toBe('first {{ timestamp }}');
  });

  test('a deleted file is brought back', async () => {
    const page = await ui.open('/g/web?file=data.json');
    await page.getByRole('button', { name: 'Actions for data.json' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await fileButton(page, 'data.json').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Deleted files' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deleted files of web' });
    await dialog.getByText('data.json').first().waitFor();
    await dialog.getByRole('button', { name: 'Bring back' }).click();
    await editorOf(page, 'data.json').waitFor();
    expect(await ui.instance().file('generators/web/data.json')).toBe('{"a":[1.0,2]}');
  });

  test('YAML and JSON are formatted, in one step of undo; templates are not', async () => {
    const page = await ui.open('/g/web?file=notes.yml');
    const notes = editorOf(page, 'notes.yml');
    await notes.click();
    await page.keyboard.press('Shift+Alt+F');
    const even = '# kept\na:\n  b: 1 # why\n';
    await eventually(async () => ((await textOf(notes)) === even ? true : null), 'an even text');
    await page.getByRole('button', { name: 'Format', exact: true, disabled: true }).waitFor();
    await page.keyboard.press('Control+Z');
    expect(await textOf(notes)).toBe(UNEVEN);
    await fileButton(page, 'data.json').click();
    await page.getByRole('button', { name: 'Format', exact: true }).click();
    await eventually(
      async () =>
        (await textOf(editorOf(page, 'data.json'))) === '{\n  "a": [\n    1.0,\n    2\n  ]\n}\n'
          ? true
          : null,
      'formatted JSON',
    );
    await fileButton(page, 'line.jinja').click();
    await editorOf(page, 'line.jinja').waitFor();
    expect(await page.getByRole('button', { name: 'Format', exact: true }).count()).toBe(0);
  });
});
