import type { Locator, Page } from 'playwright-core';

/** More steps than anybody should need. */
const MAX_STEPS = 80;

/** What has the focus, for the message of a failed test. */
const FOCUSED = '(document.activeElement?.ariaLabel ?? document.activeElement?.textContent)?.slice(0, 30)';

/** Presses Tab until an element has the focus; returns how often. */
export const tabTo = async (page: Page, target: Locator): Promise<number> => {
  await target.waitFor();
  const focused = target.and(page.locator(':focus'));
  const way: unknown[] = [];
  for (let steps = 0; steps <= MAX_STEPS; steps++) {
    if ((await focused.count()) > 0) return steps;
    await page.keyboard.press('Tab');
    way.push(await page.evaluate(FOCUSED));
  }
  throw new Error(`Tab does not lead to ${target}, but to ${way.join(', ')}`);
};

/** Presses Enter on an element that Tab leads to. */
export const enter = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
};

/** Types into the palette and takes the first result once it has this name. */
export const command = async (page: Page, query: string, first: RegExp): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to a page or act on a generator' }).waitFor();
  await page.keyboard.type(query);
  await page.getByRole('option', { name: first, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor({ state: 'detached' });
};
