/**
 * `node cron.mjs DIST ours|loop|cron-parser MILLISECONDS`: ticks a second of each schedule as JSON
 * (`{"every second UTC": 1e8, ...}`); `check` in place of MILLISECONDS prints the first ticks of each instead.
 */
import { join } from 'node:path';
import { CronExpressionParser } from 'cron-parser';

const [dist, side, amount] = process.argv.slice(2);
const { cronInput } = await import(join(dist, 'plugins', 'inputs', 'cron', 'plugin.js'));
const { parseCron } = await import(join(dist, 'plugins', 'inputs', 'cron', 'expression.js'));
const { zoneOf } = await import(join(dist, 'domain', 'time', 'zone.js'));

const EXPRESSIONS = {
  'every second': '* * * * * *',
  'every 5 minutes': '*/5 * * * *',
  'office hours': '*/15 9-17 * * 1-5',
  monthly: '0 0 1 * *',
  'last day of the month': '0 18 L * *',
  'leap day': '0 0 29 2 *',
};
const ZONES = ['UTC', 'Europe/Berlin'];
const FROM_MS = Date.UTC(2026, 0, 1);
const LENGTH = 10_000;
/** Ticks that are compared: no schedule but those of whole days reaches a change of the offset. */
const COMPARED = 300;
/** cron-parser finds a tick of a leap day after years of days: few at a time. */
const TICKS_AT_ONCE = 20;

/** Each maker gives a function that writes the next ticks into `out` and returns how many: 0 at the end. */
const MAKERS = {
  ours: (expression, zone) => {
    const input = cronInput({
      expression: parseCron(expression).right,
      zone: zoneOf(zone),
      from: FROM_MS * 1_000,
      end: Number.POSITIVE_INFINITY,
      count: 1,
    });
    return input.fill;
  },
  loop: () => {
    let next = FROM_MS * 1_000;
    return (out) => {
      let at = next;
      for (let index = 0; index < out.length; index++) {
        out[index] = at;
        at += 1_000_000;
      }
      next = at;
      return out.length;
    };
  },
  'cron-parser': (expression, zone) => {
    const ticks = CronExpressionParser.parse(expression, { tz: zone, currentDate: new Date(FROM_MS - 1) });
    let left = 10_000;
    return (out) => {
      const count = Math.min(TICKS_AT_ONCE, left, out.length);
      for (let index = 0; index < count; index++) out[index] = ticks.next().getTime() * 1_000;
      left -= count;
      return count;
    };
  },
};

const firstTicks = (fill) => {
  const ticks = [];
  const out = new Float64Array(50);
  while (ticks.length < COMPARED) {
    const count = fill(out);
    if (count === 0) break;
    ticks.push(...out.subarray(0, count));
  }
  return ticks.slice(0, COMPARED);
};

/** Ticks a second of the function that writes them; making it, again at each end of the schedule, is not counted. */
const rateOf = (make) => {
  const out = new Float64Array(LENGTH);
  let [ticks, took] = [0, 0];
  const limit = performance.now() + 10 * Number(amount);
  for (let fill = make(); took < Number(amount) && performance.now() < limit; ) {
    const begin = performance.now();
    const count = fill(out);
    took += performance.now() - begin;
    ticks += count;
    if (count === 0) fill = make();
  }
  return (ticks / took) * 1_000;
};

const answer = {};
for (const zone of ZONES) {
  for (const [name, expression] of Object.entries(EXPRESSIONS)) {
    const make = () => MAKERS[side](expression, zone);
    // One round to warm up.
    if (amount !== 'check') rateOf(make);
    answer[`${name} ${zone}`] = amount === 'check' ? firstTicks(make()) : rateOf(make);
  }
}
process.stdout.write(JSON.stringify(answer));
