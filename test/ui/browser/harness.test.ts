import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/instance.js';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

const FAULTS = [
  ["console.error('broken')", 'console error: broken'],
  ["console.warn('odd')", 'console warning: odd'],
  ["setTimeout(() => { throw new Error('thrown'); }, 0)", 'uncaught: thrown'],
  [
    "document.head.append(Object.assign(document.createElement('style'), { textContent: 'p{}' }))",
    'Content Security Policy',
  ],
  ["void fetch('http://127.0.0.2:9/').catch(() => {})", 'Content Security Policy'],
  ["void (location.href = 'http://127.0.0.2:9/')", 'request to another host'],
] as const;

(hasChromium ? describe : describe.skip)(`the watch over pages ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite();

  test('finds console messages, uncaught errors, policy violations and requests to other hosts', async () => {
    const page = await ui.open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(ui.faults()).toEqual([]);
    for (const [script, fault] of FAULTS) {
      await page.evaluate(script);
      await eventually(async () => (ui.faults().join().includes(fault) ? fault : null), fault);
      ui.forgive();
    }
  });

  test('finds a button without a name', async () => {
    const page = await ui.open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.evaluate("document.querySelector('main').append(document.createElement('button'))");
    expect((await axeFindings(page)).join()).toContain('button-name');
  });
});
