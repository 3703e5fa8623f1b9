import { checkLength, checkLonger } from '../limits.js';
import type { Value } from '../values/value.js';

export const cat = (a: string, b: string): string => {
  const length = a.length + b.length;
  if (length > SHORT) checkLength(length);
  return a + b;
};

/** Shorter texts are not charged. */
const SHORT = 4_096;

/** Throws before the result is too long. */
export const joined = (
  items: Iterable<Value>,
  separator: string,
  textOf: (item: Value, index: number) => string,
): string => {
  const parts: string[] = [];
  let length = 0;
  for (const item of items) {
    const part = textOf(item, parts.length);
    length += part.length + separator.length;
    checkLonger(length);
    parts.push(part);
  }
  checkLength(length);
  return parts.join(separator);
};
