import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/instance.js';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const USER = 'ann';
const PASSWORD = 'a long password';
/** The browser logs a wrong password. */
const REFUSED = { expected: /status of 401/ };

const GENERATOR = `input: [cron: {expression: '* * * * * *', count: 1}]
event: {replay: {path: lines.txt, repeat: true}}
output: [file: {path: out.log}]
`;

const signIn = async (page: Page, password = PASSWORD, user = USER): Promise<void> => {
  await page.getByRole('textbox', { name: 'User' }).fill(user);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

(hasChromium ? describe : describe.skip)(`a service with credentials ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    server: `auth: {user: ${USER}, password: ${PASSWORD}}`,
    generators: { 'web/generator.yml': GENERATOR, 'web/lines.txt': 'hello\n' },
    startup: '- {id: web-1, path: web/generator.yml}\n- {id: web-2, path: web/generator.yml}\n',
  });

  /** Ends the session in the service; the browser keeps its cookie. */
  const endSession = async (page: Page): Promise<void> => {
    const [cookie] = await page.context().cookies();
    const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
    const { status } = await fetch(`${ui.instance().url}/auth/logout`, { method: 'POST', headers });
    expect(status).toBe(200);
  };

  /** Comes back to the tab, which asks for what is new, until the page notices the end of the session. */
  const comeBack = (page: Page): Promise<true> =>
    eventually(async () => {
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      return (await page.getByRole('dialog', { name: 'Sign in again' }).isVisible()) ? true : null;
    }, 'the sign-in');

  test.each(['light', 'dark'] as const)('asks accessibly: %s', async (scheme) => {
    const page = await ui.open('/', { scheme, width: 390, height: 844 });
    await page.getByRole('heading', { name: 'Sign in to Spate' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await signIn(page);
    await page.getByRole('heading', { level: 1, name: 'Generators' }).waitFor();
    await endSession(page);
    await comeBack(page);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('asks who it is, refuses a wrong password and keeps what was typed', async () => {
    const page = await ui.open('/', REFUSED);
    await signIn(page, 'wrong');
    await page.getByRole('alert').getByText('User or password is wrong.').waitFor();
    expect(await page.getByRole('textbox', { name: 'User' }).inputValue()).toBe(USER);
    expect(await page.getByRole('table').count()).toBe(0);
    await signIn(page);
    await page.getByRole('row', { name: /web-1/ }).waitFor();
  });

  test('asks again when the session has ended, above what was typed', async () => {
    const page = await ui.open('/');
    await signIn(page);
    const filter = page.getByRole('textbox', { name: /^Filter by id/ });
    await filter.fill('web-2');
    await endSession(page);
    await comeBack(page);
    await signIn(page);
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    expect(await filter.inputValue()).toBe('web-2');
    await page.getByRole('row', { name: /web-2/ }).waitFor();
    expect(await page.getByRole('row', { name: /web-1/ }).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Choose web-2' }).click();
    await page.getByRole('button', { name: 'Restart', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
    await page.getByText(/restarted\./).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('signs out', async () => {
    const page = await ui.open('/');
    await signIn(page);
    await page.getByRole('button', { name: `Sign out ${USER}` }).click();
    await page.getByRole('heading', { name: 'Sign in to Spate' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Spate' }).waitFor();
  });
});

(hasChromium ? describe : describe.skip)(`a user whose role is below admin ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    server: `auth: {user: ${USER}, password: ${PASSWORD}}, users: {bea: {role: read, password: ${PASSWORD}}, ben: {role: operate, password: ${PASSWORD}}}`,
    generators: { 'web/generator.yml': GENERATOR, 'web/lines.txt': 'hello\n' },
    startup: '- {id: web-1, path: web/generator.yml, scenarios: [day]}\n',
  });

  const openAs = async (user: string, path: string): Promise<Page> => {
    const page = await ui.open(path);
    await signIn(page, PASSWORD, user);
    return page;
  };

  test('finds the buttons of what it does not allow disabled, with the role that they need', async () => {
    const page = await openAs('bea', '/r/web-1');
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    await stop.waitFor();
    await page.getByText('bea: read').waitFor();
    expect(await stop.isDisabled()).toBe(true);
    const needed = page
      .getByTitle('Needs the role operate')
      .getByRole('button', { name: 'Stop', exact: true });
    expect(await needed.count()).toBe(1);
    expect(await axeFindings(page)).toEqual([]);
    await page.goto(`${new URL(ui.instance().url).origin}/s/day`);
    await page.getByRole('button', { name: 'Add', exact: false }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
  });

  test('may press the others', async () => {
    const page = await openAs('ben', '/r/web-1');
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  });
});
