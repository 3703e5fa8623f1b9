import { describe, expect, test } from '@jest/globals';
import { apiLoad, LOAD_INSTANCE } from '../../bench/apiLoad.mjs';
import { type Instance, makeInstance } from '../../support/instance.js';
import { writeHistory } from '../../support/writeHistory.mjs';

const SEED = Number(process.env['SPATE_TEST_SEED'] ?? Date.now()) % 2 ** 31;

// How fast they are answered: `npm run bench -- api`.
describe('an instance whose API is used by many at once', () => {
  test('answers all of them, loses no change, and leaves valid files, beside two generators at full speed', async () => {
    let made: Instance | null = null;
    try {
      const instance = await makeInstance(LOAD_INSTANCE);
      made = instance;
      await instance.start();
      const { problems, ...report } = await apiLoad({
        folder: instance.folder,
        port: Number(new URL(instance.url).port),
        connections: 40,
        per_second: 60,
        seconds: 6,
        seed: SEED,
        stop: async () => {
          expect(await instance.kill('SIGTERM')).toEqual({ code: 0, signal: null });
        },
      });
      process.stderr.write(
        `seed ${SEED}: reads ${JSON.stringify(report.reads_ms)}, writes ${JSON.stringify(report.writes_ms)}, previews ${JSON.stringify(report.previews_ms)}\n`,
      );
      expect(problems).toEqual([]);
      expect(report.requests).toBe(360);
      expect(report.connections.opened).toBe(40);
      expect(report.previews_ms.count).toBeGreaterThan(0);
      expect(report.writes_ms.count).toBeGreaterThan(10);
    } finally {
      await made?.remove();
    }
  }, 600_000);
});

describe('the history of writes', () => {
  test('allows versions in force, under way or overlapping, and none that was replaced', () => {
    const place = writeHistory('first');
    expect(place.possible()).toEqual(['first']);
    const [a, b] = [place.begin('a'), place.begin('b')];
    expect(place.possible()).toEqual(['first', 'a', 'b']);
    a.end('done');
    expect(place.possible()).toEqual(['a', 'b']);
    b.end('done');
    // They overlapped: either may be the last.
    expect(place.possible()).toEqual(['a', 'b']);
    const looked = place.look();
    const c = place.begin('c');
    c.end('done');
    expect(looked()).toEqual(['a', 'b', 'c']);
    expect(place.possible()).toEqual(['c']);
    place.begin('d').end('refused');
    place.begin('e');
    expect(place.possible()).toEqual(['c', 'e']);
    place.settle('e');
    expect(place.possible()).toEqual(['e']);
  });
});
