import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const GENERATOR = `input: [cron: {expression: '* * * * * *', count: 1}]
event: {template: {mode: all, templates: [{line: {template: line.jinja}}]}}
output: [file: {path: out.log}]
`;
const INCIDENT = `summary: Somebody knocks, then the shop falls silent.
duration: 60s
members:
  shop: {path: ../generators/web}
  gate: {path: ../generators/gate}
entities: {visitor: {ip: {address: 198.51.100.0/24}}}
phases:
  - name: knocking
    at: 1s
    for: 15s
    members: {gate: {events: 15, globals: {from: '\${visitor.ip}'}}}
  - {name: silence, at: 40s, for: 15s, stopped: [shop]}
`;

(hasChromium ? describe : describe.skip)(`incidents ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'web/generator.yml': GENERATOR,
      'web/line.jinja': 'hello',
      'gate/generator.yml': GENERATOR,
      'gate/line.jinja': "from {{ globals.get('from') }}",
    },
    incidents: { 'knock.yml': INCIDENT, 'steady.yml': INCIDENT },
    startup: '- {id: web, path: web/generator.yml}\n',
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  /** The row of a phase that is marked as the current one. */
  const now = (page: Page, phase: string) =>
    page.getByRole('table', { name: 'Phases' }).getByRole('row', { name: new RegExp(`^${phase}.* now `) });
  const position = (page: Page, text: RegExp) =>
    page.getByRole('timer', { name: 'Position' }).getByText(text);

  const start = async (page: Page, seed: string, rounds: string): Promise<void> => {
    await button(page, 'Start').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Seed' }).fill(seed);
    await dialog.getByRole('textbox', { name: 'Rounds' }).fill(rounds);
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.getByText('running', { exact: true }).first().waitFor();
  };

  test('run from the list: the line moves, they pause, jump, go on and stop', async () => {
    const page = await ui.open('/incidents');
    await page.getByText('Somebody knocks, then the shop falls silent.').first().waitFor();
    await page.getByRole('link', { name: 'knock' }).click();
    const members = page.getByRole('region', { name: 'Members' });
    await members.getByText('No generator yet: the incident makes one.').waitFor();
    await start(page, '7', '3');
    await page.getByText('round 1 of 3').waitFor();
    await page.getByText('seed 7', { exact: true }).waitFor();
    await members.getByRole('link', { name: 'knock.gate', exact: true }).waitFor();
    await members.getByText('made for the incident').waitFor();
    await page
      .getByRole('region', { name: 'Entities' })
      .getByText(/^"198\.51\.100\.\d+"$/)
      .waitFor();
    await now(page, 'knocking').waitFor();
    await position(page, /^00:0[2-9] of 01:00$/).waitFor();
    await button(page, 'Pause').click();
    await page.getByText('paused', { exact: true }).waitFor();
    await page
      .getByRole('table', { name: 'Phases' })
      .getByText(/^\d+ of 45$/)
      .waitFor();
    const member = await ui.beside(page, '/r/knock.gate');
    await member.getByRole('link', { name: 'plays gate in the incident knock' }).waitFor();
    await member.close();
    await button(page, 'Jump to silence').click();
    await now(page, 'silence').waitFor();
    await position(page, /^00:40 of/).waitFor();
    expect(await now(page, 'knocking').count()).toBe(0);
    await button(page, 'Resume').click();
    await position(page, /^00:4[1-9] of/).waitFor();
    await page.getByRole('textbox', { name: 'Jump to a time' }).fill('0:12');
    await button(page, 'Jump to time').click();
    await now(page, 'knocking').waitFor();
    await button(page, 'Stop').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^The last run was stopped at /).waitFor();
    await page.getByText('idle', { exact: true }).waitFor();
    await members.getByText('No generator yet: the incident makes one.').waitFor();
  });

  test('jump to a bar and to the pointer', async () => {
    const page = await ui.open('/incidents/steady');
    await start(page, '', '1');
    await button(page, 'Pause').click();
    await page.getByText('paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Jump to silence, 00:40 to 00:55; shop is silent' }).click();
    await position(page, /^00:40 of/).waitFor();
    const track = await page.locator('.incident-time-over').boundingBox();
    if (track === null) throw new Error('there is no timeline');
    await page.mouse.click(track.x + 0.51 * track.width, track.y + track.height - 5);
    await position(page, /^00:30 of/).waitFor();
    await button(page, 'Stop').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^The last run was stopped at /).waitFor();
  });

  test.each([
    ['light', { width: 390, height: 844 }],
    ['dark', { width: 1280, height: 800 }],
    ['light', { width: 1280, height: 800 }],
  ] as const)('under way are accessible and as wide as the screen: %s, %j', async (scheme, size) => {
    const { api } = ui.instance();
    await api('POST', '/incidents/steady/start');
    await api('POST', '/incidents/steady/pause');
    await api('POST', '/incidents/steady/jump?to=silence');
    const page = await ui.open('/incidents/steady', { scheme, ...size });
    await now(page, 'silence').waitFor();
    await page.getByRole('textbox', { name: 'Text of steady.yml' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
    await button(page, 'Stop').click();
    await page.getByRole('dialog').getByText('Members go on as before the incident.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await api('POST', '/incidents/steady/stop');
  });

  /** Replaces the text in the editor. */
  const write = async (page: Page, text: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Text of theft.yml' }).click();
    await page.keyboard.press('Control+A');
    // Chromium would keep the color of what it replaces as an inline style, which the policy forbids.
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(text);
  };

  test('are written from an example; a mistake shows at its line and is not saved', async () => {
    const page = await ui.open('/incidents', { expected: /status of 422/ });
    await page.getByRole('textbox', { name: 'Name' }).fill('theft');
    await page.getByRole('combobox', { name: 'First member' }).click();
    await page.getByRole('option', { name: 'gate' }).click();
    await button(page, 'Create').click();
    await page.getByRole('heading', { level: 1, name: 'theft' }).waitFor();
    const file = () => ui.instance().file('incidents/theft.yml');
    expect(await file()).toContain('  gate: {path: ../generators/gate}');
    await page.getByRole('row', { name: /^attack / }).waitFor();
    // A long file scrolls inside of the editor: its head stays.
    await page.getByText('{member}.truth.jsonl').scrollIntoViewIfNeeded();
    expect(await page.evaluate("document.querySelector('.incident-file').scrollTop")).toBe(0);
    await write(page, INCIDENT.replace('stopped: [shop]', 'stopped: [shoe]'));
    const problem = page.getByRole('list', { name: 'Problems' }).getByRole('button');
    await problem.getByText("names 'shoe', which is no member").waitFor();
    expect(await problem.innerText()).toContain('Line 12');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('theft.yml is not saved').waitFor();
    expect(await file()).toContain('name: attack');
    await write(page, INCIDENT);
    await problem.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+S');
    await page.getByText('theft.yml saved.').waitFor();
    expect(await file()).toBe(INCIDENT);
    await page.getByRole('row', { name: /^knocking / }).waitFor();
    await page.getByRole('textbox', { name: 'Seed' }).fill('7');
    await page.getByText(/^"198\.51\.100\.\d+"$/).waitFor();
    await button(page, 'Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('theft deleted.').waitFor();
    await page.getByRole('link', { name: 'knock' }).waitFor();
    await page.getByRole('link', { name: 'theft' }).waitFor({ state: 'detached' });
  });
});
