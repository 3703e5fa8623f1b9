import { describe, expect, test } from '@jest/globals';
import { pacer } from '../../src/domain/waiting.js';
import { fakeClock } from '../support/clocks/fakeClock.js';

/** Numbers the turns of the event loop. */
const turns = () => {
  let turn = 0;
  const { yieldTurn } = fakeClock();
  const paced = pacer({
    yieldTurn: async () => {
      await yieldTurn();
      turn++;
    },
  });
  return { paced, now: () => turn };
};

describe('paced work', () => {
  test('starts at once when nothing else waits', () => {
    const { paced } = turns();
    const begun: string[] = [];
    void paced(() => begun.push('a'));
    expect(begun).toEqual(['a']);
  });

  test('starts in order, one task per turn, later ones included', async () => {
    const { paced, now } = turns();
    const begun: (readonly [string, number])[] = [];
    const note = (name: string) => paced(() => begun.push([name, now()]));
    const later = paced(async () => {
      begun.push(['first', now()]);
      await note('asked for meanwhile');
    });
    await Promise.all([later, ...['a', 'b', 'c'].map(note)]);
    expect(begun.map(([name]) => name)).toEqual(['first', 'asked for meanwhile', 'a', 'b', 'c']);
    expect(new Set(begun.map(([, turn]) => turn)).size).toBe(begun.length);
  });

  test('continues while an earlier task waits, and each caller gets its own result', async () => {
    const { paced } = turns();
    const never = paced(() => new Promise<never>(() => {}));
    const failing = expect(
      paced(() => {
        throw new Error('mine alone');
      }),
    ).rejects.toThrow('mine alone');
    expect(await paced(async () => 7)).toBe(7);
    await failing;
    expect(await Promise.race([never, Promise.resolve('waits still')])).toBe('waits still');
  });

  test('starts at once again after an idle time', async () => {
    const { paced } = turns();
    await Promise.all([paced(() => 1), paced(() => 2)]);
    await fakeClock().settle();
    const begun: number[] = [];
    void paced(() => begun.push(3));
    expect(begun).toEqual([3]);
  });
});
