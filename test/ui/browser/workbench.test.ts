import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/instance.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const GENERATOR = `input: [cron: {expression: '* * * * * *', count: 1}]
event:
  template:
    mode: all
    templates: [{line: {template: line.jinja}}]
output: [file: {path: out.log}]
`;
const WORLD = `input: [world: {people: 100, kinds: [dns_query]}]
event: {template: {mode: activity, templates: [{line: {template: line.jinja, kinds: [dns_query]}}]}}
output: [file: {path: out.log}]
`;
/** Every tenth order fails. */
const ORDERS = `{%- set order = locals.get('order', 0) + 1 -%}{%- do locals.set('order', order) -%}
{"order": {{ order }}, "status": "{{ 'failed' if order % 10 == 0 else 'paid' }}"}`;
const BROKEN = 'hello {{ module.rand.number.integer(1, 9 }}';

/** Replaces the text in the editor of a page. */
const write = async (page: Page, text: string): Promise<void> => {
  const editor = page.getByRole('textbox', { name: 'line.jinja' });
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
  await page.getByRole('button', { name: 'line.jinja unsaved' }).waitFor();
};

const save = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+S');
  await page.getByRole('button', { name: 'line.jinja unsaved' }).waitFor({ state: 'detached' });
};

(hasChromium ? describe : describe.skip)(`the workbench ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'web/generator.yml': GENERATOR,
      'web/line.jinja': 'hello',
      'wrong/generator.yml': GENERATOR.replace('line.jinja', 'parts/line.jinja'),
      'wrong/parts/line.jinja': `first\n${BROKEN}`,
      'clock/generator.yml': GENERATOR.replace('* * * * * *', '30 * * * *').replace(
        'line.jinja',
        '../web/line.jinja',
      ),
      'staff/generator.yml': WORLD,
      'staff/line.jinja': '{{ activity.kind }} of {{ activity.host.name }}',
      'shop/generator.yml': GENERATOR,
      'shop/line.jinja': ORDERS,
    },
    startup:
      '- {id: clock, path: clock/generator.yml, timezone: Europe/Berlin}\n- {id: wrong, path: wrong/generator.yml}\n',
  });
  const stored = (): Promise<string> => ui.instance().file('generators/web/line.jinja');

  test('shows a mistake of a template at its line, and events again once it is mended', async () => {
    const page = await ui.open('/g/web?file=line.jinja');
    const events = page.getByRole('list', { name: 'Next events' });
    await events.getByText('hello').first().waitFor();
    await write(page, `first\n${BROKEN}`);
    const place = page.getByRole('button', { name: 'Go to line.jinja, line 2' });
    await place.waitFor();
    // A long path is not cut.
    expect(
      await page.evaluate(
        "getComputedStyle(document.querySelector('.long-label .mantine-Button-label')).whiteSpace",
      ),
    ).toBe('normal');
    await place.click();
    await page.getByRole('alert').first().waitFor();
    await write(page, 'mended {{ timestamp.year }}');
    await events
      .getByText(/mended \d{4}/)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: /^Go to/ }).count()).toBe(0);
    // Nothing was saved until now.
    expect(await stored()).toBe('hello');
    await save(page);
    expect(await stored()).toBe('mended {{ timestamp.year }}');
  });

  test('an error of a generator keeps its columns and leads to its line', async () => {
    const page = await ui.open('/r/wrong');
    const note = page.getByRole('alert');
    const source = note.locator('pre');
    await source.getByText('^').waitFor();
    const [line = '', caret = ''] = (await source.textContent())?.split('\n') ?? [];
    expect(line.slice(caret.indexOf('^'))).toBe('}}');
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('[role=alert] pre')).whiteSpace"),
    ).toBe('pre');
    await note.getByRole('link', { name: /^parts\/line\.jinja:2:\d+$/ }).click();
    await page
      .getByRole('region', { name: 'Editor' })
      .getByRole('heading', { name: 'parts/line.jinja' })
      .waitFor();
    await page.locator('.cm-activeLine').getByText(BROKEN).waitFor();
  });

  test('lets two people edit one file: the second sees both texts, and nothing is lost', async () => {
    const look = { expected: /status of 412/ };
    const ann = await ui.open('/g/web?file=line.jinja', look);
    const bob = await ui.open('/g/web?file=line.jinja', look);
    await write(ann, 'from ann');
    await write(bob, 'from bob');
    await save(ann);
    expect(await stored()).toBe('from ann');
    await bob.keyboard.press('Control+S');
    const dialog = bob.getByRole('dialog', { name: 'Someone else changed line.jinja' });
    await dialog.getByText('from ann').waitFor();
    await dialog.getByText('from bob').waitFor();
    expect(await stored()).toBe('from ann');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stored()).toBe('from bob');
  });

  test('offers what was typed again after the page is closed', async () => {
    const page = await ui.open('/g/web?file=line.jinja');
    await write(page, 'not saved yet');
    await page.getByRole('button', { name: 'line.jinja unsaved' }).waitFor();
    await page.reload();
    await page.getByRole('textbox', { name: 'line.jinja' }).getByText('not saved yet').waitFor();
    expect(await stored()).not.toContain('not saved');
  });

  test('changes a config by its form: the text follows, and the form follows the text', async () => {
    const page = await ui.open('/g/web?edit=both');
    const form = page.getByRole('region', { name: 'Form' });
    const text = page.getByRole('textbox', { name: 'Text of generator.yml' });
    const count = form.getByRole('textbox', { name: 'input 0 cron count' });
    await count.fill('3');
    await text.getByText('count: 3').waitFor();
    await form.getByRole('button', { name: 'Add to output' }).click();
    // The form that follows the text closes a list that was opened before.
    await eventually(async () => {
      const option = page.getByRole('option', { name: 'stdout' });
      if (!(await option.isVisible())) await form.getByRole('combobox', { name: 'Kind of output 1' }).click();
      return await option.click({ timeout: 2_000 }).then(
        () => true,
        () => null,
      );
    }, 'the kind to be chosen');
    await text.getByText('stdout').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'generator.yml unsaved' }).waitFor({ state: 'detached' });
    expect(await ui.instance().file('generators/web/generator.yml')).toBe(
      GENERATOR.replace('[cron: {', '[{cron: {')
        .replace('count: 1}]', 'count: 3}}]')
        .replace('[file: {path: out.log}]', '[{file: {path: out.log}}, {stdout: {}}]'),
    );
    await text.click();
    await page.keyboard.press('Control+A');
    // Chromium would keep the color of what it replaces as an inline style, which the policy forbids.
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(GENERATOR.replace('count: 1', 'count: 8'));
    await eventually(async () => ((await count.inputValue()) === '8' ? true : null), 'the form to follow');
  });

  test('explores a hundred events and more of a preview: top values, a search, columns', async () => {
    const page = await ui.open('/g/shop?view=explore');
    await page.getByText('100 events of this preview.').waitFor();
    await page.getByRole('button', { name: /^status: / }).click();
    const top = page.getByRole('list', { name: 'Most frequent values of status in the list' });
    expect(await top.getByRole('listitem').allTextContents()).toEqual(['paid90 %', 'failed10 %']);
    await top.getByRole('button', { name: 'failed' }).click();
    await page.getByText('10 found in 100 events of this preview.').waitFor();
    await page.getByRole('button', { name: '100 more' }).click();
    await page.getByText('20 found in 200 events of this preview.').waitFor();
    await page.getByRole('button', { name: /^order: / }).click();
    await page.getByRole('button', { name: 'Show as column' }).click();
    const rows = page.getByRole('region', { name: 'Events of the preview' }).getByRole('listitem');
    expect((await rows.allTextContents()).slice(0, 3)).toEqual(['10', '20', '30']);
  });

  test('previews a world: events of its activities, step by step', async () => {
    const page = await ui.open('/g/staff');
    const events = page.getByRole('list', { name: 'Next events' });
    await events
      .getByText(/^dns_query of /)
      .first()
      .waitFor();
    const before = await events.getByRole('listitem').count();
    // The activity of an attack that is not shown has no event.
    await eventually(async () => {
      await page.getByRole('button', { name: 'Step' }).click();
      return (await events.getByRole('listitem').count()) > before ? true : null;
    }, 'a step with an event');
  });

  test('previews a schedule across a clock change: the hour that is skipped has no event', async () => {
    const page = await ui.open('/g/clock?view=timeline');
    await page.getByText('Times in Europe/Berlin').waitFor();
    await page.getByText('Day', { exact: true }).click();
    await page.getByText(/^24 timestamps in the coming day/).waitFor();
    await page.getByLabel(/^From/).fill('2027-03-28T00:00');
    // Berlin goes from 02:00 to 03:00; the 24 hours end at 01:00 of the next day.
    await page
      .getByText('24 timestamps in the day from then on, the first at 28 Mar 2027, 00:30:00.')
      .waitFor();
    const ends = await ui
      .instance()
      .api(
        'POST',
        `/preview/clock/input-plugins/generate?size=24&timezone=Europe/Berlin&from=${encodeURIComponent('2027-03-28T00:00:00+01:00')}`,
        [{ cron: { expression: '30 * * * *', count: 1 } }],
      );
    expect((ends.body as { first_timestamps: readonly string[] }).first_timestamps.slice(0, 3)).toEqual([
      '2027-03-28T00:30:00+01:00',
      '2027-03-28T01:30:00+01:00',
      '2027-03-28T03:30:00+02:00',
    ]);
  });
});
