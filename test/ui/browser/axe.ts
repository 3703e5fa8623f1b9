import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GRAVE = ['serious', 'critical'];

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const SETTLED = `new Promise((resolve) => {
  const done = () => { observer.disconnect(); resolve(); };
  let quiet = setTimeout(done, 300);
  const observer = new MutationObserver(() => { clearTimeout(quiet); quiet = setTimeout(done, 300); });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  setTimeout(done, 3000);
})`;

/** Resolves once nothing on the page has changed for a moment: what loads late is there, and no animation runs. */
const settled = (page: Page): Promise<unknown> => page.evaluate(SETTLED);

/** Serious and critical accessibility findings of a page, a text each; `rules` are the names of those that are asked. */
export const axeFindings = async (page: Page, rules?: readonly string[]): Promise<readonly string[]> => {
  await settled(page);
  // Evaluated by the debugger: the policy of the page forbids script elements.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(SOURCE);
  const { violations } = await page.evaluate<{ violations: readonly Finding[] }>(
    `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })})`,
  );
  return violations
    .filter(({ impact }) => GRAVE.includes(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
    );
};
