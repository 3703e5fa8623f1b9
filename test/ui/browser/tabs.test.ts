import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/instance.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from './browser.js';

/** One that leads and two that follow: that the service has one stream of each kind holds for any number of tabs. */
const TABS = 3;
const ids = Array.from({ length: TABS }, (_, n) => `web-${n}`);

const GENERATOR = `input: [timer: {seconds: 1, count: 1}]
event: {script: {path: hello.mjs}}
output: [file: {path: out.log}]
`;

/** Takes the shared worker, or every way for tabs to share, from the browser. */
const WITHOUT_WORKER = 'delete globalThis.SharedWorker;';
const ALONE = `${WITHOUT_WORKER} Object.defineProperty(Navigator.prototype, 'locks', { get: undefined }); delete Navigator.prototype.locks;`;

/** The newest event that a tab shows. Each has a number. */
const eventOf = (page: Page, id: string) =>
  page.getByRole('button', { name: new RegExp(`^hello from ${id} \\d+$`) }).first();

(hasChromium ? describe : describe.skip)(`tabs of one browser ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: Object.fromEntries(
      ids.flatMap((id) => [
        [`${id}/generator.yml`, GENERATOR],
        [`${id}/hello.mjs`, `let n = 0;\nexport const produce = () => \`hello from ${id} \${++n}\`;\n`],
      ]),
    ),
    startup: ids.map((id) => `- {id: ${id}, path: ${id}/generator.yml}\n`).join(''),
  });

  /** Open streams of the service, for example `{events: 1, tail: 1}`. */
  const streams = async (): Promise<Record<string, number>> => {
    const text = await (await fetch(`${ui.instance().url}/metrics`)).text();
    const found = [...text.matchAll(/^spate_http_streams\{kind="(\w+)"\} (\d+)$/gm)];
    return Object.fromEntries(found.map(([, kind, count]) => [kind, Number(count)]));
  };
  const haveStreams = (wanted: Record<string, number>) =>
    eventually(
      async () => {
        const now = await streams();
        return Object.entries(wanted).every(([kind, count]) => now[kind] === count) ? now : null;
      },
      `streams ${JSON.stringify(wanted)}`,
    );
  const startAll = () =>
    fetch(`${ui.instance().url}/generators/group-actions/bulk-start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ids),
    });

  test.each([
    ['share a worker', ''],
    ['share the tab that leads, where there is no shared worker', WITHOUT_WORKER],
  ])('generator tabs %s: each has its live events and can stop its generator', async (_, before) => {
    await startAll();
    const first = await ui.open('/r/web-0', { before });
    const pages = [first];
    for (const id of ids.slice(1)) pages.push(await ui.beside(first, `/r/${id}`));
    for (const [n, page] of pages.entries()) await eventOf(page, `web-${n}`).waitFor();
    await haveStreams({ events: 1, tail: 1 });
    for (const page of pages) {
      const answered = page.waitForResponse(/\/bulk-stop$/);
      await page.getByRole('button', { name: 'Stop' }).click();
      expect((await answered).status()).toBe(200);
      await page.getByRole('button', { name: 'Start' }).waitFor();
    }
    // Tabs that close release their tails; the last one ends the streams.
    for (const page of pages.slice(1)) await page.close();
    await haveStreams({ events: 1, tail: 1 });
    await first.close();
    await haveStreams({ events: 0, tail: 0 });
  });

  test('the next tab takes over when the one that leads is closed', async () => {
    await startAll();
    const leader = await ui.open('/r/web-0', { before: WITHOUT_WORKER });
    await eventOf(leader, 'web-0').waitFor();
    const next = await ui.beside(leader, '/r/web-1');
    await eventOf(next, 'web-1').waitFor();
    await leader.close();
    await haveStreams({ events: 1, tail: 1 });
    const number = async () => Number((await eventOf(next, 'web-1').textContent())?.split(' ').at(-1));
    const before = await number();
    await eventually(async () => ((await number()) > before ? true : null), 'news after the change');
  });

  test('a worker that crashes is replaced', async () => {
    await startAll();
    const page = await ui.open('/r/web-0');
    await eventOf(page, 'web-0').waitFor();
    const browser = page.context().browser();
    const session = await browser?.newBrowserCDPSession();
    const { targetInfos } = (await session?.send('Target.getTargets')) ?? { targetInfos: [] };
    const worker = targetInfos.find(({ type }) => type === 'shared_worker');
    await session?.send('Target.closeTarget', { targetId: worker?.targetId ?? '' });
    await haveStreams({ events: 0, tail: 0 });
    await haveStreams({ events: 1, tail: 1 });
  });

  test('a browser that lets tabs share nothing shows live events too', async () => {
    await startAll();
    const page = await ui.open('/r/web-0', { before: ALONE });
    await eventOf(page, 'web-0').waitFor();
  });
});
