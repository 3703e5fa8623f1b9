import { weigh } from '../limits.js';
import { inParts } from '../text/pace.js';
import { str } from './print.js';
import { type HashKey, TemplateObject, type Value } from './value.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};

/** A text with `& < > ' "` as HTML entities. */
export const escapeHtml = (text: string): string =>
  inParts(text, (part) => part.replace(/[&<>'"]/g, (each) => ENTITIES[each] ?? each));

/**
 * A text that counts as HTML already (`safe`, `escape`, `tojson`). It is a str in everything, but what is
 * joined to it with `+`, `%` or `join` is escaped first, as in Jinja.
 */
export abstract class MarkupText extends TemplateObject {
  constructor(readonly value: string) {
    super();
  }
  get typeName(): string {
    return 'Markup';
  }
  override text(): string {
    return this.value;
  }
  override truthy(): boolean {
    return this.value !== '';
  }
  override equals(other: Value): boolean {
    return textOf(other) === this.value;
  }
  override hashKey(): HashKey {
    return this.value.charCodeAt(0) === 0 ? `\0s${this.value}` : this.value;
  }
}

/** The text of a str, HTML or not; `null` for other types. */
export const textOf = (value: Value): string | null => {
  if (typeof value === 'string') return value;
  if (!(value instanceof MarkupText)) return null;
  weigh(value.value);
  return value.value;
};

/** Escaped text of a value; HTML stays as it is. */
export const escapeValue = (value: Value): string =>
  value instanceof MarkupText ? value.value : escapeHtml(str(value));
