import { describe, expect, test } from '@jest/globals';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const CONFIG = `input: [cron: {expression: '* * * * * *', count: 1}]
event: {script: {path: produce.mjs}}
output: [file: {path: "out-\${secrets.used:-none}.log"}]
`;

/** What the console of the browser says of a refusal. */
const REFUSED = /409 \(Conflict\)/;

(hasChromium ? describe : describe.skip)(`a rename ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'web/generator.yml': CONFIG,
      'web/produce.mjs': 'export const produce = () => "x";\n',
    },
    startup:
      '- {id: web, path: web/generator.yml, autostart: false}\n- {id: member, path: web/generator.yml, autostart: false, scenarios: [lab]}\n',
    env: { SPATE_KEYRING_PASSWORD: 'the password' },
  });

  test('of a generator begins with its name, refuses a bad or taken one, and goes to its new page', async () => {
    const page = await ui.open('/r/web', { expected: REFUSED });
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename web' });
    const name = dialog.getByRole('textbox', { name: 'New name' });
    const rename = dialog.getByRole('button', { name: 'Rename' });
    expect(await name.inputValue()).toBe('web');
    await rename.click();
    await dialog.getByText('must be another name').waitFor();
    await name.fill('member');
    await rename.click();
    await dialog.getByRole('alert').getByText('generator "member" already exists').waitFor();
    await name.fill('shop');
    await rename.click();
    await page.getByRole('heading', { name: 'shop', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/r/shop');
    expect((await ui.instance().api('GET', '/startup/shop')).body).toMatchObject({
      path: 'web/generator.yml',
    });
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    // Only at rest.
    expect(await page.getByRole('button', { name: 'Rename' }).count()).toBe(0);
  });

  test('of a scenario keeps its globals and its members', async () => {
    await ui.instance().api('PATCH', '/scenarios/lab/globals', { level: 7 });
    const page = await ui.open('/s/lab');
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename lab' });
    await dialog.getByRole('textbox', { name: 'New name' }).fill('hall');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'hall', exact: true }).waitFor();
    await page
      .getByRole('region', { name: /^Globals/ })
      .getByText('level')
      .waitFor();
    expect((await ui.instance().api('GET', '/scenarios/hall')).body).toMatchObject({
      generator_ids: ['member'],
    });
    expect((await ui.instance().api('GET', '/scenarios/hall/globals')).body).toEqual({ level: 7 });
  });

  test('of a secret that files use must be confirmed', async () => {
    await ui.instance().api('PUT', '/secrets/used', 'value');
    const page = await ui.open('/secrets', { expected: REFUSED });
    await page.getByRole('button', { name: 'Rename used' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename used' });
    await dialog.getByRole('textbox', { name: 'New name' }).fill('other');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/is used by .*web\/generator\.yml/)
      .waitFor();
    await dialog.getByRole('checkbox', { name: /although web\/generator\.yml/ }).check();
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Rename other' }).waitFor();
    expect((await ui.instance().api('GET', '/secrets/')).body).toEqual(['other']);
  });
});
