import { charge } from '../../limits.js';
import { inParts } from '../../text/pieces.js';
import { str } from '../operations/print.js';
import { type HashKey, TemplateObject, type Value } from '../value.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};

export const escapedMarkup = (text: string): string =>
  inParts(text, (part) => part.replace(/[&<>'"]/g, (each) => ENTITIES[each] ?? each));

/** A string marked as HTML (`safe`, `escape`, `tojson`). `+`, `%` and `join` escape what they add. */
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

export const textOf = (value: Value): string | null => {
  if (typeof value === 'string') return value;
  if (!(value instanceof MarkupText)) return null;
  charge(value.value);
  return value.value;
};

export const escapeValue = (value: Value): string =>
  value instanceof MarkupText ? value.value : escapedMarkup(str(value));
