import { checkLength } from '../limits.js';
import { asIndex, asRepeat, indexOf, PySlice, sliceItems } from '../values/operations/subscript.js';
import type { Value } from '../values/value.js';
import { charactersOf } from './codePoints.js';

export const textItem = (text: string, key: Value): string | undefined => {
  const characters = charactersOf(text);
  if (key instanceof PySlice) {
    if (typeof characters !== 'string') return sliceItems(characters, key).join('');
    const isPlain = key.step === null || key.step === 1;
    const start = key.start === null ? 0 : asIndex(key.start);
    const stop = key.stop === null ? characters.length : asIndex(key.stop);
    if (isPlain && start !== undefined && stop !== undefined) return characters.slice(start, stop);
    return sliceItems(Array.from(characters), key).join('');
  }
  const index = indexOf(key, characters.length);
  return index === null ? undefined : characters[index];
};

export const repeatText = (text: string, count: Value): string | undefined => {
  const times = asRepeat(count);
  if (times === undefined) return undefined;
  if (times <= 0 || text === '') return '';
  checkLength(text.length * times);
  return text.repeat(times);
};
