import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { WorldDay } from '../../../src/domain/worlds/reports.js';
import { drawSource } from '../../../src/world/draw.js';
import { makePopulation } from '../../../src/world/population/population.js';
import { DEFAULT_WORLD } from '../../../src/world/spec.js';
import { fakeIo, spate } from '../../cli/support.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const DATE = '2026-03-10';
const SMALL = { seed: 3, people: 40 };
const PEOPLE = makePopulation({ ...DEFAULT_WORLD, ...SMALL }, drawSource(SMALL.seed));
const number = new Intl.NumberFormat('en-US');
/** Not on the first page of the table. */
const PERSON = PEOPLE.person(33);

(hasChromium ? describe : describe.skip)(`worlds in the browser ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'logons/generator.yml':
        'input: [world: {path: ../../worlds/small.yml, kinds: [logon]}]\nevent: {script: {path: p.mjs}}\noutput: [stdout: {}]\n',
      'logons/p.mjs': 'export const produce = () => "x";\n',
    },
    startup: '- {id: logons, path: logons/generator.yml, autostart: false}\n',
    worlds: { 'small.yml': `seed: ${SMALL.seed}\npeople: ${SMALL.people}\n`, 'broken.yml': 'people: 0\n' },
  });

  const dayByCommand = async (): Promise<WorldDay> => {
    const line = `world day ${PERSON.user} worlds/small.yml --date ${DATE} --json`;
    return JSON.parse((await spate(line, fakeIo({ cwd: ui.instance().folder }))).out) as WorldDay;
  };

  test('a person is found by search, and their day is that of `spate world day`', async () => {
    const day = await dayByCommand();
    const page = await ui.open('/worlds');
    const row = page.getByRole('row').filter({ hasText: 'small' });
    await row.getByRole('link', { name: 'logons', exact: true }).waitFor();
    await row.getByRole('link', { name: 'small' }).click();
    const people = page.getByRole('region', { name: 'People' });
    await people.getByText('1 to 20 of 40').waitFor();
    expect(await people.getByText(PERSON.user, { exact: true }).count()).toBe(0);
    await people.getByLabel('Search people').fill(`${PERSON.last_name} ${PERSON.workstation.name}`);
    await people.getByText('1 person').waitFor();
    await people.getByRole('button', { name: PERSON.full_name }).click();

    const shown = page.getByRole('region', { name: `Day of ${PERSON.user}` });
    await shown.getByLabel('Day', { exact: true }).fill(DATE);
    const acts = day.activities.filter(({ cause }) => cause === null);
    await shown.getByText(`${number.format(acts.length)} activities`).waitFor();
    for (const { what, from, to } of day.parts)
      await shown
        .getByRole('img', { name: `${what}, ${from.slice(11, 19)} to ${to.slice(11, 19)}` })
        .first()
        .waitFor();
    const cells = await shown.getByRole('table', { name: 'Activities' }).locator('tbody tr').allInnerTexts();
    expect(cells).toHaveLength(100);
    for (const [index, text] of cells.entries()) {
      const act = acts[index];
      expect(text.split('\t').slice(0, 3)).toEqual([act?.at.slice(11, 19), act?.kind, act?.host ?? '–']);
    }

    const queries = number.format(day.activities.filter(({ kind }) => kind === 'dns_query').length);
    await shown.getByText('And all that follows').click();
    await shown.getByRole('button', { name: `dns_query ${queries}` }).click();
    await shown.getByText(`${queries} activities`).waitFor();
    // The address is a link to what is shown.
    expect(new URL(page.url()).search).toContain(`person=${PERSON.user}`);
    expect(new URL(page.url()).search).toContain(`date=${DATE}`);
    await shown.getByRole('button', { name: 'The day after' }).click();
    await page.waitForURL(/date=2026-03-11/);
  });

  test('how much happens is measured, and an attack names who is in its campaign', async () => {
    const page = await ui.open('/worlds/small');
    await page.getByText(/^About [\d,]+ activities a minute in the busiest hour/).waitFor();
    await page.getByRole('group').filter({ hasText: 'sso_brute_force' }).locator('summary').click();
    const steps = page.getByRole('table', { name: 'Steps of sso_brute_force' });
    await steps.getByRole('cell', { name: 'T1110.001' }).waitFor();
    const someone = steps.getByRole('button').first();
    const user = await someone.innerText();
    await someone.click();
    await page.getByRole('region', { name: `Day of ${user}` }).waitFor();
  });

  test('keys lead to the worlds; an invalid file says what is wrong', async () => {
    const page = await ui.open('/', { expected: /422/ });
    await page.getByRole('heading', { name: 'Generators', exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    const row = page.getByRole('row').filter({ hasText: 'broken' });
    await row.getByText('must be at least 1').waitFor();
    await row.getByRole('link', { name: 'broken' }).click();
    await page.getByRole('alert').getByText('must be at least 1').waitFor();
  });

  test('without a file the page says what a world is, with the shortest one', async () => {
    await rm(join(ui.instance().folder, 'worlds'), { recursive: true });
    const page = await ui.open('/worlds');
    await page.getByText('A world is one organization behind many log sources.').waitFor();
    expect(await page.locator('pre').innerText()).toBe('seed: 7\npeople: 40\n');
    await page.getByRole('main').getByRole('link', { name: 'guide' }).click();
    await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/help/worlds');
  });
});
