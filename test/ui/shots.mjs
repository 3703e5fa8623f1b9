/**
 * `npm run shots [-- /path ...]`: screenshots of every page, light and dark, 1920, 1280 and 390 px wide, of a daemon with the
 * library generators, into the untracked folder `shots/`. Exits with 1 if a page reports an error.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { freePort, sleep, startDaemon } from '../bench/lib/daemon.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const OUT = join(ROOT, 'shots');
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'].find((path) => existsSync(path));
/** Until rates and charts show something. */
const WARM_UP_MS = 8_000;
const SETTLE_MS = 2_000;

const LOOKS = ['light', 'dark'].flatMap((scheme) => [
  { scheme, width: 1920, height: 1080 },
  { scheme, width: 1280, height: 800 },
  { scheme, width: 390, height: 844 },
]);

const ACCESS_LOG = join(ROOT, 'test/analysis/learn/logs/nginx-access.log');

const learn = async (page) => {
  const panel = page.getByRole('tabpanel', { name: 'Learn' });
  await panel.getByLabel('Log file').setInputFiles(ACCESS_LOG);
  await panel.getByRole('button', { name: 'Learn', exact: true }).click();
  await page.getByRole('heading', { name: 'What was found' }).waitFor();
};

const PAGES = [
  ['overview', '/'],
  ['new', '/new'],
  ['new-log', '/new?from=log'],
  ['new-learn', '/new?from=learn'],
  ['new-learned', '/new?from=learn', learn],
  ['workbench', '/g/web-nginx'],
  ['workbench-form', '/g/web-nginx?edit=both'],
  ['workbench-timeline', '/g/web-nginx?view=timeline'],
  ['generator', '/r/web-nginx'],
  ['generator-letters', '/r/web-nginx?show=letters'],
  ['generator-history', '/r/web-nginx?show=history'],
  ['generator-log', '/r/web-nginx?show=log'],
  ['generator-change', '/r/web-nginx?show=change'],
  ['generator-failed', '/r/visits'],
  ['scenarios', '/s'],
  ['scenario', '/s/shop'],
  ['incidents', '/incidents'],
  ['incident', '/incidents/shop-theft'],
  ['incident-idle', '/incidents/knock?seed=7'],
  ['incident-invalid', '/incidents/unfinished'],
  ['destinations', '/destinations'],
  ['destination', '/destinations/siem'],
  ['worlds', '/worlds'],
  ['world', '/worlds/acme'],
  ['world-day', '/worlds/acme?person=0&date=2026-03-10'],
  ['startup', '/startup'],
  ['secrets', '/secrets'],
  ['settings', '/settings'],
  ['users', '/users'],
  ['audit', '/audit'],
  ['about', '/about'],
  ['help', '/help'],
  ['help-page', '/help/plugins/outputs/file'],
  ['help-search', '/help?q=dead+letters'],
  ['palette', '/', (page) => page.keyboard.press('Control+k')],
];

const ENTRIES = [
  'web-nginx',
  'network-firewall',
  'windows-security',
  'database-postgresql',
  'iot-sensors',
  'linux-syslog',
].map((id) => `- {id: ${id}, path: ${id}/generator.yml}\n`);
const STARTUP = `${ENTRIES.join('')}- {id: visits, path: clickhouse-visits/generator.yml}
- {id: orders, path: shop-orders/generator.yml, scenarios: [shop]}
- {id: fulfilment, path: shop-fulfilment/generator.yml, scenarios: [shop]}
- {id: sso, path: identity-sso/generator.yml, autostart: false}
`;

const KNOCK = `# Somebody tries cards, then the shop falls silent.
summary: Somebody tries cards, then the shop falls silent.
duration: 75m
members:
  web: {path: ../generators/web-nginx}
  payments: {path: ../generators/payments-api}
entities:
  visitor:
    ip: {address: 198.51.100.0/24}
phases:
  - name: cards
    at: 2m
    for: 1h
    members:
      payments: {attack: card_testing, globals: {attacker_ip: '\${visitor.ip}'}}
  - {name: silence, at: 66m, for: 2m, stopped: [web]}
`;
const INCIDENTS = { 'knock.yml': KNOCK, 'unfinished.yml': 'duration: soon\nmembers: {}\n' };

/** An incident that is under way, in the middle of a phase. */
const startIncident = async (url) => {
  const base = `${url}/api/incidents/shop-theft`;
  await fetch(`${base}/start?seed=7&rounds=3`, { method: 'POST' });
  await fetch(`${base}/jump?to=75m20s`, { method: 'POST' });
};

const instance = async (folder, server, startup) => {
  const port = await freePort();
  mkdirSync(folder, { recursive: true });
  cpSync(join(ROOT, 'generators'), join(folder, 'generators'), { recursive: true });
  writeFileSync(join(folder, 'startup.yml'), startup);
  writeFileSync(
    join(folder, 'spate.yml'),
    `server: {host: 127.0.0.1, port: ${port}${server}}
generation: {timezone: Europe/Berlin}
log: {}
path: {logs: logs, startup: startup.yml, generators_dir: generators, keyring_cryptfile: keyring, state: state}
`,
  );
  const env = { SPATE_KEYRING_PASSWORD: 'shots' };
  return { url: `http://127.0.0.1:${port}`, daemon: await startDaemon(join(folder, 'spate.yml'), port, env) };
};

const shoot = async (browser, url, pages, faults) => {
  for (const { scheme, width, height } of LOOKS) {
    const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height } });
    const page = await context.newPage();
    let name = '';
    page.on('pageerror', (error) => faults.push(`${name}, ${scheme}, ${width}: ${error.message}`));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !/status of 401/.test(message.text()))
        faults.push(`${name}, ${scheme}, ${width}: ${message.text()}`);
    });
    for (const [label, path, act] of pages) {
      name = label;
      await page.goto(url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await act?.(page);
      await sleep(SETTLE_MS);
      await page.screenshot({ path: join(OUT, `${label}-${scheme}-${width}.png`) });
    }
    await context.close();
  }
};

const main = async () => {
  if (CHROMIUM === undefined) throw new Error('There is no Chromium. Install the package chromium.');
  const wanted = process.argv.slice(2);
  const pages = PAGES.filter(([, path]) => wanted.length === 0 || wanted.includes(path));
  const folder = mkdtempSync(join(tmpdir(), 'spate-shots-'));
  mkdirSync(OUT, { recursive: true });
  const faults = [];
  const daemons = [];
  // Root has no sandbox.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    for (const name of ['incidents', 'worlds'])
      cpSync(join(ROOT, name), join(folder, 'open', name), { recursive: true });
    for (const [name, text] of Object.entries(INCIDENTS))
      writeFileSync(join(folder, 'open', 'incidents', name), text);
    const open = await instance(join(folder, 'open'), '', STARTUP);
    daemons.push(open.daemon);
    await startIncident(open.url);
    await sleep(WARM_UP_MS);
    await shoot(browser, open.url, pages, faults);
    if (wanted.length === 0) {
      const empty = await instance(join(folder, 'empty'), '', '[]\n');
      daemons.push(empty.daemon);
      const unused = [
        ['overview-empty', '/'],
        ['incidents-empty', '/incidents'],
      ];
      await shoot(browser, empty.url, unused, faults);
      const closed = await instance(join(folder, 'closed'), ', auth: {user: ann, password: secret}', '[]\n');
      daemons.push(closed.daemon);
      await shoot(browser, closed.url, [['sign-in', '/']], faults);
    }
  } finally {
    await browser.close();
    await Promise.all(daemons.map((daemon) => daemon.kill()));
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(`${OUT}\n`);
  for (const fault of new Set(faults)) process.stderr.write(`${fault}\n`);
  return faults.length === 0 ? 0 : 1;
};

process.exit(await main());
