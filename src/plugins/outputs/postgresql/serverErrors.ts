import { networkError, type RequestError } from '../shared/errors.js';

/** Why a COPY failed. */
export interface CopyError extends RequestError {
  /** Rows are at fault: the others may be written without them. */
  readonly isRowFault: boolean;
  /** Row of the COPY where the server stopped, from 0. Null when it is not known. */
  readonly row: number | null;
}

interface Meaning {
  readonly isRetryable: boolean;
  readonly remedy: string;
  readonly isRowFault?: true;
}

const again = (remedy: string): Meaning => ({ isRetryable: true, remedy });
const never = (remedy: string): Meaning => ({ isRetryable: false, remedy });

const ROW: Meaning = {
  isRetryable: false,
  remedy: 'Check that the event fits the table.',
  isRowFault: true,
};
const TABLE = never('Create it, or correct `database`, `table` and the columns.');
const USER = never('Check `username`, `password`, `pg_hba.conf` and the rights of the user.');
const OVERLOAD = again('Check the server: connections, memory, disks.');
const RESTART = again('Check the server: it is starting, stopping or recovering.');
const CONFLICT = again('Check the locks and timeouts of the server.');

/** Whole codes first, then classes (PostgreSQL manual, appendix A). */
const BY_CODE: Readonly<Record<string, Meaning>> = {
  '25006': RESTART,
  '42501': USER,
  '42P01': TABLE,
  '42703': TABLE,
  '3D000': TABLE,
  '3F000': TABLE,
  '54000': ROW,
  '55000': never('Choose a table that accepts COPY.'),
  '57014': CONFLICT,
  // WITH CHECK OPTION of a view, errors raised by triggers.
  '44000': ROW,
};

const BY_CLASS: Readonly<Record<string, Meaning>> = {
  '08': OVERLOAD,
  '0A': never('Choose a table that accepts COPY.'),
  '22': ROW,
  '23': ROW,
  '25': CONFLICT,
  '28': USER,
  '40': CONFLICT,
  '42': never('Correct `table`, `column` or `columns`.'),
  '53': OVERLOAD,
  '54': never('Send smaller events, or fewer columns.'),
  '55': CONFLICT,
  '57': RESTART,
  '58': OVERLOAD,
  P0: ROW,
  XX: again('Check the log of the server.'),
};

const UNKNOWN = again('Check the log of the server.');

/** What an ErrorResponse holds, as far as it matters here. */
interface ServerError {
  readonly message: string;
  readonly code: string;
  readonly severity?: string;
  readonly where?: string;
}

/** A SQLSTATE has five characters; system codes of Node are longer or start with E. */
const isServerError = (thrown: unknown): thrown is ServerError =>
  thrown instanceof Error &&
  'severity' in thrown &&
  'code' in thrown &&
  typeof thrown.code === 'string' &&
  /^[0-9A-Z]{5}$/.test(thrown.code);

/** FATAL and PANIC end the connection. */
export const endsConnection = (thrown: unknown): boolean =>
  !isServerError(thrown) || thrown.severity === 'FATAL' || thrown.severity === 'PANIC';

/** `COPY events, line 3, column at: ...`; other languages give `null`. */
const rowIn = (where: string | undefined): number | null => {
  const line = /^COPY .*?, line (\d+)\b/m.exec(where ?? '')?.[1];
  return line === undefined ? null : Number(line) - 1;
};

/** Errors that `pg` makes without a code. */
const LOST = /^Connection terminated|not queryable|timeout expired/;
const NO_TLS = 'The server does not support SSL connections';

export const copyError = (thrown: unknown): CopyError => {
  const plain = { isRowFault: false, row: null };
  if (!isServerError(thrown)) {
    const message = thrown instanceof Error ? thrown.message : '';
    if (message === NO_TLS) {
      return {
        ...{ what: 'the server does not offer TLS', origin: '', isRetryable: true, code: null },
        ...{ remedy: 'Enable it on the server, or set `tls: false`.', ...plain },
      };
    }
    if (LOST.test(message)) {
      return {
        ...{ what: 'the connection was closed before the reply', origin: '', isRetryable: true, code: null },
        isClosing: true,
        ...{ remedy: 'Check the log of the server.', ...plain },
      };
    }
    return { ...networkError(thrown), ...plain };
  }
  const { isRetryable, remedy, isRowFault } =
    BY_CODE[thrown.code] ?? BY_CLASS[thrown.code.slice(0, 2)] ?? UNKNOWN;
  return {
    what: thrown.message,
    origin: `SQLSTATE ${thrown.code}`,
    remedy,
    isRetryable,
    code: null,
    isRowFault: isRowFault === true,
    row: isRowFault === true ? rowIn(thrown.where) : null,
  };
};
