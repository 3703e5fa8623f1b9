import { nearest } from '../../../../../domain/text/shown.js';
import { raise, TemplateObject, undefinedBecause, type Value } from '../../../../../template/index.js';
import type { LocaleNames } from './localeNames.js';
import type { LoadedLocale } from './locales.js';

/** Locales by name, as attributes and items; created at first use. */
export class LocaleTable extends TemplateObject {
  private readonly made = new Map<string, Value>();

  constructor(
    /** Name in errors: `module.faker`. */
    private readonly owner: string,
    private readonly known: LocaleNames,
    private readonly loaded: ReadonlyMap<string, LoadedLocale>,
    private readonly make: (locale: LoadedLocale) => Value,
  ) {
    super();
  }
  get typeName(): string {
    return `${this.owner}.locale`;
  }
  override attribute(name: string): Value {
    const ready = this.made.get(name);
    if (ready !== undefined) return ready;
    const locale = this.loaded.get(name);
    if (locale === undefined) return this.missing(name);
    const value = this.make(locale);
    this.made.set(name, value);
    return value;
  }
  override item(key: Value): Value | undefined {
    return typeof key === 'string' ? this.attribute(key) : undefined;
  }
  override contains(needle: Value): boolean {
    return typeof needle === 'string' && this.known.has(needle);
  }
  override iterator(): Iterator<Value> {
    return this.loaded.keys();
  }
  override size(): number {
    return this.loaded.size;
  }
  private missing(name: string): Value {
    if (this.known.has(name)) {
      return raise(
        'RuntimeError',
        `the locale ${name} is not loaded: write ${this.owner}.locale['${name}'] with a constant name`,
      );
    }
    const near = nearest(name, [...this.known.keys()]);
    const hint = near === null ? '' : `; did you mean ${near}?`;
    return undefinedBecause(`${this.owner} has no locale '${name}'${hint}`);
  }
}
