import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../../../support/instance.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from '../browser.js';
import { command, enter } from './keyboard.js';

const RATE = 50_000;
/** It ends by itself, far behind the test. */
const SECONDS = 240;

const SESSION = 's-4711';

/** Logins of a thousand people. Globals of the scenario say how many failed, and whether the session goes on. */
const SCRIPT = `let n = 0;
let failed = 0;
const FAILURE = { action: 'login', outcome: 'failure', message: 'wrong password' };
const KINDS = [
  { action: 'login', outcome: 'success', message: 'signed in' },
  { action: 'export', outcome: 'success', message: 'list of customers' },
  { action: 'logout', outcome: 'success', message: 'signed out' },
];
const event = (user, session, kind) =>
  JSON.stringify({ n, made_ms: Date.now(), user: { name: user }, session, event: kind });
export const produce = ({ globals }) => {
  n++;
  if (n % 500 === 0 && failed < globals.get('failures', 0)) {
    failed++;
    return event('erin', '${SESSION}', FAILURE);
  }
  if (n % 500 === 0 && globals.get('goes_on', false)) return event('erin', '${SESSION}', KINDS[(n / 500) % 3]);
  return event('user' + (n % 1000), 's-' + (100_000 + (n % 5000)), KINDS[n % 3]);
};
`;

const TRIES = 200_000;

const MOST_FAILURES = 6;

(hasChromium ? describe : describe.skip)(
  `one failed login among 50,000 events a second ${NEEDS_CHROMIUM}`,
  () => {
    const generator = (id: string): Record<string, string> => ({
      [`${id}/generator.yml`]: `input: [rate: {events_per_second: ${RATE}, total: ${RATE * SECONDS}}]
event: {script: {path: ../produce.mjs}}
output: [file: {path: /dev/null}]
`,
    });
    const ui = browserSuite({
      generators: { ...generator('mouse'), ...generator('keys'), 'produce.mjs': SCRIPT },
      startup: ['mouse', 'keys']
        .map((id) => `- {id: ${id}, path: ${id}/generator.yml, scenarios: [${id}], autostart: false}\n`)
        .join(''),
    });

    const listOf = (page: Page) => page.getByRole('region', { name: 'Events, newest first' });
    const sets = (id: string, globals: object) =>
      ui.instance().api('PATCH', `/scenarios/${id}/globals`, globals);
    const produced = async (id: string): Promise<number> => {
      const { body } = await ui.instance().api('GET', `/generators/${id}/stats`);
      return (body as { readonly event: { readonly produced: number } }).event.produced;
    };
    /** Events of the list, newest first. */
    const shown = async (page: Page): Promise<readonly { made_ms: number; session: string }[]> =>
      (await listOf(page).getByRole('listitem').allTextContents()).map(
        (text) => JSON.parse(text) as { made_ms: number; session: string },
      );
    /** Makes one event and waits until it is on the page; returns the milliseconds since it was made. */
    const arrival = async (page: Page, id: string): Promise<number> => {
      const found = listOf(page).getByText('wrong password');
      for (let failures = 1; failures <= MOST_FAILURES; failures++) {
        await sets(id, { failures });
        const isThere = await found.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
        const now = Date.now();
        const [event, ...others] = await shown(page);
        expect(others).toEqual([]);
        if (isThere) return now - (event?.made_ms ?? 0);
        // A machine that is too busy leaves events out of the search, and the page must say so.
        await page.getByText(/There was no time/).waitFor();
      }
      throw new Error('the search left out each failed login');
    };
    const seesSession = (page: Page) =>
      eventually(async () => {
        const events = await shown(page);
        return events.length >= 4 && events.every(({ session }) => session === SESSION) ? true : null;
      }, 'four events of the session');

    test(
      'is found within 2 s after it was made, and its session is opened, by clicks',
      async () => {
        const { api } = ui.instance();
        const page = await ui.open('/');
        const began = performance.now();
        const row = page.getByRole('row').filter({ hasText: 'mouse' });
        await row.getByRole('link', { name: 'mouse', exact: true }).click();
        await page.getByRole('button', { name: 'Start' }).click();
        await listOf(page).getByText('signed in').first().waitFor();
        await page.getByRole('textbox', { name: 'Search events' }).fill('outcome:failure');
        await page.getByText(/^0 found in [1-9][\d,]* events\. /).waitFor();
        // What came before is not promised.
        await page.getByText(/Events made before [\d:]+, during a pause .* are not searched\./).waitFor();
        const [events, sinceMs] = [await produced('mouse'), performance.now()];
        const late_ms = await arrival(page, 'mouse');
        await page.getByRole('img', { name: 'Found in the last two minutes: at most 1 in 2 s' }).waitFor();
        await listOf(page).getByRole('button').first().click();
        const panel = page.getByRole('region', { name: 'Event', exact: true });
        await panel.getByRole('button', { name: 'event.message: wrong password' }).waitFor();
        await panel.getByRole('button', { name: `session: ${SESSION}` }).click();
        await panel.getByRole('button', { name: 'Find all of these' }).click();
        await page.getByText(/^0 found in [1-9][\d,]* events\. /).waitFor();
        expect(new URL(page.url()).searchParams.get('find')).toBe(`session:${SESSION}`);
        await sets('mouse', { goes_on: true });
        await seesSession(page);
        const total_ms = performance.now() - began;
        const rate = ((await produced('mouse')) - events) / ((performance.now() - sinceMs) / 1_000);
        const skipped = await page.getByText(/There was no time/).count();
        await api('POST', '/generators/mouse/stop');
        process.stdout.write(
          `A failed login among ${Math.round(rate)} events/s: on the page ${late_ms} ms after it was made; ` +
            `the task took ${Math.round(total_ms)} ms${skipped > 0 ? '; events were skipped' : ''}\n`,
        );
        expect(late_ms).toBeLessThan(2_000);
      },
      TRIES,
    );

    test(
      'is found, and its session is opened, without a mouse',
      async () => {
        const page = await ui.open('/');
        await page.getByRole('link', { name: 'keys', exact: true }).waitFor();
        await command(page, 'start keys', /^Start keys/);
        await page.getByText('keys started.').waitFor();
        await command(page, 'keys generator', /^keys/);
        await listOf(page).getByText('signed in').first().waitFor();
        await page.keyboard.press('/');
        await page.keyboard.type('outcome:failure');
        await page.getByText(/^0 found in [1-9][\d,]* events\. /).waitFor();
        await arrival(page, 'keys');
        const panel = page.getByRole('region', { name: 'Event', exact: true });
        await enter(page, listOf(page).getByRole('button').first());
        await enter(page, panel.getByRole('button', { name: `session: ${SESSION}` }));
        await enter(page, panel.getByRole('button', { name: 'Find all of these' }));
        await page.getByText(/^0 found in [1-9][\d,]* events\. /).waitFor();
        await sets('keys', { goes_on: true });
        await seesSession(page);
        await ui.instance().api('POST', '/generators/keys/stop');
      },
      TRIES,
    );
  },
);
