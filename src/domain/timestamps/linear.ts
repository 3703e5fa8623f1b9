/** V8's linear engine rejects patterns with more repetitions, nested ones multiplied. */
const MAX_REPETITION = 16;

const NEEDS_BACKTRACKING = /^(?:\(\?(?:=|!|<=|<!)|\(\?:\(\?!|\\(?:k<|[1-9]))/;

/** Same meaning with and without the `u` flag, on text without surrogates. */
const isPlainPiece = (piece: string): boolean =>
  /^[\0-\x7f]*$/.test(piece) && !/\\[upP]|\\x[89a-fA-F]/.test(piece);

/** Returns how many copies of a part a quantifier makes in the linear engine, or null when it is no quantifier. */
const copiesOf = (piece: string): number | null => {
  if (piece === '*' || piece === '?') return 1;
  if (piece === '+') return 2;
  const counted = /^\{(\d*)(,?)(\d*)\}$/.exec(piece);
  if (counted === null) return null;
  const [, from = '', comma, to = ''] = counted;
  if (comma === '') return Number(from);
  return to === '' ? Number(from) + 1 : Math.max(Number(from), Number(to));
};

const mostCopies = (pieces: readonly string[]): number => {
  const groups: number[] = [];
  let most = 1;
  /** Copies within the part before the next quantifier. */
  let last = 1;
  for (const piece of pieces) {
    const copies = copiesOf(piece);
    if (copies !== null) {
      last *= Math.max(1, copies);
      most = Math.max(most, last);
      continue;
    }
    if (piece.startsWith('(') && !piece.endsWith(')')) {
      groups.push(most);
      most = 1;
    } else if (piece === ')') {
      last = most;
      most = Math.max(most, groups.pop() ?? 1);
      continue;
    }
    last = 1;
  }
  return most;
};

/**
 * Whether V8 can match a translated pattern in linear time
 * (`--enable-experimental-regexp-engine-on-excessive-backtracks`). Others may backtrack without end.
 */
export const isLinear = (pieces: readonly string[]): boolean =>
  pieces.every((piece) => isPlainPiece(piece) && !NEEDS_BACKTRACKING.test(piece)) &&
  mostCopies(pieces) <= MAX_REPETITION;
