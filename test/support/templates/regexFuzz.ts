/** Random patterns with texts that they may match, from a seed. */

type Case = readonly [pattern: string, text: string, flag: string];

const ATOMS = [
  ...[
    'a',
    'b',
    'c',
    '.',
    '[ab]',
    '[^a]',
    '\\d',
    '\\w',
    '\\s',
    '\\b',
    '\\B',
    '^',
    '$',
    '\\Z',
    '\\A',
    'é',
    '[a-c]',
  ],
  ...['\\W', '(?i:A)', 'A', '1', ' ', '[\\w-]', '\\.', '\\n', '😀'],
];
const CHARACTERS = ['a', 'b', 'c', 'A', '1', ' ', '\n', 'é', 'a', 'b', '😀', '_'];
const REPEATS = ['*', '+', '?', '{2}', '{1,2}', '{0,3}', '{2,}'];
const MODES = ['', '', '?', '?', '', '+'];

export const makeRandom = (seed: number, count: number): { readonly cases: readonly Case[] } => {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 8) % limit;
  };
  const pick = <A>(items: readonly A[]): A => items[below(items.length)] as A;
  let groups = 0;

  const atom = (depth: number): string => {
    const kind = below(depth > 0 ? 16 : 9);
    if (kind < 9) return pick(ATOMS);
    if (kind < 11) {
      groups++;
      return `(${sequence(depth - 1)})`;
    }
    if (kind === 11) return `(?:${sequence(depth - 1)})`;
    if (kind === 12) return `(?:${sequence(depth - 1)}|${sequence(depth - 1)})`;
    if (kind === 13) return `${pick(['(?=', '(?!'])}${sequence(depth - 1)})`;
    if (kind === 14) return groups > 0 ? `\\${1 + below(groups)}` : 'a';
    return pick([`(?>${sequence(depth - 1)})`, '(?:(?<=a)b)', '(?:(?<!b)a)']);
  };
  const sequence = (depth: number): string => {
    let text = '';
    for (let left = 1 + below(3); left > 0; left--) {
      text += atom(depth);
      if (below(3) === 0) text += pick(REPEATS) + pick(MODES);
    }
    return text;
  };
  const one = (): Case => {
    groups = 0;
    const pattern = sequence(2);
    const text = Array.from({ length: below(14) }, () => pick(CHARACTERS)).join('');
    return [pattern, text, pick(['', '', '', 'i', 'm', 's', 'a'])];
  };
  return { cases: Array.from({ length: count }, one) };
};
