import type { Page } from 'playwright-core';

interface Watch {
  readonly origin: string;
  /** Console messages that the test provokes. */
  readonly expected: RegExp | undefined;
  readonly onFault: (fault: string) => void;
}

/** Reports console errors and warnings, uncaught errors, policy violations and requests to other hosts. */
export const watchPage = (page: Page, { origin, expected, onFault }: Watch): void => {
  page.on('console', (message) => {
    const text = message.text();
    if (!['error', 'warning'].includes(message.type()) || expected?.test(text) === true) return;
    onFault(`console ${message.type()}: ${text} (${message.location().url})`);
  });
  page.on('pageerror', (error) => onFault(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol))
      onFault(`request to another host: ${url.href}`);
  });
};
