import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../../../domain/json.js';

/** A part of a template: constant text, or steps of a JSON pointer into the event. */
export type TemplatePart = string | { readonly pointer: string; readonly steps: readonly string[] };

const HOLE = /\{([^{}]*)\}/g;
const GENERATOR = 'generator';

const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/**
 * Parses text with `{generator}` and `{/json/pointer}`. Left: what is wrong. Nothing else has a meaning in braces, so
 * that a template cannot run code.
 */
export const parseTemplate = (text: string, generator: string): E.Either<string, readonly TemplatePart[]> => {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const hole of text.matchAll(HOLE)) {
    const name = hole[1] ?? '';
    const constant = text.slice(at, hole.index);
    if (/[{}]/.test(constant)) return E.left('has a brace without its partner');
    if (constant !== '') parts.push(constant);
    at = hole.index + hole[0].length;
    if (name === GENERATOR) parts.push(generator);
    else if (name.startsWith('/')) parts.push({ pointer: name, steps: stepsOf(name) });
    else return E.left('must have only `{generator}` or `{/json/pointer}` in braces');
  }
  const rest = text.slice(at);
  if (/[{}]/.test(rest)) return E.left('has a brace without its partner');
  if (rest !== '') parts.push(rest);
  return E.right(parts);
};

/** Defect of a template for `check` of a text field. */
export const templateDefect = (text: string) => {
  const parsed = parseTemplate(text, 'generator');
  return E.isLeft(parsed) ? { type: 'bad_format' as const, message: parsed.left } : null;
};

/** The value at a pointer; `undefined`: none. */
export const valueAt = (event: Json | undefined, steps: readonly string[]): Json | undefined => {
  let value: Json | undefined = event;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(step)) return undefined;
    value = (value as Readonly<Record<string, Json>>)[step];
  }
  return value;
};

export interface TextTemplate {
  /** The text, if no event changes it. */
  readonly constant: string | null;
  /** Left: why this event has no such text. */
  readonly render: (event: Json | undefined) => E.Either<string, string>;
}

/** A template ready to render. `clean` makes a value of an event safe where it stands. */
export const textTemplate = (
  text: string,
  { generator, clean }: { readonly generator: string; readonly clean: (value: string) => string },
): TextTemplate => {
  const parsed = parseTemplate(text, clean(generator));
  const parts = E.isRight(parsed) ? parsed.right : [text];
  const texts = parts.filter((part) => typeof part === 'string');
  const constant = texts.length === parts.length ? texts.join('') : null;
  return {
    constant,
    render: (event) => {
      if (constant !== null) return E.right(constant);
      let rendered = '';
      for (const part of parts) {
        if (typeof part === 'string') {
          rendered += part;
          continue;
        }
        const value = valueAt(event, part.steps);
        if (typeof value === 'object' || value === undefined || value === '') {
          return E.left(`the event has no text, number or boolean at ${part.pointer}`);
        }
        rendered += clean(String(value));
      }
      return E.right(rendered);
    },
  };
};

/** The event as JSON; `undefined`: it is not JSON. */
export const jsonOf = (event: string): Json | undefined => {
  try {
    return JSON.parse(event) as Json;
  } catch {
    return undefined;
  }
};
