import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/instance.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const GENERATOR = `input: [timer: {seconds: 0.2, count: 1}]
event: {replay: {path: lines.txt, repeat: true}}
output: [file: {path: out.log}]
`;
const FAILING = GENERATOR.replace('lines.txt', 'missing.txt');

const RUNNING = Array.from({ length: 11 }, (_, n) => `web-${n}`);

(hasChromium ? describe : describe.skip)(`the list of generators ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'web/generator.yml': GENERATOR,
      'web/lines.txt': 'hello\n',
      'bad/generator.yml': FAILING,
    },
    startup: [
      ...RUNNING.map((id) => `- {id: ${id}, path: web/generator.yml}\n`),
      '- {id: at-rest, path: web/generator.yml, autostart: false}\n',
      '- {id: broken, path: bad/generator.yml}\n',
    ].join(''),
  });

  test('offers no action without a choice, and asks by name before it acts on all', async () => {
    const page = await ui.open('/');
    await page
      .getByRole('row', { name: /web-10/ })
      .getByText('running')
      .waitFor();
    // `11 of 13` would wrap, and move the table.
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('.figures .figure')).whiteSpace"),
    ).toBe('nowrap');
    for (const name of ['Start', 'Restart', 'Stop', 'Delete'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'All 13 shown' }).click();
    await page.getByRole('menuitem', { name: 'Restart 12 generators that run or failed…' }).click();
    const question = page.getByRole('dialog', { name: 'Restart 12 generators?' });
    const names = await question.getByRole('listitem').allTextContents();
    expect(names.toSorted()).toEqual([...RUNNING, 'broken'].toSorted());
    const yes = question.getByRole('button', { name: 'Restart' });
    expect(await yes.isDisabled()).toBe(true);
    await question.getByRole('textbox', { name: 'Type "restart 12" to confirm' }).fill('restart 12');
    await yes.click();
    await page.getByText('11 generators restarted.').waitFor();
    expect((await ui.instance().api('GET', '/generators/at-rest/status')).body).toMatchObject({
      phase: 'idle',
    });
  });

  test('acts on the chosen rows only', async () => {
    const page = await ui.open('/');
    await page.getByRole('checkbox', { name: 'Choose web-3' }).click();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('dialog', { name: 'Stop web-3?' }).getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('row', { name: /web-3/ }).getByText('stopped').waitFor();
    await page.getByRole('row', { name: /web-4/ }).getByText('running').waitFor();
  });

  test('explains an error code at its own place of the help', async () => {
    const page = await ui.open('/');
    const code = page
      .getByRole('row', { name: /broken/ })
      .getByRole('link')
      .last();
    const name = await code.textContent();
    await code.click();
    await page.waitForURL(`**/help/errors#${name}`);
    await page.locator('[data-here]').waitFor();
    expect(await page.locator('[data-here]').textContent()).toContain(name);
  });

  test('names each page in its tab, and how many generators are failing', async () => {
    const page = await ui.open('/');
    for (const [path, title] of [
      ['/', 'Generators'],
      ['/r/web-1', 'web-1'],
      ['/g/web', 'web files'],
      ['/help/errors', 'errors help'],
    ] as const) {
      await page.goto(new URL(path, page.url()).href);
      const wanted = `(1 failing) ${title} – Spate`;
      await eventually(async () => ((await page.title()) === wanted ? wanted : null), wanted);
    }
  });

  test('opens a generator that has never run without an error, and Back closes what was opened', async () => {
    const page = await ui.open('/');
    await page.getByRole('link', { name: 'at-rest' }).click();
    await page.getByText('The generator has not run yet.').waitFor();
    expect(ui.faults()).toEqual([]);
    await page.getByRole('tab', { name: 'Log' }).click();
    await page.goBack();
    await page.getByRole('tab', { name: 'Live events', selected: true }).waitFor();
    await page.goto(new URL('/new?from=example', page.url()).href);
    await page
      .getByRole('button', { name: /^Details/ })
      .first()
      .click();
    const details = page.getByRole('dialog');
    await details.waitFor();
    await page.goBack();
    await details.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/new');
  });

  test('says that an answer failed, and asks again on request', async () => {
    const page = await ui.open('/help', { expected: /status of 500/ });
    const failing = /\/api\/(generators|scenarios|startup)\/$/;
    for (const [path, heading] of [
      ['/', 'The generators cannot be listed'],
      ['/s', 'The scenarios cannot be listed'],
    ] as const) {
      await page.route(failing, (route) =>
        route.fulfill({ status: 500, json: { detail: 'out of order', code: 'bug' } }),
      );
      await page.goto(new URL(path, page.url()).href);
      const note = page.getByRole('alert').filter({ hasText: heading });
      await note.waitFor();
      await page.unroute(failing);
      await note.getByRole('button', { name: 'Try again' }).click();
      await note.waitFor({ state: 'detached' });
    }
  });

  test('leads to what is failing from the menu and the figures, and shows it in the tab', async () => {
    const page = await ui.open('/help');
    const row = (id: string) => page.getByRole('row', { name: new RegExp(id) });
    const icon = () => page.locator('link[rel=icon]').getAttribute('href');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: '1 failing' }).click();
    await row('broken').waitFor();
    expect(await row('web').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?only=failing');
    expect(await icon()).toContain('icon-failing');
    const figure = page.getByRole('button', { name: 'Failing 1', pressed: true });
    await figure.click();
    await row('web-10').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: /^Lost 0/ }).click();
    await page.getByText('No generator matches the filter.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Lost 0', pressed: true }).click();
    await ui.instance().api('DELETE', '/generators/broken');
    await page.getByRole('link', { name: '1 failing' }).waitFor({ state: 'detached' });
    expect(await icon()).not.toContain('failing');
    expect(await page.title()).toBe('Generators – Spate');
  });
});
