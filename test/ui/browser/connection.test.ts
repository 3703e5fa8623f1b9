import { describe, expect, test } from '@jest/globals';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const GENERATOR = `input: [cron: {expression: '* * * * * *', count: 1}]
event: {replay: {path: lines.txt, repeat: true}}
output: [file: {path: out.log}]
`;

const LOST = /ERR_(CONNECTION|INCOMPLETE|EMPTY)/;

(hasChromium ? describe : describe.skip)(`a service that goes away ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: { 'web/generator.yml': GENERATOR, 'web/lines.txt': 'hello\n' },
    startup: '- {id: web-1, path: web/generator.yml}\n- {id: web-2, path: web/generator.yml}\n',
  });

  test('is missed and found again, without loss of what was typed', async () => {
    const page = await ui.open('/', { expected: LOST });
    const filter = page.getByRole('textbox', { name: /^Filter by id/ });
    const banner = page.getByRole('status').getByText('The connection to the service is lost');
    const row = page.getByRole('row', { name: /web-2/ });
    await filter.fill('web-2');
    await row.getByText('running').waitFor();
    await ui.instance().kill('SIGKILL');
    await banner.waitFor();
    await row.locator('[data-old]').getByText('running').waitFor();
    await ui.instance().start();
    await banner.waitFor({ state: 'detached' });
    await row.getByText('running').waitFor();
    expect(await row.locator('[data-old]').count()).toBe(0);
    expect(await filter.inputValue()).toBe('web-2');
    expect(await page.getByRole('row', { name: /web-1/ }).count()).toBe(0);
  });

  test('leaves no note of a save that it did not hear once it is back; the text stays unsaved', async () => {
    const page = await ui.open('/g/web?file=lines.txt', { expected: LOST });
    await page.getByRole('textbox', { name: 'lines.txt' }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('typed');
    const unsaved = page.getByRole('button', { name: 'lines.txt unsaved' });
    await unsaved.waitFor();
    await ui.instance().kill('SIGKILL');
    await page.keyboard.press('Control+S');
    const note = page.getByRole('alert').filter({ hasText: 'lines.txt is not saved' });
    await note.waitFor();
    await ui.instance().start();
    await note.waitFor({ state: 'detached' });
    await unsaved.waitFor();
    await page.keyboard.press('Control+S');
    await unsaved.waitFor({ state: 'detached' });
    expect(await ui.instance().file('generators/web/lines.txt')).toBe('typed');
  });
});
