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

  test('names each page in its tab, and how many generators have failed', async () => {
    const page = await ui.open('/');
    for (const [path, title] of [
      ['/', 'Generators'],
      ['/r/web-1', 'web-1'],
      ['/g/web', 'web files'],
      ['/help/errors', 'errors help'],
    ] as const) {
      await page.goto(new URL(path, page.url()).href);
      const wanted = `(1 failed) ${title} – Spate`;
      await eventually(async () => ((await page.title()) === wanted ? wanted : null), wanted);
    }
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
});
