import { expect, test } from '@jest/globals';
import { budgetedLog } from '../../../src/adapters/logs/budgetedLog.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import { memoryLog } from '../../support/logs.js';

const rig = () => {
  const clock = fakeClock();
  const { log, lines } = memoryLog();
  const budgeted = budgetedLog(log.with({ generator_id: 'a' }), clock);
  const dropped = (): number =>
    lines.reduce(
      (sum, { message, context }) => sum + (/dropped/.test(message) ? Number(context['count']) : 0),
      0,
    );
  return { clock, lines, log: budgeted, dropped };
};

test('a thousand lines a second pass unchanged, with their context', async () => {
  const { clock, lines, log } = rig();
  const plugin = log.with({ plugin_name: 'script' });
  for (let count = 0; count < 10_000; count++) {
    plugin.write('info', 'x'.repeat(60), { count });
    if (count % 100 === 99) await clock.advanceMs(100);
  }
  expect(lines).toHaveLength(10_000);
  expect(lines[7]).toEqual({
    level: 'info',
    message: 'x'.repeat(60),
    context: { generator_id: 'a', plugin_name: 'script', count: 7 },
  });
});

test('a bounded part of a flood passes; every line is written or counted as dropped', async () => {
  const { clock, lines, log, dropped } = rig();
  for (let second = 0; second < 10; second++) {
    for (let count = 0; count < 20_000; count++) log.write('info', 'flood');
    await clock.advanceMs(1_000);
  }
  await clock.advanceMs(60_000);
  log.write('info', 'calm');
  const passed = lines.filter(({ message }) => message === 'flood').length;
  expect(passed).toBeGreaterThan(10_000);
  expect(passed).toBeLessThan(20_000);
  expect(passed + dropped()).toBe(200_000);
  expect(lines.length - passed).toBeLessThan(15);
  expect(lines.at(-1)?.message).toBe('calm');
});

test('chatter does not crowd out warnings and worse', () => {
  const { lines, log } = rig();
  for (let count = 0; count < 100_000; count++) log.write('debug', 'flood');
  log.write('error', 'a write failed');
  expect(lines.at(-1)).toMatchObject({ level: 'error', message: 'a write failed' });
});

test('a flood of errors is bounded too, and so are long lines', () => {
  const { lines, log } = rig();
  for (let count = 0; count < 100_000; count++) log.write('error', 'flood');
  expect(lines.length).toBeLessThan(10_000);
  const huge = 'x'.repeat(5_000_000);
  for (let count = 0; count < 1_000; count++) log.write('info', huge);
  const long = lines.filter(({ message }) => message.length > 1_000);
  expect(long.length).toBeGreaterThan(0);
  expect(long.reduce((sum, { message }) => sum + message.length, 0)).toBeLessThan(1_100_000);
});

test('a huge text is cut, in the message and in its context, and costs what is left of it', () => {
  const { lines, log, dropped } = rig();
  const huge = 'x'.repeat(50_000_000);
  for (let count = 0; count < 10; count++) log.write('error', huge, { reason: huge, list: [huge], count });
  expect(lines).toHaveLength(10);
  expect(dropped()).toBe(0);
  const [line] = lines;
  expect(line?.message).toMatch(/^x{8192}\.\.\. \(cut: 50000000 characters\)$/);
  expect(String(line?.context['reason']).length).toBeLessThan(8_300);
  expect(String(line?.context['list']).length).toBeLessThan(8_300);
  expect(line?.context['count']).toBe(0);
});
