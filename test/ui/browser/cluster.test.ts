import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ClusterInfo, ClusterNodeInfo, ClusterTask } from '../../../src/messages/cluster.js';
import { CLUSTER } from '../../http/support.js';
import { axeFindings } from './axe.js';
import { browserSuite, hasChromium, type Look, NEEDS_CHROMIUM } from './browser.js';

const [TEMPLATE] = CLUSTER.nodes as readonly [ClusterNodeInfo];
const NODES: readonly ClusterNodeInfo[] = [
  { ...TEMPLATE, name: 'a' },
  { ...TEMPLATE, name: 'b', is_drained: true, generators: 0, refused: [] },
  { ...TEMPLATE, name: 'c', phase: 'lost', seen_seconds_ago: 4_000 },
];

const task = (id: string, more: Partial<ClusterTask> = {}): ClusterTask => ({
  name: `g.${id}`,
  generator_ids: [id],
  scenarios: [],
  node: 'a',
  owner: 'a',
  since: '2026-01-01T00:00:00Z',
  problem: null,
  ...more,
});

const TASKS: readonly ClusterTask[] = [
  task('lonely', {
    node: null,
    owner: null,
    since: null,
    problem: 'no node can take it (a: drained; b, c: without label zone=b)',
  }),
  task('moving', { owner: 'b' }),
  task('shop-0', { scenarios: ['shop'], generator_ids: ['shop-0', 'shop-1'] }),
  ...Array.from({ length: 997 }, (_, n) => task(`task-${String(n).padStart(3, '0')}`)),
];

const INFO: ClusterInfo = { ...CLUSTER, node: 'a', nodes: NODES, tasks: TASKS };

(hasChromium ? describe : describe.skip)(`the page of the cluster ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite();

  /** Opens the page of a node; `orders` collects what it is told. */
  const open = async (info: ClusterInfo, look: Look = {}, orders: string[] = []): Promise<Page> => {
    const page = await ui.open('/help', look);
    const origin = new URL(page.url()).origin;
    await page.route(`${origin}/api/cluster`, (route) => route.fulfill({ json: { enabled: true, ...info } }));
    await page.route(`${origin}/api/cluster/nodes/**`, (route) => {
      orders.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
      return route.fulfill({ json: null });
    });
    await page.goto(`${origin}/cluster`);
    await page.getByRole('heading', { level: 2, name: '1,000 tasks' }).waitFor();
    return page;
  };

  test('is accessible and as wide as the screen: light and dark, narrow and wide', async () => {
    const page = await open(INFO);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const at = [width, colorScheme];
        expect([at, await axeFindings(page)]).toEqual([at, []]);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });

  test('draws the visible of many tasks only, those in trouble first, and finds the others', async () => {
    const page = await open(INFO);
    const rows = page.getByRole('table', { name: 'Tasks' }).getByRole('row');
    expect(await rows.nth(1).innerText()).toContain(
      'no node can take it (a: drained; b, c: without label zone=b)',
    );
    expect(await rows.nth(2).innerText()).toContain('moves to b');
    expect(await rows.count()).toBeLessThan(100);
    await page.getByRole('textbox', { name: /^Filter/ }).fill('task-777');
    await rows.getByText('task-777').waitFor();
    expect(new URL(page.url()).search).toBe('?find=task-777');
  });

  test('asks before it drains or resumes a node', async () => {
    const orders: string[] = [];
    const page = await open(INFO, {}, orders);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Drain a' }).click();
    await dialog.getByText('No other node takes generators now.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Resume b' }).click();
    expect(orders).toEqual([]);
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('b takes generators again.').waitFor();
    await page.getByRole('button', { name: 'Drain a' }).click();
    await dialog.getByRole('button', { name: 'Drain' }).click();
    await page.getByText('a gives its generators away.').waitFor();
    expect(orders).toEqual(['POST /api/cluster/nodes/b/resume', 'POST /api/cluster/nodes/a/drain']);
  });

  test('asks before it removes a lost node, and offers that for no other', async () => {
    const orders: string[] = [];
    const page = await open(INFO, {}, orders);
    const dialog = page.getByRole('dialog');
    expect(await page.getByRole('button', { name: /^Remove / }).count()).toBe(1);
    await page.getByRole('button', { name: 'Remove c' }).click();
    await dialog.getByText('c leaves the list of nodes now instead of after a day.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(orders).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('c is removed.').waitFor();
    expect(orders).toEqual(['DELETE /api/cluster/nodes/c']);
  });

  test('says that its node has lost the cluster, and how old the numbers are', async () => {
    const page = await open({
      ...INFO,
      is_connected: false,
      phase: 'isolated',
      nodes: NODES.map((node) => ({ ...node, seen_seconds_ago: 90 })),
    });
    const alert = page.getByRole('alert').filter({ hasText: 'Node a has lost the cluster' });
    expect(await alert.innerText()).toContain('What you see is 1 min 30 s old.');
    expect(await axeFindings(page)).toEqual([]);
  });

  test('is in the menu of a node only', async () => {
    const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' });
    const node = await open(INFO);
    await menu(node).getByRole('link', { name: 'Cluster' }).waitFor();
    const alone = await ui.open('/cluster');
    await alone.getByText('This service runs alone.').waitFor();
    expect(await menu(alone).getByRole('link', { name: 'Settings' }).count()).toBe(1);
    expect(await menu(alone).getByRole('link', { name: 'Cluster' }).count()).toBe(0);
  });
});
