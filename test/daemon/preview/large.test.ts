import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const SIZE = 1_000_000;

let instance: Instance;
beforeAll(async () => {
  instance = await makeInstance({
    startup: '[]',
    generators: {
      'web/generator.yml':
        'input: [static: {count: 1}]\nevent: {script: {path: x.mjs}}\noutput: [stdout: {}]\n',
    },
  });
  await instance.start();
});
afterAll(() => instance.remove());

interface Preview {
  readonly total: number;
  readonly timestamps: readonly string[];
  readonly first_timestamps: readonly string[];
  readonly last_timestamps: readonly string[];
  readonly span_counts: Readonly<Record<string, readonly number[]>>;
}

// How fast: `npm run bench -- preview`.
test('a million timestamps are answered whole, and health requests beside them too', async () => {
  let probes = 0;
  const probe = new AbortController();
  const probing = (async () => {
    while (!probe.signal.aborted) {
      const health = await fetch(`${instance.url}/health`);
      await health.text();
      expect(health.status).toBe(200);
      probes++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const body = [{ cron: { expression: '* * * * * *', count: 1, start: '2026-01-01T00:00:00Z' } }];
  const query = `size=${SIZE}&skip_past=false&timezone=Europe/Berlin`;
  const ask = async () => {
    const response = await fetch(`${instance.url}/preview/web/input-plugins/generate?${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    // Bytes, not text: decoding would keep this process from asking for health meanwhile.
    return { status: response.status, bytes: await response.arrayBuffer() };
  };
  // On a busy machine a preview may exceed its ten seconds.
  const { status, bytes } = await eventually(async () => {
    const answer = await ask();
    return answer.status === 503 ? null : answer;
  }, 'an answer in time');
  probe.abort();
  await probing;
  expect(status).toBe(200);
  const preview = JSON.parse(Buffer.from(bytes).toString()) as Preview;
  expect([preview.total, preview.timestamps.length]).toEqual([SIZE, SIZE]);
  const wrong = preview.timestamps.findIndex(
    (text, second) => Date.parse(text) !== Date.UTC(2026, 0, 1) + second * 1000,
  );
  expect(wrong).toBe(-1);
  expect(preview.timestamps[0]).toBe('2026-01-01T01:00:00+01:00');
  expect(preview.first_timestamps).toEqual(preview.timestamps.slice(0, 50));
  expect(preview.last_timestamps).toEqual(preview.timestamps.slice(-50));
  expect(preview.span_counts['1']?.reduce((sum, count) => sum + count, 0)).toBe(SIZE);
  expect(probes).toBeGreaterThan(0);
});
