import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const GENERATOR = `input: [cron: {expression: '* * * * * *', count: 1}]
event: {replay: {path: lines.txt, repeat: true}}
output: [file: {path: out.log}]
`;
const INCIDENT = `duration: 10m
members: {web: {path: ../generators/web}, other: {path: ../generators/broken}}
entities: {visitor: {ip: {address: 198.51.100.0/24}}}
phases:
  - {name: knock, at: 1m, for: 1m, repeat: {times: 2, every: 4m}, members: {web: {events: 30}}}
  - {name: silence, at: 5m, for: 2m, stopped: [web]}
`;
const BROKEN = GENERATOR.replace('lines.txt', 'missing.txt');
const UNREADABLE = 'input: [\n';
const MISTYPED = GENERATOR.replace(
  '{replay: {path: lines.txt, repeat: true}}',
  '{template: {mode: all, templates: [{a: {template: a.jinja}}]}}',
);

/** Pages, each with the name of a heading that shows once it is complete. */
const PAGES = [
  ['/', 'Generators'],
  ['/new', 'New generator'],
  ['/new?from=example', 'New generator'],
  ['/new?from=log', 'New generator'],
  ['/new?from=learn', 'New generator'],
  ['/r/web', 'web'],
  ['/r/web?show=letters', 'web'],
  ['/r/web?show=history', 'web'],
  ['/r/web?show=log', 'web'],
  ['/r/web?show=change', 'web'],
  ['/r/broken', 'broken'],
  ['/r/unreadable', 'unreadable'],
  ['/r/mistyped', 'mistyped'],
  ['/g/unreadable', 'unreadable'],
  ['/g/mistyped', 'mistyped'],
  ['/g/broken', 'broken'],
  ['/g/web', 'web'],
  ['/g/web?view=timeline', 'web'],
  ['/g/web?view=explore', 'web'],
  ['/g/web?edit=form', 'web'],
  ['/g/web?edit=both', 'web'],
  ['/g/web?view=state', 'web'],
  ['/s', 'Scenarios'],
  ['/s/lab', 'lab'],
  ['/incidents', 'Incidents'],
  ['/incidents/knock?seed=7', 'knock'],
  ['/incidents/invalid', 'invalid'],
  ['/destinations', 'Destinations'],
  ['/destinations/siem', 'siem'],
  ['/worlds', 'Worlds'],
  ['/worlds/branch', 'branch'],
  ['/worlds/branch?person=0&date=2026-03-10', 'branch'],
  ['/worlds/broken', 'broken'],
  ['/startup', 'Startup'],
  ['/cluster', 'Cluster'],
  ['/secrets', 'Secrets'],
  ['/settings', 'Settings'],
  ['/users', 'Users and tokens'],
  ['/audit', 'Audit log'],
  ['/audit?since=2026-01-01T00:00:00.000Z&user=nobody', 'Audit log'],
  ['/about', 'About'],
  ['/help', 'Help'],
  ['/help?q=kafka', 'Help'],
  ['/help/errors', 'Errors'],
  ['/nothing', 'There is no such page'],
] as const;

const NARROW = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 800 };
/** Some seconds a page, on a machine with much else to do. */
const ALL_PAGES_MS = 600_000;

(hasChromium ? describe : describe.skip)(`every page ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'web/generator.yml': GENERATOR,
      'web/lines.txt': 'hello\n',
      'broken/generator.yml': BROKEN,
      'unreadable/generator.yml': UNREADABLE,
      'mistyped/generator.yml': MISTYPED,
      'mistyped/a.jinja': 'one\n{{ module.rand.number.integer(1, 9 }}',
    },
    worlds: { 'branch.yml': 'people: 8\n', 'broken.yml': 'people: 0\n' },
    incidents: { 'knock.yml': INCIDENT, 'invalid.yml': 'duration: soon\n' },
    startup:
      '- {id: web, path: web/generator.yml, scenarios: [lab]}\n- {id: broken, path: broken/generator.yml}\n- {id: unreadable, path: unreadable/generator.yml}\n- {id: mistyped, path: mistyped/generator.yml}\n',
  });

  const show = async (page: Page, [path, heading]: (typeof PAGES)[number]): Promise<void> => {
    await page.goto(`${new URL(page.url()).origin}${path}`);
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  };

  const widthOf = (page: Page): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth');

  /** What is wrong with a page that is shown wide and light, and what once it is dark, and once it is narrow. */
  const flawsOf = async (page: Page): Promise<readonly unknown[]> => {
    const light = [...(await axeFindings(page)), await widthOf(page)];
    await page.emulateMedia({ colorScheme: 'dark' });
    // Nothing but colors differs.
    const dark = await axeFindings(page, ['color-contrast']);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(NARROW);
    const narrow = [...(await axeFindings(page)), await widthOf(page)];
    await page.setViewportSize(WIDE);
    return [light, dark, narrow];
  };

  // A page takes longest to load and to settle: it is looked at in every way once it is there.
  test(
    'is accessible, light and dark, as wide as the screen, wide and narrow, and free of console errors',
    async () => {
      const page = await ui.open('/', WIDE);
      for (const row of PAGES) {
        await show(page, row);
        expect([row, ...(await flawsOf(page))]).toEqual([row, [WIDE.width], [], [NARROW.width]]);
      }
    },
    ALL_PAGES_MS,
  );

  test('the menu of a narrow screen opens, leads to a page and closes', async () => {
    const page = await ui.open('/new', NARROW);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Generators' }).click();
    await page.getByRole('heading', { level: 1, name: 'Generators' }).waitFor();
    await page.getByRole('button', { name: 'Open the menu' }).waitFor();
  });
});
