import { isPointer, pointerReader, valueText } from '../../domain/pointer.js';
import { text } from '../../schema/index.js';
import type { Shape } from '../../schema/shape.js';

/** `{{`, `}}`, a JSON pointer in braces, other text, or a brace that belongs to none of them. */
const PARTS = /\{\{|\}\}|\{(\/[^{}]*)\}|[^{}]+|[{}]/gy;

type Part = { readonly text: string } | { readonly pointer: string };

/** `null`: a brace is out of place or a pointer is not valid. */
const partsOf = (written: string): readonly Part[] | null => {
  const parts: Part[] = [];
  for (const [whole, pointer] of written.matchAll(PARTS)) {
    if (pointer !== undefined) {
      if (!isPointer(pointer)) return null;
      parts.push({ pointer });
    } else if (whole === '{' || whole === '}') return null;
    else parts.push({ text: whole === '{{' || whole === '}}' ? whole.charAt(0) : whole });
  }
  return parts;
};

/** A text with values of the event in braces, by JSON pointer (RFC 6901): `user {/user/name}`. */
export const eventText = (): Shape<string> =>
  text({
    label: 'text with JSON pointers in braces',
    check: (written) =>
      partsOf(written) === null
        ? {
            type: 'bad_format',
            message: 'has a brace without a JSON pointer',
            hint: 'Write a value of the event as {/user/name}, a brace as {{ or }}.',
          }
        : null,
  });

/** A text without values of the event; `null`: it has some. */
export const constantOf = (written: string): string | null => {
  const parts = partsOf(written) ?? [];
  return parts.every((part): part is { readonly text: string } => 'text' in part)
    ? parts.map(({ text: piece }) => piece).join('')
    : null;
};

/** The text of `eventText` without its values: what of it is the same in every event. */
export const constantParts = (written: string): string =>
  (partsOf(written) ?? []).map((part) => ('text' in part ? part.text : '')).join('');

/** The value for a JSON document: any JSON value for a single pointer (`undefined`: it has none), else a text. */
export type EventValue = (document: unknown) => unknown;

/** Reads what `eventText` has accepted. */
export const eventValue = (written: string): EventValue => {
  const parts = partsOf(written) ?? [];
  const readers = parts.map((part): EventValue => {
    if ('pointer' in part) return pointerReader(part.pointer);
    return () => part.text;
  });
  const [only] = readers;
  if (only !== undefined && readers.length === 1) return only;
  return (document) =>
    readers
      .map((read) => read(document))
      .map((value) => (value === undefined || value === null ? '' : valueText(value)))
      .join('');
};
