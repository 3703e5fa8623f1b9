import type { BulkStart } from '../../messages/generators.js';
import { counted } from './numbers.js';

/** The id of one generator, or the number of several. */
export const nameOf = (ids: readonly string[]): string =>
  ids.length === 1 ? String(ids[0]) : counted(ids.length, 'generator');

const MAX_REASONS = 3;

/** What a start of several did, in words. */
export const startedText = (
  verb: 'started' | 'restarted',
  { running_generator_ids: up, non_running_generator_ids: down, reasons }: BulkStart,
): string => {
  const done = up.length === 0 ? '' : `${nameOf(up)} ${verb}. `;
  if (down.length === 0) return done.trim();
  const shown = down.slice(0, MAX_REASONS).map((id) => `${id}: ${reasons[id] ?? 'it does not run'}`);
  const more = down.length > MAX_REASONS ? [`${down.length - MAX_REASONS} more`] : [];
  return `${done}${counted(down.length, 'generator')} did not start.\n${[...shown, ...more].join('\n')}`;
};
