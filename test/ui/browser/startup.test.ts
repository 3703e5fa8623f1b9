import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/instance.js';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const GENERATOR = `input: [timer: {seconds: 0.2, count: 1}]
event: {replay: {path: lines.txt, repeat: true}}
output: [file: {path: out.log}]
`;
const VALID = '- {id: web, path: web/generator.yml} # mine\n';

(hasChromium ? describe : describe.skip)(`an invalid startup entry ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: { 'web/generator.yml': GENERATOR, 'web/lines.txt': 'hello\n' },
    startup: VALID,
  });

  test('is shown with its mistake and what it means, and is repaired or deleted', async () => {
    const file = join(ui.instance().folder, 'startup.yml');
    await writeFile(
      file,
      `${VALID.replace('}', ', sed: 1, seed: [x]}')}- {id: gone, path: 3, scenarios: lab}\n- only text\n`,
    );
    const page = await ui.open('/');
    await page.getByRole('row', { name: /web/ }).getByText('running').waitFor();
    const short = page.getByRole('alert').filter({ hasText: '3 startup entries are invalid' });
    await short.getByText('web, gone, number 3.').waitFor();
    await short.getByRole('link', { name: 'See what is wrong' }).click();

    const web = page.getByRole('listitem', { name: 'web' });
    await web.getByText(/startup\.yml:1:\d+ .*unknown key 'sed'/).waitFor();
    await web.getByText('web keeps running with its former entry.').waitFor();
    await page.getByRole('listitem', { name: 'gone' }).getByText('gone is not up.').waitFor();
    const text = page.getByRole('listitem', { name: 'Entry 3' });
    await text.getByText('Edit it in the file: it is entry 3.').waitFor();
    expect(await text.getByRole('button').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Delete gone' }).click();
    await page.getByRole('dialog', { name: 'Delete gone?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 startup entries are invalid').waitFor();

    await web.getByRole('link', { name: 'Repair web' }).click();
    await page.getByRole('alert').filter({ hasText: 'The entry is invalid' }).waitFor();
    await page.getByText('1 change; 1 to mend before saving').waitFor();
    await page.getByRole('textbox', { name: 'seed' }).fill('7');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert', { name: 'The entry is invalid' }).waitFor({ state: 'detached' });
    const wanted = VALID.replace('}', ', seed: 7}');
    await eventually(
      async () => ((await ui.instance().file('startup.yml')) === `${wanted}- only text\n` ? true : null),
      'the repaired entry',
    );
  });
});
