import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../adapters/systemClock.js';
import type { LogTimes } from '../../domain/logTimes.js';
import type { LogTimesTask } from '../../domain/preview.js';
import { utc, zoneOf } from '../../domain/time/zone.js';
import { checkTimes } from '../../plugins/events/replay/guess/check.js';
import { guessTimes } from '../../plugins/events/replay/guess/guess.js';
import { useLinearEngine } from '../../plugins/shared/linearEngine.js';
import type { AnswerText } from './answer.js';

/** Lines with text and their numbers, without line ends. */
const linesOf = (text: string): readonly { readonly number: number; readonly text: string }[] =>
  text
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, text: line }))
    .filter((line) => line.text.trim() !== '');

/** Checks the given pattern and format, or guesses them. */
export const previewLogTimes = ({ text, timezone, ...given }: LogTimesTask): AnswerText => {
  useLinearEngine();
  const lines = linesOf(text);
  const { timestamp_pattern, timestamp_format } = given;
  const candidates = timestamp_pattern === null ? guessTimes(lines.map((line) => line.text)) : [];
  const chosen = timestamp_pattern === null ? candidates[0] : { timestamp_pattern, timestamp_format };
  const answer = (more: Pick<LogTimes, 'checked' | 'flaws'>): AnswerText =>
    E.right([JSON.stringify({ lines: lines.length, candidates, ...more } satisfies LogTimes)]);
  if (chosen === undefined) return answer({ checked: null, flaws: [] });
  const clock = { now: systemClock.now(), zone: zoneOf(timezone) ?? utc };
  const checked = checkTimes(lines, chosen, clock);
  return E.isLeft(checked)
    ? answer({ checked: null, flaws: [checked.left] })
    : answer({ checked: checked.right, flaws: [] });
};
