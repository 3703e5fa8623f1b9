import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Instance, makeInstance } from '../../support/instance.js';
import { watchPage } from './faults.js';

/** Debian's; tests need no other browser and download none. The first has no windows, which take a third of the time. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;
export const CHROMIUM = BROWSERS.find((path) => existsSync(path)) ?? BROWSERS[0];
export const hasChromium = existsSync(CHROMIUM);
export const NEEDS_CHROMIUM = '(needs chromium-headless-shell or chromium)';

/** Longest wait for something on a page, on a machine that is slow and busy: as long as that of `eventually`. */
const PATIENCE_MS = 100_000;

export interface Look {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Console messages that the test provokes. */
  readonly expected?: RegExp;
  /** Runs in each tab before its page. */
  readonly before?: string;
}

export interface Ui {
  readonly instance: () => Instance;
  /** Opens a page of the UI in a profile of its own. */
  readonly open: (path: string, look?: Look) => Promise<Page>;
  /** Opens a page in another tab of the same browser. */
  readonly beside: (page: Page, path: string) => Promise<Page>;
  /** Faults of the open pages so far; the test that ends with one fails. */
  readonly faults: () => readonly string[];
  /** Forgets the faults so far. */
  readonly forgive: () => void;
}

type InstanceOptions = Partial<Parameters<typeof makeInstance>[0]>;

/** One daemon and one browser for the tests of a file. A test fails on any fault of its pages. */
export const browserSuite = (options: InstanceOptions = {}): Ui => {
  let browser: Browser | null = null;
  let instance: Instance | null = null;
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];
  const here = (): Instance => {
    if (instance === null) throw new Error('the instance is not started');
    return instance;
  };
  const origin = (): string => new URL(here().url).origin;

  beforeAll(async () => {
    instance = await makeInstance({ startup: '[]\n', generators: {}, ...options });
    await instance.start();
    // Root has no sandbox.
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    const found = faults.splice(0);
    if (found.length > 0) throw new Error(`the pages have faults:\n${found.join('\n')}`);
  });
  afterAll(async () => {
    await browser?.close();
    await instance?.remove();
  });

  const tab = async (context: BrowserContext, path: string, expected?: RegExp): Promise<Page> => {
    const page = await context.newPage();
    watchPage(page, { origin: origin(), expected, onFault: (fault) => faults.push(fault) });
    await page.goto(`${origin()}${path}`);
    return page;
  };

  return {
    instance: here,
    open: async (path, { scheme = 'light', width = 1280, height = 800, expected, before } = {}) => {
      // Whoever asks for less motion loses nothing, and a page that moves takes twice the time of the machine.
      const less = { reducedMotion: 'reduce' } as const;
      const context = await browser?.newContext({
        ...less,
        colorScheme: scheme,
        viewport: { width, height },
      });
      if (context === undefined) throw new Error('the browser is not started');
      contexts.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      if (before !== undefined) await context.addInitScript(before);
      return tab(context, path, expected);
    },
    beside: (page, path) => tab(page.context(), path),
    faults: () => [...faults],
    forgive: () => void faults.splice(0),
  };
};
