import { raise } from '../errors.js';
import { spend } from '../limits.js';
import { truthy } from '../values/operations/compare.js';
import { iterate } from '../values/operations/iterate.js';
import { repr, str } from '../values/operations/print.js';
import { needIndex } from '../values/operations/subscript.js';
import { escapedMarkup, escapeValue } from '../values/types/markup.js';
import type { Value } from '../values/value.js';

/** A scheme, `www.`, a known top-level domain, or an IPv4 or IPv6 address. */
const ADDRESS =
  /^((https?:\/\/|www\.)(([\w%-]+\.)+)?([a-z]{2,63}|xn--[\w%]{2,59})|([\w%-]{2,63}\.)+(com|net|int|edu|gov|org|info|mil)|(https?:\/\/)((([\d]{1,3})(\.[\d]{1,3}){3})|(\[([\da-f]{0,4}:){2}([\da-f]{0,4}:?){1,6}\])))(?::[\d]{1,5})?(?:[/?#]\S*)?$/i;
const MAIL = /^\S+@\w[\w.-]*\.\w+$/;
const SCHEME = /^([\w.+-]{2,}:(\/){0,2})$/;

/** Longer words are not linked. */
const LONGEST_ADDRESS = 16_384;

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** Start of trailing brackets and punctuation. */
const endOf = (word: string): number => {
  let end = word.length;
  for (;;) {
    if (word.endsWith('&gt;', end)) end -= 4;
    else if (end > 0 && ')>.,\n'.includes(word[end - 1] ?? ' ')) end--;
    else return end;
  }
};

/** Splits off surrounding brackets and punctuation: head, middle, tail. */
const peeled = (word: string): readonly [string, string, string] => {
  const [head = ''] = /^([(<]|&lt;)+/.exec(word) ?? [];
  let middle = word.slice(head.length);
  let tail = '';
  const end = endOf(middle);
  tail = middle.slice(end);
  middle = middle.slice(0, end);
  // Brackets opened in the address belong to it.
  for (const [open, close] of [
    ['(', ')'],
    ['<', '>'],
    ['&lt;', '&gt;'],
  ] as const) {
    const opened = countOf(middle, open);
    if (opened <= countOf(middle, close)) continue;
    for (let i = Math.min(opened, countOf(tail, close)); i > 0; i--) {
      const end = tail.indexOf(close) + close.length;
      middle += tail.slice(0, end);
      tail = tail.slice(end);
    }
  }
  return [head, middle, tail];
};

/** Links addresses and escapes the rest. */
export const urlize = (
  value: Value,
  limit: Value,
  noFollow: Value,
  target: Value,
  rel: Value,
  schemes: Value,
): string => {
  const rels = new Set((rel === null ? '' : str(rel)).split(/\s+/).filter((part) => part !== ''));
  if (truthy(noFollow)) rels.add('nofollow');
  rels.add('noopener');
  const extra = schemes === null ? [] : [...iterate(schemes)].map(str);
  for (const scheme of extra) {
    if (!SCHEME.test(scheme))
      return raise('FilterArgumentError', `${repr(scheme)} is not a valid URI scheme prefix.`);
  }
  const attributes =
    ` rel="${escapedMarkup([...rels].sort().join(' '))}"` +
    (target === null || str(target) === '' ? '' : ` target="${escapedMarkup(str(target))}"`);
  const shown = (text: string): string => {
    if (limit === null) return text;
    const most = needIndex(limit);
    return text.length > most ? `${text.slice(0, most)}...` : text;
  };
  const link = (address: string, text: string): string =>
    `<a href="${address}"${attributes}>${shown(text)}</a>`;
  const linked = (middle: string): string => {
    if (middle.length > LONGEST_ADDRESS) return middle;
    // Backtracking: quadratic in the length of the word.
    spend((middle.length * middle.length) / 256);
    if (ADDRESS.test(middle))
      return link(/^https?:\/\//i.test(middle) ? middle : `https://${middle}`, middle);
    if (middle.startsWith('mailto:') && MAIL.test(middle.slice(7))) {
      return `<a href="${middle}">${middle.slice(7)}</a>`;
    }
    if (
      middle.includes('@') &&
      !middle.startsWith('www.') &&
      !/^[@:]/.test(middle) &&
      !middle.includes(':') &&
      MAIL.test(middle)
    ) {
      return `<a href="mailto:${middle}">${middle}</a>`;
    }
    const isOwn = extra.some((scheme) => middle !== scheme && middle.startsWith(scheme));
    return isOwn ? link(middle, middle) : middle;
  };
  return escapeValue(value)
    .split(/(\s+)/)
    .map((word) => {
      spend(word.length / 64 + 1 / 8);
      const [head, middle, tail] = peeled(word);
      return head + linked(middle) + tail;
    })
    .join('');
};
