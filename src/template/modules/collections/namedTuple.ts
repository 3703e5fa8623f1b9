import { raise } from '../../errors.js';
import { bind, native, type Signature } from '../../values/methods.js';
import { iterate, listFrom } from '../../values/operations/iterate.js';
import { textRepr } from '../../values/operations/print.js';
import { PyDict } from '../../values/types/dict.js';
import { textOf } from '../../values/types/markup.js';
import { PyTuple } from '../../values/types/sequences.js';
import { type Kwargs, TemplateObject, typeName, type Value } from '../../values/value.js';
import { NamedTuple } from '../datetime/date.js';

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

class Named extends NamedTuple {
  constructor(
    readonly owner: NamedClass,
    items: readonly Value[],
  ) {
    super(owner.title, owner.names, items);
  }
  override attribute(name: string): Value | undefined {
    if (name === '_asdict') return native('_asdict()', () => this.asDict());
    if (name === '_replace') return (args, kwargs) => this.replaced(args, kwargs);
    return this.owner.shared(name) ?? super.attribute(name);
  }
  private asDict(): PyDict {
    const dict = new PyDict();
    for (const [index, name] of this.owner.names.entries()) dict.set(name, this.items[index] ?? null);
    return dict;
  }
  private replaced(args: readonly Value[], kwargs: Kwargs | null): Named {
    if (args.length > 0) return raise('TypeError', '_replace() takes 1 positional argument');
    const wrong = [...(kwargs?.keys() ?? [])].filter((name) => !this.owner.names.includes(name));
    if (wrong.length > 0)
      return raise('ValueError', `Got unexpected field names: [${wrong.map(textRepr).join(', ')}]`);
    return new Named(
      this.owner,
      this.owner.names.map((name, index) => kwargs?.get(name) ?? this.items[index] ?? null),
    );
  }
}

class NamedClass extends TemplateObject {
  private readonly signature: Signature;

  constructor(
    readonly title: string,
    readonly names: readonly string[],
    defaults: readonly Value[],
  ) {
    super();
    const required = names.length - defaults.length;
    this.signature = {
      name: title,
      params: names,
      defaults: names.map((_, index) =>
        index < required ? undefined : (defaults[index - required] ?? null),
      ),
      positionalOnly: 0,
      positional: names.length,
      enough: required,
    };
  }
  get typeName(): string {
    return 'type';
  }
  shared(name: string): Value | undefined {
    if (name === '_fields') return new PyTuple(this.names);
    if (name !== '_make') return undefined;
    return native('_make(iterable)', (items = null) => this.call(listFrom(items), null));
  }
  override attribute(name: string): Value | undefined {
    return this.shared(name);
  }
  override isCallable(): boolean {
    return true;
  }
  override call(args: readonly Value[], kwargs: Kwargs | null): Value {
    return new Named(this, bind(this.signature, args, kwargs));
  }
  override repr(): string {
    return `<class '${this.title}'>`;
  }
}

const needText = (value: Value): string =>
  textOf(value) ?? raise('TypeError', `Type names and field names must be strings, not ${typeName(value)}`);

export const makeNamedTuple = (title: Value, fields: Value, defaults: Value): Value => {
  const text = textOf(fields);
  const names =
    text === null
      ? [...iterate(fields)].map(needText)
      : text
          .replaceAll(',', ' ')
          .split(/\s+/)
          .filter((name) => name !== '');
  const seen = new Set<string>();
  for (const name of [needText(title), ...names]) {
    if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name))
      return raise('ValueError', `Type names and field names must be valid identifiers: ${textRepr(name)}`);
    if (KEYWORDS.has(name))
      return raise('ValueError', `Type names and field names cannot be a keyword: ${textRepr(name)}`);
  }
  for (const name of names) {
    if (name.startsWith('_'))
      return raise('ValueError', `Field names cannot start with an underscore: ${textRepr(name)}`);
    if (seen.has(name)) return raise('ValueError', `Encountered duplicate field name: ${textRepr(name)}`);
    seen.add(name);
  }
  const given = defaults === null ? [] : listFrom(defaults);
  if (given.length > names.length) return raise('TypeError', 'Got more default values than field names');
  return new NamedClass(needText(title), names, given);
};
