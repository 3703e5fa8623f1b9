import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/instance.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const config = (timer: string): string => `input: [timer: {${timer}}]
event: {replay: {path: lines.txt, repeat: true}}
output: [file: {path: out.log}]
`;

(hasChromium ? describe : describe.skip)(`the chart of a generator ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      'burst/generator.yml': config('seconds: 0.1, count: 100, repeat: 30'),
      'burst/lines.txt': 'hello\n',
      'steady/generator.yml': config('seconds: 0.1, count: 3'),
      'steady/lines.txt': 'hello\n',
    },
    startup: '- {id: burst, path: burst/generator.yml}\n- {id: steady, path: steady/generator.yml}\n',
  });

  const chart = (page: Page, name: string): Locator =>
    page.getByRole('img', { name: new RegExp(`^Events per second of ${name} in the last`) });
  /** The highest rate that the chart shows. */
  const highest = async (of: Locator): Promise<number> =>
    Number(/at most ([\d.,]+)/.exec((await of.getAttribute('aria-label')) ?? '')?.[1]?.replaceAll(',', ''));

  test('shows what happened before the page opened, and after a reload', async () => {
    await eventually(async () => {
      const { body } = await ui.instance().api('GET', '/generators/burst/status');
      return (body as { phase: string }).phase === 'finished' ? true : null;
    }, 'the end of the burst');
    const page = await ui.open('/r/burst');
    await page.getByRole('img', { name: /of burst .*: 0 now/ }).waitFor();
    expect(await highest(chart(page, 'burst'))).toBeGreaterThan(100);
    await page.reload();
    await chart(page, 'burst').waitFor();
    expect(await highest(chart(page, 'burst'))).toBeGreaterThan(100);

    const range = page.getByRole('radiogroup', { name: 'Time that the charts show' });
    await range.getByText('3 d', { exact: true }).click();
    await page.getByRole('img', { name: /^Events per second .* in the last three days/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('3d');
  });

  test('tells a step under the mouse, shows a part that is drawn over, and returns', async () => {
    const page = await ui.open('/r/steady');
    const of = chart(page, 'steady');
    await of.waitFor();
    const at = async (share: number): Promise<readonly [number, number]> => {
      const box = await of.boundingBox();
      if (box === null) throw new Error('the chart has no place');
      return [box.x + box.width * share, box.y + box.height / 2];
    };
    // One crosshair over the page. A mouse that rests tells a chart nothing that was drawn after it
    // came, and the moment under it goes on with the time: each try moves, then reads all charts at once.
    const readouts = page
      .getByRole('img', {
        name: /^(Events per second|Lateness|Delivery lag|Batches in flight|Busy share of its thread) of steady in the last/,
      })
      .locator('.chart-readout');
    await eventually(async () => {
      await page.mouse.move(...(await at(0.94)));
      await page.mouse.move(...(await at(0.95)));
      const [rate = '', ...others] = await readouts.allTextContents();
      const moment = /^(\d\d:\d\d:\d\d, )(not running|[\d.]+\/s)/.exec(rate)?.[1];
      return moment !== undefined && others.length === 4 && others.every((text) => text.startsWith(moment))
        ? true
        : null;
    }, 'one moment on all charts');
    await page.mouse.move(0, 0);
    await of.locator('.chart-readout').waitFor({ state: 'detached' });

    await page.mouse.move(...(await at(0.5)));
    await page.mouse.down();
    await page.mouse.move(...(await at(0.9)), { steps: 5 });
    await page.mouse.up();
    await page
      .getByRole('img', { name: /^Events per second of steady from .* to .*: at most/ })
      .or(page.getByText(/^No events from /))
      .waitFor();
    expect(new URL(page.url()).searchParams.get('zoom')).toMatch(/^\d+-\d+$/);
    await page.getByRole('region', { name: 'Lateness' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await of.waitFor();
    expect(new URL(page.url()).searchParams.has('zoom')).toBe(false);
  });

  test('goes on while the page is open, and the overview has the sum and sparklines with a past', async () => {
    const page = await ui.open('/');
    await chart(page, 'all generators').waitFor();
    expect(await highest(chart(page, 'all generators'))).toBeGreaterThan(100);
    const areas = page.getByRole('list', { name: 'Areas of the chart' });
    await areas.getByRole('link', { name: 'steady' }).waitFor();
    expect(await areas.getByRole('link', { name: 'burst' }).count()).toBe(1);
    // A minute, of which the page has seen a moment.
    const row = page.getByRole('row', { name: /steady/ });
    await row.getByRole('img', { name: /in the last 60 seconds/ }).waitFor();

    await row.getByRole('link', { name: 'steady' }).click();
    await chart(page, 'steady').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('img', { name: /of steady .*: 0 now/ }).waitFor();
    expect(await highest(chart(page, 'steady'))).toBeGreaterThan(20);
  });
});
