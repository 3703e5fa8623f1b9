/** What Python writes differently from JavaScript in a regular expression, and the flags it may start with. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\(\?P</g, '(?<'],
  [/\(\?P=(\w+)\)/g, '\\k<$1>'],
  [/\\A/g, '^'],
  [/\\Z/g, '$'],
];
const LEADING_FLAGS = /^\(\?([aimsux]+)\)/;
/** Flags that mean the same in both; `a` and `u` change nothing here. */
const SHARED_FLAGS = /[ims]/;

/**
 * The test whether a text matches a regular expression from its start (as Python's `re.match`), or one
 * sentence why the expression is refused. Written as for Python or JavaScript.
 */
export const compileMatch = (source: string): ((value: string) => boolean) | string => {
  const [leading = '', given = ''] = LEADING_FLAGS.exec(source) ?? [];
  if (given.includes('x')) return 'is refused: the flag x (verbose) is not supported';
  const flags = [...new Set(given)].filter((flag) => SHARED_FLAGS.test(flag)).join('');
  const translated = SPELLINGS.reduce(
    (text, [from, to]) => text.replace(from, to),
    source.slice(leading.length),
  );
  try {
    const expression = new RegExp(translated, `y${flags}`);
    return (value) => {
      expression.lastIndex = 0;
      return expression.test(value);
    };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.replace(/^Invalid regular expression: /, '') : '';
    return `is not a regular expression: ${reason}`;
  }
};
