import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/instance.js';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM, type Ui } from './browser.js';

const PASSWORD = 'a long password';
const GENERATORS = {
  'web/generator.yml': `input: [cron: {expression: '* * * * * *', count: 1}]
event: {replay: {path: lines.txt, repeat: true}}
output: [file: {path: out.log}]
`,
  'web/lines.txt': 'hello\n',
};
const STARTUP = '- {id: web, path: web/generator.yml}\n';
const KEYRING = { SPATE_KEYRING_PASSWORD: 'a password of the test' };

const basic = (user: string): string => `Basic ${Buffer.from(`${user}:${PASSWORD}`).toString('base64')}`;

/** Requests to the API with credentials. */
const askOf =
  (ui: Ui) =>
  async (
    authorization: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }> => {
    const response = await fetch(`${ui.instance().url}${path}`, {
      method,
      headers: { authorization, connection: 'close', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };

const signIn = async (page: Page, user: string): Promise<void> => {
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByRole('textbox', { name: 'User' }).fill(user);
  await form.getByLabel(/^Password/).fill(PASSWORD);
  await form.getByRole('button', { name: 'Sign in' }).click();
};

/** Restarts the service by clicks. What the page asks meanwhile is refused. */
const restart = async (page: Page, ui: Ui): Promise<void> => {
  const listening = async (): Promise<number> =>
    ui
      .instance()
      .program()
      .stderr()
      .match(/listens on/gi)?.length ?? 0;
  const before = await listening();
  await page.getByRole('button', { name: 'Restart the service' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
  await eventually(async () => ((await listening()) > before ? true : null), 'the restarted service');
};

/** Of a restart and of the session that it ends. */
const RESTARTING = { expected: /status of 401|ERR_|WebSocket|EventSource|Failed to (load|fetch)/ };

(hasChromium ? describe : describe.skip)(`the audit log and users ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    server: `auth: {user: ann, password: ${PASSWORD}}, users: {ben: {role: operate, password: ${PASSWORD}}, bea: {role: read, password: ${PASSWORD}}}`,
    generators: GENERATORS,
    startup: STARTUP,
    env: KEYRING,
  });
  const ask = askOf(ui);

  const openAs = async (user: string, path: string, expected?: RegExp): Promise<Page> => {
    const page = await ui.open(path, expected === undefined ? {} : { expected });
    await signIn(page, user);
    return page;
  };

  test('shows what two users did, what was refused, and what happens while it is open', async () => {
    expect((await ask(basic('ann'), 'PUT', '/secrets/siem', 'x')).status).toBe(200);
    expect((await ask(basic('ben'), 'PUT', '/secrets/siem', 'y')).status).toBe(403);
    expect((await ask(basic('ben'), 'POST', '/generators/web/stop')).status).toBe(200);
    const page = await openAs('ann', '/audit');
    const refused = page.getByRole('row').filter({ hasText: 'refused: not allowed' });
    await refused.getByText('ben').waitFor();
    await refused.getByText('Set secret').waitFor();
    const stopped = page.getByRole('row').filter({ hasText: 'Stop generator' });
    await stopped.getByText('done').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await ask(basic('ben'), 'POST', '/generators/web/start');
    // Nobody presses a button.
    await page.getByRole('row').filter({ hasText: 'Start generator' }).getByText('ben').waitFor();

    await stopped.getByRole('button', { name: /^Details of Stop generator/ }).click();
    await page.getByText('/generators/web/stop', { exact: true }).waitFor();
    await page.getByText('127.0.0.1', { exact: true }).waitFor();
    await page.getByText('200, done').waitFor();
    await stopped.getByRole('link', { name: 'web' }).click();
    await page.getByRole('heading', { level: 1, name: 'web', exact: true }).waitFor();
  });

  test('a search is in the address, and a colleague who opens it sees the same', async () => {
    await ask(basic('ann'), 'PUT', '/secrets/one', 'x');
    await ask(basic('ben'), 'PUT', '/secrets/one', 'x');
    await ask(basic('ben'), 'PUT', '/secrets/two', 'x');
    const page = await openAs('ann', '/audit');
    await page.getByRole('textbox', { name: 'Filter by a part of the target' }).fill('/secrets/one');
    await page.locator('main').getByLabel('User').first().fill('ben');
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'last hour' }).click();
    const rows = page.locator('main tbody tr');
    const only = async (shown: Page): Promise<void> => {
      const texts = (): Promise<readonly string[]> => shown.locator('main tbody tr').allInnerTexts();
      await eventually(async () => ((await texts()).length === 1 ? true : null), 'one entry', 20_000);
      expect((await texts())[0]).toMatch(/ben.*Set secret.*one.*refused: not allowed/s);
    };
    await only(page);
    const { search } = new URL(page.url());
    expect(Object.fromEntries(new URLSearchParams(search))).toEqual({
      target: '/secrets/one',
      user: 'ben',
      range: 'hour',
    });
    await only(await openAs('ann', `/audit${search}`));

    await page.locator('main').getByLabel('User').first().fill('nobody');
    await page.getByText('No entry matches.').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await eventually(async () => ((await rows.count()) > 3 ? true : null), 'all entries', 20_000);
    expect(new URL(page.url()).search).toBe('');
  });

  test('turns pages, which stay what they are while entries arrive', async () => {
    for (let number = 0; number < 60; number++) await ask(basic('ben'), 'PUT', `/secrets/page${number}`, 'x');
    const page = await openAs('ann', '/audit?target=/secrets/page');
    await page.getByText('page59', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('Page 2').waitFor();
    const shown = (): Promise<readonly string[]> => page.locator('main tbody tr a').allInnerTexts();
    const expected = [
      'page9',
      'page8',
      'page7',
      'page6',
      'page5',
      'page4',
      'page3',
      'page2',
      'page1',
      'page0',
    ];
    await page.getByText('page9', { exact: true }).waitFor();
    expect(await shown()).toEqual(expected);
    await ask(basic('ben'), 'PUT', '/secrets/page60', 'x');
    await page.reload();
    await page.getByText('page0', { exact: true }).waitFor();
    expect(await shown()).toEqual(expected);
    expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Newer' }).click();
    await page.getByText('page60', { exact: true }).waitFor();
  });

  test('is not in the menu of other roles; its address says why, and leaves no entry', async () => {
    const page = await openAs('bea', '/audit');
    await page.getByRole('alert').getByText('Only admins read the audit log').waitFor();
    await page.getByText('bea: read').waitFor();
    const menu = page.getByRole('navigation', { name: 'Main' });
    expect(await menu.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'who is admin' }).click();
    await page.getByRole('row', { name: /^ann/ }).getByText('admin', { exact: true }).waitFor();
    await page.getByRole('row', { name: /^bea/ }).getByText('you', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Remove ben' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
    const trail = await ask(basic('ann'), 'GET', '/audit?user=bea');
    expect(trail.body).toMatchObject({ entries: [{ operation: 'login' }] });
  });

  test('a token is made by clicks, works after a restart, and is refused once it is removed', async () => {
    const page = await openAs('ann', '/users', RESTARTING.expected);
    await page.getByRole('row', { name: /^ann/ }).getByText('you', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Program with a token' }).click();
    await page.getByRole('button', { name: 'Make a token' }).click();
    await page.getByText('must have 1 to 128 characters').waitFor();
    await page.getByLabel('Name').fill('ci');
    await page.getByRole('button', { name: 'Make a token' }).click();
    const dialog = page.getByRole('dialog', { name: 'The token of ci' });
    const token = await dialog.getByText(/^spate_[\w-]{43}$/).innerText();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /^ci/ });
    await row.getByText('after a restart').waitFor();
    const file = await ui.instance().file('spate.yml');
    expect(file).not.toContain(token);
    expect(file).toMatch(/sha256\$[0-9a-f]{64}/);
    const bearer = `Bearer ${token}`;
    expect((await ask(bearer, 'GET', '/generators/')).status).toBe(401);

    await restart(page, ui);
    expect((await ask(bearer, 'GET', '/generators/')).status).toBe(200);
    expect((await ask(bearer, 'POST', '/generators/web/stop')).status).toBe(403);
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await signIn(page, 'ann');
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    await row.getByText('after a restart').waitFor({ state: 'detached' });

    await row.getByRole('button', { name: 'Remove ci' }).click();
    await page.getByRole('dialog', { name: 'Remove ci?' }).getByRole('button', { name: 'Remove' }).click();
    await row.getByText('until a restart').waitFor();
    expect((await ask(bearer, 'GET', '/generators/')).status).toBe(200);
    await restart(page, ui);
    expect((await ask(bearer, 'GET', '/generators/')).status).toBe(401);
    expect(await ui.instance().file('spate.yml')).not.toMatch(/\bci\b|sha256/);
    expect((await ask(basic('ben'), 'GET', '/generators/')).status).toBe(200);
  });

  test('when users changed something last is a link to what they did', async () => {
    await ask(basic('ben'), 'POST', '/generators/web/restart');
    const page = await openAs('ann', '/users');
    await page.getByRole('row', { name: /^ben/ }).getByRole('link').click();
    await page.getByRole('row').filter({ hasText: 'Restart generator' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('?user=ben');
  });

  test('settings that others change meanwhile are not overwritten', async () => {
    const page = await openAs('ann', '/users', /412/);
    await page.getByLabel('Name').fill('cem');
    await page.getByLabel(/^Password/).fill(PASSWORD);
    const settings = (await ask(basic('ann'), 'GET', '/instance/settings?stored=true')).body;
    const { server, ...rest } = settings as { readonly server: Readonly<Record<string, unknown>> };
    const body = { ...rest, server: { ...server, max_connections: 99 } };
    expect((await ask(basic('ann'), 'PUT', '/instance/settings', body)).status).toBe(200);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').getByText('the settings file has changed: read it again').waitFor();
    expect((await ask(basic('ann'), 'GET', '/secrets/')).body).not.toContain('user_cem');
    // The page has read them again by now.
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row', { name: /^cem/ }).getByText('after a restart').waitFor();
    const file = await ui.instance().file('spate.yml');
    expect(file).toContain('${secrets.user_cem}');
    expect(file).toContain('99');
    await page.getByRole('button', { name: 'Remove cem' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('cem is no longer in the settings.').waitFor();
    expect((await ask(basic('ann'), 'GET', '/secrets/')).body).not.toContain('user_cem');
  });
});

(hasChromium ? describe : describe.skip)(`a service without credentials ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({ generators: GENERATORS, startup: STARTUP, env: KEYRING });

  test('is said to be open, and is closed by clicks', async () => {
    const page = await ui.open('/users', RESTARTING);
    await page.getByText('Everybody who reaches this address is admin').waitFor();
    expect(await page.getByRole('combobox', { name: 'Kind' }).count()).toBe(0);
    await page.getByLabel('Name').fill('ann');
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row', { name: /^ann/ }).getByText('after a restart').waitFor();
    expect(await ui.instance().file('spate.yml')).toMatch(/user: ann[\s\S]*\$\{secrets\.user_ann\}/);
    await restart(page, ui);
    await signIn(page, 'ann');
    await page.getByRole('row', { name: /^ann/ }).getByText('you', { exact: true }).waitFor();
    await page.getByText('Everybody who reaches this address is admin').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Remove ann' }).isDisabled()).toBe(true);
  });
});
