import * as E from 'fp-ts/lib/Either.js';
import { Parser } from 'yaml';
import { jsonEqual } from '../values.js';
import { parseYaml } from './source.js';

/** The comments of a text, sorted: a formatter may move them, and must lose none. */
const commentsOf = (text: string): readonly string[] => {
  const found: string[] = [];
  const look = (tokens: readonly unknown[]): void => {
    for (const token of tokens) {
      if (typeof token !== 'object' || token === null) continue;
      if (Reflect.get(token, 'type') === 'comment') found.push(String(Reflect.get(token, 'source')).trim());
      look(Object.values(token).flat());
    }
  };
  look([...new Parser().parse(text)]);
  return found.sort();
};

/**
 * The text with even indentation and spacing; comments, order, quotes and the style of lists and objects stay. Returns null
 * for a text that is not valid YAML, and where the result would not mean the same.
 */
export const formattedYaml = (text: string): string | null => {
  const source = parseYaml(text, '');
  if (E.isLeft(source)) return null;
  const made = source.right.document.toString({
    lineWidth: 0,
    flowCollectionPadding: false,
    indentSeq: true,
  });
  const read = parseYaml(made, '');
  if (E.isLeft(read) || !jsonEqual(read.right.value, source.right.value)) return null;
  return commentsOf(made).join('\n') === commentsOf(text).join('\n') ? made : null;
};
