import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../domain/errors.js';
import type { Secrets } from '../ports/files.js';

/** Until there is a keyring every secret is missing, and says so. */
export const noSecrets: Secrets = {
  read: (name) =>
    Promise.resolve(
      E.left(failure('not_found', `secret "${name}" is missing: this version of Spate has no keyring yet`)),
    ),
};
