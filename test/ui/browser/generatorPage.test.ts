import { describe, expect, test } from '@jest/globals';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

/** A failed login in 20,000 events: at 5,000 a second one in four seconds. */
const SCRIPT = `let n = 0;
export const produce = () => {
  n++;
  const outcome = n % 20_000 === 9_999 ? 'failure' : 'success';
  return JSON.stringify({ n, user: { name: 'user' + (n % 7) }, event: { action: 'login', outcome } });
};
`;

/** Twelve inputs, eight templates and five outputs. */
const WIDE = `input:
${Array.from({ length: 12 }, (_, index) => `  - timer: {seconds: 0.1, count: ${index + 1}}`).join('\n')}
event:
  template:
    mode: chance
    templates:
${Array.from({ length: 8 }, (_, index) => `      - kind${index}: {template: line.jinja, chance: ${2 ** index}}`).join('\n')}
output:
${Array.from({ length: 5 }, (_, index) => `  - file: {path: ../../out/${index}.log}`).join('\n')}
`;

/** Height of the picture of a closed pipeline, in pixels. */
const MAX_HEIGHT = 180;

(hasChromium ? describe : describe.skip)(`the page of a generator ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'sso/generator.yml': `input: [timer: {seconds: 0.1, count: 500}]
event: {script: {path: produce.mjs}}
output: [file: {path: /dev/null}]
`,
      'sso/produce.mjs': SCRIPT,
      'lost/generator.yml': `input: [timer: {seconds: 1, count: 1}]
event: {script: {path: ../sso/produce.mjs}}
output: [tcp: {host: 127.0.0.1, port: 1}]
`,
      'wide/generator.yml': WIDE,
      'wide/line.jinja': '{{ timestamp }}',
    },
    startup:
      '- {id: sso, path: sso/generator.yml}\n- {id: wide, path: wide/generator.yml}\n- {id: lost, path: lost/generator.yml, autostart: false}\n',
  });

  test('searches live events in the service: one failed login among 20,000 is found and shown', async () => {
    const page = await ui.open('/r/sso');
    const list = page.getByRole('region', { name: 'Events, newest first' });
    await list.getByText('success').first().waitFor();
    await page.getByRole('textbox', { name: 'Search events' }).fill('event.outcome:failure');
    await list.getByText('"outcome":"failure"').first().waitFor();
    expect(await list.getByText('success').count()).toBe(0);
    await page.getByText(/[1-9]\d* found in [\d,]+ events\./).waitFor();
    expect(new URL(page.url()).searchParams.get('find')).toBe('event.outcome:failure');
  });

  test('shows fields of live events as columns, counts their values and searches for them by clicks', async () => {
    const page = await ui.open('/r/sso');
    const list = page.getByRole('region', { name: 'Events, newest first' });
    await list.getByText('success').first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: /^user\.name: user\d$/ }).click();
    const field = page.getByRole('region', { name: 'Field user.name' });
    expect(await field.getByRole('listitem').count()).toBeGreaterThan(0);
    await field.getByRole('button', { name: 'Show as column' }).click();
    await list
      .getByText(/^user\d$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await field.getByRole('button', { name: 'Find these' }).click();
    const find = new URL(page.url()).searchParams.get('find') ?? '';
    expect(find).toMatch(/^user\.name:user\d$/);
    await page.getByText(/[1-9][\d,]* found in [\d,]+ events\./).waitFor();
    const names = await list.getByText(/^user\d$/).allTextContents();
    expect(new Set(names)).toEqual(new Set([find.slice('user.name:'.length)]));
    await page.getByRole('button', { name: 'Remove the column user.name' }).click();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await list.getByText('"action":"login"').first().waitFor();
  });

  test('saves live events as lines of JSON', async () => {
    const page = await ui.open('/r/sso');
    await page.getByRole('region', { name: 'Events, newest first' }).getByText('success').first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe('sso-events.ndjson');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const numbers = Buffer.concat(chunks)
      .toString()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n: number }).n);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers.length).toBeGreaterThan(0);
  });

  test('shows many inputs and outputs as two nodes that open, in a picture that stays low', async () => {
    const page = await ui.open('/r/wide');
    const pipeline = page.getByRole('region', { name: 'Pipeline' });
    const inputs = pipeline.getByRole('button', { name: /^12 inputs/ });
    await inputs.waitFor();
    await pipeline.getByRole('listitem').filter({ hasText: 'kind7' }).getByText('50 %').waitFor();
    const heightOf = (): Promise<number> =>
      page.evaluate<number>("document.querySelector('.pipeline').getBoundingClientRect().height");
    expect(await heightOf()).toBeLessThanOrEqual(MAX_HEIGHT);
    expect(await pipeline.getByRole('list', { name: 'Inputs' }).count()).toBe(0);
    expect(await inputs.getAttribute('aria-expanded')).toBe('false');
    await inputs.click();
    const list = pipeline.getByRole('list', { name: 'Inputs' });
    expect(await list.getByRole('listitem').count()).toBe(12);
    expect(await inputs.getAttribute('aria-expanded')).toBe('true');
    await pipeline.getByRole('button', { name: /^5 outputs/ }).click();
    expect(await pipeline.getByRole('list', { name: 'Outputs' }).getByRole('listitem').count()).toBe(5);
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page, ['color-contrast'])).toEqual([]);
    await inputs.press('Enter');
    await list.waitFor({ state: 'detached' });
  });

  test('moves the lines of a pipeline, unless the system asks for reduced motion', async () => {
    const page = await ui.open('/r/sso');
    const pipeline = page.getByRole('region', { name: 'Pipeline' });
    await pipeline.getByRole('list', { name: 'Inputs' }).getByText('timer').waitFor();
    const movements = (): Promise<number> =>
      page.evaluate<number>(
        "document.getAnimations().filter(({ animationName }) => animationName === 'pipeline-flow').length",
      );
    await pipeline.locator('.dashes').first().waitFor({ state: 'attached' });
    expect(await movements()).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await movements()).toBeGreaterThan(0);
    await ui.instance().api('POST', '/generators/sso/stop');
    await pipeline.locator('.dashes').first().waitFor({ state: 'detached' });
    expect(await movements()).toBe(0);
    await ui.instance().api('POST', '/generators/sso/start');
  });

  test('checks the outputs on a click: which can be opened, and why others cannot', async () => {
    const page = await ui.open('/r/sso');
    await page.getByRole('button', { name: 'Check outputs' }).click();
    const check = page.getByRole('status').filter({ hasText: 'can be opened. No event was sent.' });
    await check.getByText('file').waitFor();
    await check.getByRole('button', { name: 'Close the check' }).click();
    await check.waitFor({ state: 'detached' });
    await page.goto(new URL('/r/lost', page.url()).href);
    await page.getByRole('button', { name: 'Check outputs' }).click();
    await page.getByText(/tcp: .*127\.0\.0\.1:1\b/).waitFor();
  });
});
