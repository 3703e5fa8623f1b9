import * as E from 'fp-ts/lib/Either.js';

/** A query whose result can be verified. */
export interface VerifyQuery {
  /** With its FORMAT. */
  readonly text: string;
  /** How its rows are read: `lines` as they are. */
  readonly rows: 'lines' | 'tab' | 'json';
}

const FORMAT = /\bformat\s+([a-z]\w*)(\s+settings\s[^;]*)?$/i;

/**
 * Adds the format to a query that names none. With `has_arrival` its rows need names for their columns.
 * Left: what is wrong, as a sentence without its end.
 */
export const verifyQuery = (query: string, has_arrival: boolean): E.Either<string, VerifyQuery> => {
  const bare = query.replace(/[\s;]+$/, '');
  const format = FORMAT.exec(bare)?.[1];
  // On a line of its own: the query may end with a comment.
  if (format === undefined) {
    return has_arrival
      ? E.right({ text: `${bare}\nFORMAT TabSeparatedWithNames`, rows: 'tab' })
      : E.right({ text: `${bare}\nFORMAT TabSeparated`, rows: 'lines' });
  }
  if (!has_arrival) return E.right({ text: bare, rows: 'lines' });
  if (/^(TabSeparatedWithNames|TSVWithNames)$/.test(format)) return E.right({ text: bare, rows: 'tab' });
  if (format === 'JSONEachRow') return E.right({ text: bare, rows: 'json' });
  return E.left(
    '--arrival-column needs a result whose columns have names: leave FORMAT out of the query, or ask for ' +
      'TabSeparatedWithNames or JSONEachRow',
  );
};
