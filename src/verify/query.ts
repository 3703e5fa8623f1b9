import * as E from 'fp-ts/lib/Either.js';

export interface VerifyQuery {
  readonly text: string;
  /** `lines`: rows are taken unchanged. */
  readonly rows: 'lines' | 'tab' | 'json';
}

const FORMAT = /\bformat\s+([a-z]\w*)(\s+settings\s[^;]*)?$/i;

/** Adds a missing FORMAT; `has_arrival` requires column names. An error is the problem as an unfinished sentence. */
export const verifyQuery = (query: string, has_arrival: boolean): E.Either<string, VerifyQuery> => {
  const bare = query.replace(/[\s;]+$/, '');
  const format = FORMAT.exec(bare)?.[1];
  // On a line of its own, as the query may end with a comment.
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
