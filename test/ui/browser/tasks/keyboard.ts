import type { Locator, Page } from 'playwright-core';

/** More steps than anybody should need. */
const MAX_STEPS = 80;

/** What has the focus, for the message of a failed test. */
const FOCUSED = '(document.activeElement?.ariaLabel ?? document.activeElement?.textContent)?.slice(0, 30)';

/** Presses Tab until an element has the focus; returns how often. */
export const tabTo = async (page: Page, target: Locator, key = 'Tab'): Promise<number> => {
  await target.waitFor();
  const focused = target.and(page.locator(':focus'));
  const way: unknown[] = [];
  for (let steps = 0; steps <= MAX_STEPS; steps++) {
    if ((await focused.count()) > 0) return steps;
    await page.keyboard.press(key);
    way.push(await page.evaluate(FOCUSED));
  }
  throw new Error(`${key} does not lead to ${target}, but to ${way.join(', ')}`);
};

/** Presses an arrow until what it chooses is there. */
export const chooseBy = async (page: Page, key: string, chosen: Locator): Promise<void> => {
  for (let steps = 0; (await chosen.count()) === 0; steps++) {
    if (steps === MAX_STEPS) throw new Error(`${key} does not choose ${chosen}`);
    await page.keyboard.press(key);
  }
};

/** Replaces the text of the field that has the focus. */
export const retype = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
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
