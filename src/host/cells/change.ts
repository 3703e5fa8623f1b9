import { createHash } from 'node:crypto';
import { allowsChange } from '../../domain/directories/etag.js';
import { failure } from '../../domain/errors.js';
import { cellText, type GlobalsCell, MAX_GLOBALS_LENGTH } from '../../domain/globals/cell.js';
import { applyChange, type GlobalsChange } from '../../domain/globals/patch.js';
import type { Json } from '../../domain/json.js';
import type { CellAnswer } from '../protocol.js';

/** Strong entity tag of a state: a digest of its JSON text. */
export const etagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;

/** The cell's text and entity tag. */
export const readCell = (
  cell: GlobalsCell,
): { readonly ok: true; readonly etag: string; readonly text: string } => {
  const { text } = cellText(cell);
  return { ok: true, etag: etagOf(text), text };
};

/**
 * Applies a change made through the API, whole or not at all: refused when `If-Match` names another
 * version or the state would pass its limit.
 */
export const tryChange = (
  cell: GlobalsCell,
  change: GlobalsChange,
  number: number,
  if_match: string | null,
): CellAnswer => {
  if (if_match !== null && !allowsChange(if_match, readCell(cell).etag)) {
    return {
      ok: false,
      error: failure('precondition_failed', 'the globals have changed since you read them: read them again'),
    };
  }
  const values = applyChange(cell.values, change) as Record<string, Json>;
  const { text } = cellText({ ...cell, values });
  if (text.length > MAX_GLOBALS_LENGTH) {
    const limit = `${MAX_GLOBALS_LENGTH / 1024 / 1024} MiB`;
    return {
      ok: false,
      error: failure(
        'too_large',
        `the globals of scenario "${cell.scenario}" would be over ${limit}: delete keys first`,
      ),
    };
  }
  cell.values = values;
  cell.changeNumber = number;
  cell.isFull = false;
  return { ok: true, etag: etagOf(text), text: null };
};
