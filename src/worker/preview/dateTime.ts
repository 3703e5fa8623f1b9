import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../adapters/systemClock.js';
import { failure, type Result } from '../../domain/errors.js';
import type { NormalizeTask } from '../../domain/preview.js';
import { parseExpression, resolveExpression } from '../../domain/time/expression.js';
import { isoFormatter, offsetText } from '../../domain/time/iso.js';
import { MIN_MICROS, type Micros, NEVER } from '../../domain/time/micros.js';
import { parseIso } from '../../domain/time/parseIso.js';
import { type Zone, zoneOf } from '../../domain/time/zone.js';
import { readHumanDate } from '../../plugins/inputs/shared/humanDate.js';
import type { AnswerText } from './answer.js';

const refused = (key: string, type: string, message: string): Result<never> =>
  E.left(failure('invalid', `${key} ${message}`, { issues: [{ path: [key], type, message }] }));

/** Ends of the calendar, outside of the exact instants: local times, with the oldest known offset and the last one. */
const ENDS = {
  min: { date: '0001-01-01T00:00:00', offsetAt: MIN_MICROS },
  max: { date: '9999-12-31T23:59:59.999999', offsetAt: Date.parse('9999-12-31T00:00:00Z') * 1000 },
};

const endText = (end: keyof typeof ENDS, zone: Zone): string =>
  ENDS[end].date + offsetText(zone.offsetSecondsAt(ENDS[end].offsetAt));

const baseOf = ({ relative_base }: NormalizeTask, zone: Zone, now: Micros): Result<Micros> => {
  if (relative_base === null) return E.right(now);
  const base = parseIso(relative_base, zone);
  return base === null
    ? refused('relative_base', 'bad_format', 'must be an ISO 8601 date-time of the years 1684 to 2255')
    : E.right(base);
};

const normalized = (task: NormalizeTask, now: Micros): Result<string> => {
  const zone = zoneOf(task.timezone);
  if (zone === null) return refused('timezone', 'not_allowed', 'must be an IANA time zone');
  const base = baseOf(task, zone, now);
  if (E.isLeft(base)) return base;
  const iso = isoFormatter(zone);
  if (task.value === null)
    return E.right(task.none_point === 'now' ? iso(now) : endText(task.none_point, zone));
  const expression = parseExpression(task.value);
  if (E.isLeft(expression)) return refused('value', 'bad_format', expression.left);
  // The base replaces now in words like "tomorrow" too; the keyword `now` is always the clock.
  const instant =
    expression.right.kind === 'now'
      ? E.right(now)
      : resolveExpression(expression.right, base.right, {
          now: base.right,
          zone,
          readHuman: readHumanDate,
        });
  if (E.isLeft(instant)) return refused('value', 'bad_format', instant.left);
  return E.right(instant.right === NEVER ? endText('max', zone) : iso(instant.right));
};

/** The instant of a date-time expression, as ISO text in its zone. */
export const previewDateTime = (task: NormalizeTask): AnswerText =>
  E.map((text: string) => [JSON.stringify(text)])(normalized(task, systemClock.now()));
