import { describe, expect, test } from '@jest/globals';
import { cronWords } from '../../../src/ui/pages/workbench/preview/cronWords.js';

describe('a cron expression in words', () => {
  test.each([
    ['* * * * * *', 'Every second'],
    ['*/5 * * * * *', 'Every 5 seconds'],
    ['* * * * *', 'Every minute'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['0 * * * *', 'Every hour'],
    ['30 * * * *', 'At minute 30 of every hour'],
    ['0,30 * * * *', 'At minutes 0 and 30 of every hour'],
    ['0 */2 * * *', 'Every 2 hours'],
    ['0 9 * * *', 'At 09:00, every day'],
    ['30 9,17 * * *', 'At 09:30 and 17:30, every day'],
    ['15 30 9 * * *', 'At 09:30:15, every day'],
    ['*/15 9-17 * * MON-FRI', 'Every 15 minutes from 09:00 to 17:59, on Monday to Friday'],
    ['* * 8-22 * * *', 'Every second, from 08:00 to 22:59'],
    ['* * 13-17 * * 0,6', 'Every second, from 13:00 to 17:59, on Sunday and Saturday'],
    ['0 18 L * *', 'At 18:00, on the last day of the month'],
    ['0 0 1 1 *', 'At 00:00, on day 1 of the month, in January'],
    ['0 12 * * 5#2', 'At 12:00, on the second Friday of the month'],
    ['0 12 * * 5L', 'At 12:00, on the last Friday of the month'],
    ['0 0 1,15 * MON', 'At 00:00, on day 1 and day 15 of the month or on Monday'],
    ['0 0 */2 * *', 'At 00:00, every 2 days of the month'],
    ['30 * * * * *', 'At second 30 of every minute'],
    ['*/10 0 9 * * *', 'Every 10 seconds, at minute 0, from 09:00 to 09:59'],
    ['0 8 * 6-8 *', 'At 08:00, every day, in June to August'],
    ['@hourly', 'Every hour'],
    ['@weekly', 'At 00:00, on Sunday'],
  ])('%s', (expression, words) => {
    expect(cronWords(expression)).toBe(words);
  });

  test.each(['', '* * *', '@reboot', '* * * * * * *'])('%j has none', (expression) => {
    expect(cronWords(expression)).toBeNull();
  });
});
