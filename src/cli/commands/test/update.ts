import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import type { Edit } from '../../../config/yaml/edit.js';
import { editedText } from '../../../config/yaml/textEdit.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { TestFile } from '../../../expect/format.js';
import type { TestResult } from './runTest.js';
import { testOf } from './testFile.js';

/** `kept`: the fingerprint is right already. */
export type Updated = 'written' | 'kept' | 'refused';

const placesOf = ({ checks }: TestFile): readonly number[] =>
  checks.flatMap(({ kind }, index) => (kind === 'fingerprint' ? [index] : []));

/** Everything but fingerprints, to compare. */
const othersOf = ({ checks, ...rest }: TestFile): string =>
  JSON.stringify([rest, checks.filter(({ kind }) => kind !== 'fingerprint')]);

/**
 * Writes the measured fingerprint into a tests file: into its fingerprint check, or as a new check at the end. Comments
 * and layout stay. `refused`: another check fails, so the events are not what they should be.
 */
export const updateFingerprint = async ({
  found,
  read,
  fingerprint,
  checks,
}: TestResult): Promise<Result<Updated>> => {
  if (read === null || fingerprint === null) return E.right('refused');
  if (checks.some(({ check, verdict }) => check !== 'fingerprint' && !verdict.isOk))
    return E.right('refused');
  const places = placesOf(read.test);
  const isKept =
    places.length > 0 &&
    read.test.checks.every(({ kind, params }) => kind !== 'fingerprint' || params === fingerprint);
  if (isKept) return E.right('kept');
  const edits: readonly Edit[] =
    places.length === 0
      ? [{ op: 'set', path: ['checks', read.test.checks.length], value: { fingerprint } }]
      : places.map((place) => ({ op: 'set', path: ['checks', place, 'fingerprint'], value: fingerprint }));
  const text = editedText(
    read.text,
    () => edits,
    (next) => {
      const decoded = testOf(next, found.shown);
      if (E.isLeft(decoded) || othersOf(decoded.right.test) !== othersOf(read.test)) return null;
      return decoded.right.test.checks.some(
        ({ kind, params }) => kind === 'fingerprint' && params === fingerprint,
      )
        ? next
        : null;
    },
  );
  if (text === null)
    return E.left(
      failure(
        'invalid',
        `${found.shown}: the fingerprint cannot be written into this layout. Add "- fingerprint: ${fingerprint}" to the checks.`,
      ),
    );
  const written = await nodeFiles.replaceText(found.path, text);
  return E.isLeft(written) ? written : E.right('written');
};
