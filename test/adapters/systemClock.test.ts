import { expect, test } from '@jest/globals';
import { systemClock } from '../../src/adapters/systemClock.js';
import { spawn } from '../support/programs.js';

/** Nothing else of this process runs meanwhile, as when the machine is suspended. */
const standStill = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test('after a standstill of the process, what has arrived is heard before a time limit is over', async () => {
  const child = spawn('sh', ['-c', 'read line; echo answer'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const heard: string[] = [];
  child.stdout.on('data', () => heard.push('answer'));
  await new Promise((resolve) => child.once('spawn', resolve));
  const over = new Promise<void>((resolve) => {
    systemClock.after(100, () => {
      heard.push('limit');
      resolve();
    });
  });
  child.stdin.write('question\n');
  // The question leaves in this turn of the event loop.
  await systemClock.yieldTurn();
  standStill(1_000);
  await over;
  expect(heard).toEqual(['answer', 'limit']);
});

test('a time limit that is taken back does not come, also after a standstill', async () => {
  const heard: string[] = [];
  const takeBack = systemClock.after(10, () => heard.push('limit'));
  setTimeout(() => setImmediate(takeBack), 10);
  standStill(600);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(heard).toEqual([]);
});
