import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { freePort, type Instance, makeInstance } from '../support/instance.js';
import { type ChildProcess, spawn } from '../support/programs.js';
import { ROOT } from '../support/sources.js';
import {
  countCalls,
  type Inspect,
  type ScriptCalls,
  TRACED,
  takeCalls,
  traceProgram,
} from '../support/trace.js';
import { CHROMIUM, hasChromium, NEEDS_CHROMIUM } from '../ui/browser/browser.js';
import { expectWalk } from './walks.js';

const NAME = 'a click in the UI goes through the files that its walk tells of, to the live numbers';

/** The page comes file by file from a server that makes them at the first look. */
const PATIENCE_MS = 100_000;
/** What is on its way when the click answers; then the numbers have come in. */
const SETTLE_MS = 2_500;

let instance: Instance;
let browser: Browser;
let server: ChildProcess;
let origin: string;
let cache: string;

beforeAll(async () => {
  if (!hasChromium) return;
  instance = await makeInstance({
    env: TRACED,
    startup: '- {id: web, path: web/generator.yml, autostart: false}\n',
    generators: {
      'web/generator.yml': `input: [cron: {expression: '* * * * * *', count: 3}]
event: {template: {mode: all, templates: [{line: {template: line.jinja}}]}}
output: [file: {path: out.log}]
`,
      'web/line.jinja': 'an event',
    },
  });
  await instance.start();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  cache = await mkdtemp(join(tmpdir(), 'spate-vite-'));
  const api = new URL(instance.url).origin;
  const args = [join(ROOT, 'test/walks/uiServer.mjs'), ROOT, api, String(port), cache];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  server = child;
  await new Promise((ready) => child.stdout.once('data', ready));
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
});

afterAll(async () => {
  if (!hasChromium) return;
  await browser.close();
  server.kill('SIGKILL');
  await instance.remove();
  await rm(cache, { recursive: true, force: true });
});

/** Modules of the UI, each a file, whose functions with a name were called. */
const modulesIn = (scripts: readonly ScriptCalls[]): ReadonlySet<string> =>
  new Set(
    scripts.flatMap(({ url, functions }) => {
      const path = url.startsWith(origin) ? new URL(url).pathname : '';
      const isOurs = /\.tsx?$/.test(path) && !/@|node_modules/.test(path);
      const isEntered = functions.some(
        ({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0,
      );
      return isOurs && isEntered ? [`src/ui${path}`] : [];
    }),
  );

(hasChromium ? test : test.skip)(`${NAME} ${NEEDS_CHROMIUM}`, async () => {
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  // Without it the page itself holds the stream, where calls are counted.
  await context.addInitScript('delete globalThis.SharedWorker');
  const page = await context.newPage();
  await page.goto(`${origin}/r/web`);
  const button = page.getByRole('button', { name: 'Start' }).first();
  await button.waitFor();
  const trace = await traceProgram(instance.program());
  const session = await context.newCDPSession(page);
  const inspect: Inspect = (method, params) => session.send(method as never, params as never);
  await countCalls(inspect);
  await trace.take();
  await button.click();
  await page.getByText('an event').first().waitFor();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const inBrowser = modulesIn(await takeCalls(inspect));
  const { main } = await trace.take();
  trace.end();
  expect(inBrowser.size).toBeGreaterThan(10);
  expectWalk('click', new Set([...inBrowser, ...main]));
});
