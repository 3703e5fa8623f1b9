import { describe, expect, test } from '@jest/globals';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const timer = (count: number) => `input: [timer: {seconds: 0.5, count: ${count}}]`;

(hasChromium ? describe : describe.skip)(`the control room of a scenario ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'web/generator.yml': `${timer(1)}
event: {script: {path: web.mjs}}
output: [file: {path: out.log}]
knobs:
  factor: {label: Traffic, description: Requests at a time., min: 1, max: 40, step: 1, unit: x, default: 2}
  isDown: {label: Outage, default: false}
  mood: {choices: [calm, storm], default: calm}
`,
      'web/web.mjs': `export const produce = ({ globals }) => {
  globals.increment('requests');
  const text = (globals.get('isDown', false) ? 'down ' : 'up ') + globals.get('mood', 'calm');
  return Array.from({ length: globals.get('factor', 2) }, () => text);
};
`,
      'mail/generator.yml': `${timer(1)}
event: {template: {mode: all, templates: [{line: {template: line.jinja}}]}}
output: [file: {path: out.log}]
`,
      'mail/line.jinja': "mail after {{ globals.get('requests', 0) }} requests",
    },
    startup:
      '- {id: web, path: web/generator.yml, scenarios: [lab]}\n- {id: mail, path: mail/generator.yml, scenarios: [lab]}\n',
  });
  const globals = async (): Promise<unknown> =>
    (await ui.instance().api('GET', '/scenarios/lab/globals')).body;

  test('turns what the author declared, and shows the effect on the same screen', async () => {
    const page = await ui.open('/s/lab', { width: 1_440, height: 900 });
    const knobs = page.getByRole('region', { name: 'Knobs' });
    const traffic = knobs.getByRole('slider', { name: 'Traffic' });
    await traffic.waitFor();
    expect(await traffic.getAttribute('aria-valuenow')).toBe('2');
    expect(await globals()).not.toHaveProperty('factor');
    const events = page.getByRole('region', { name: 'Events of members, newest first' });
    await events.getByText('up calm').first().waitFor();
    await events
      .getByText(/mail after \d+ requests/)
      .first()
      .waitFor();

    await traffic.press('End');
    await knobs.getByText('Default 2 x.').waitFor();
    await page
      .getByRole('img', { name: /now web [4-9]\d(?:\.\d)?, mail .*; [1-9]\d* changes of globals/ })
      .waitFor();
    await knobs.getByRole('switch', { name: 'Outage' }).click({ force: true });
    await events.getByText('down calm').first().waitFor();
    await knobs
      .getByRole('combobox', { name: 'mood' })
      .or(knobs.getByRole('textbox', { name: 'mood' }))
      .first()
      .click();
    await page.getByRole('option', { name: 'storm' }).click();
    await events.getByText('down storm').first().waitFor();
    expect(await globals()).toMatchObject({ factor: 40, isDown: true, mood: 'storm' });

    const [knobBox, eventBox] = [await traffic.boundingBox(), await events.boundingBox()];
    expect(knobBox?.y).toBeLessThan(900);
    expect((eventBox?.y ?? 900) + 40).toBeLessThan(900);

    await knobs.getByRole('button', { name: 'Reset Traffic' }).click();
    await knobs.getByText('Not set: members use 2 x.').waitFor();
    expect(await globals()).not.toHaveProperty('factor');
    expect(await axeFindings(page)).toEqual([]);
  });

  test('shows by keyboard who writes and reads a key, and leads to the generator', async () => {
    const page = await ui.open('/s/lab', { width: 390 });
    const flow = page.getByRole('region', { name: 'Data flow' });
    const key = flow.getByRole('button', { name: /^requests\s+written by web\s+read by mail, web$/ });
    await key.focus();
    await page.keyboard.press('Enter');
    const facts = flow.getByRole('region', { name: 'Key requests' });
    await facts.getByText('Written by web (web.mjs).').waitFor();
    await facts.getByText('Read by mail (line.jinja), web (web.mjs).').waitFor();
    expect(new URL(page.url()).searchParams.get('key')).toBe('requests');
    await flow
      .getByRole('button', { name: /^factor\s+not set; only people set it\s+read by web$/ })
      .waitFor();
    await flow.getByRole('link', { name: /^mail/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'mail' }).waitFor();
  });
});
