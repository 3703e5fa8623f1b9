import { raise } from '../errors.js';
import { checkText, enter, leave, spend } from '../limits.js';
import { textRepr } from '../values/operations/print.js';
import { dictOfKwargs, type PyDict } from '../values/types/dict.js';
import { PyTuple } from '../values/types/sequences.js';
import { undefinedBecause } from '../values/types/undefined.js';
import { type Kwargs, orElse, TemplateObject, type Value } from '../values/value.js';

export interface MacroShape {
  readonly name: string | null;
  readonly params: readonly string[];
  readonly usesVarargs: boolean;
  readonly usesKwargs: boolean;
  readonly usesCaller: boolean;
}

/** One value per parameter (`undefined` if not given), then `caller`, `kwargs` and `varargs` if used. */
type MacroCode = (values: readonly (Value | undefined)[]) => string;

export class Macro extends TemplateObject {
  constructor(
    private readonly shape: MacroShape,
    private readonly code: MacroCode,
  ) {
    super();
  }
  get typeName(): string {
    return 'Macro';
  }
  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'name':
        return this.shape.name;
      case 'arguments':
        return new PyTuple(this.shape.params);
      case 'catch_kwargs':
        return this.shape.usesKwargs;
      case 'catch_varargs':
        return this.shape.usesVarargs;
      case 'caller':
        return this.shape.usesCaller;
      default:
        return undefined;
    }
  }
  override isCallable(): boolean {
    return true;
  }
  override repr(): string {
    return `<Macro ${this.shape.name === null ? 'anonymous' : textRepr(this.shape.name)}>`;
  }

  override call(args: readonly Value[], kwargs: Kwargs | null): Value {
    const { params, usesCaller, usesKwargs, usesVarargs } = this.shape;
    // Missing values get their defaults in the code.
    const isPlain =
      kwargs === null && args.length <= params.length && !usesCaller && !usesKwargs && !usesVarargs;
    spend(1);
    enter();
    try {
      return checkText(this.code(isPlain ? args : this.bind(args, kwargs)));
    } finally {
      leave();
    }
  }

  private bind(args: readonly Value[], given: Kwargs | null): readonly (Value | undefined)[] {
    const { name, params, usesCaller, usesKwargs, usesVarargs } = this.shape;
    const shown = (): string => (name === null ? 'None' : textRepr(name));
    const rest = new Map(given ?? []);
    const values: (Value | undefined)[] = args.slice(0, params.length);
    let hasCaller = args.length >= params.length && params.includes('caller');
    for (const param of params.slice(values.length)) {
      values.push(rest.get(param));
      rest.delete(param);
      if (param === 'caller') hasCaller = true;
    }
    if (usesCaller && !hasCaller) {
      values.push(orElse<Value>(rest.get('caller'), () => undefinedBecause('No caller defined')));
      rest.delete('caller');
    }
    const [extra] = rest.keys();
    if (usesKwargs) values.push(dictOfKwargs(rest));
    else if (rest.has('caller')) {
      return raise(
        'TypeError',
        `macro ${shown()} was invoked with two values for the special caller argument. This is most likely a bug.`,
      );
    } else if (extra !== undefined) {
      return raise('TypeError', `macro ${shown()} takes no keyword argument ${textRepr(extra)}`);
    }
    if (usesVarargs) values.push(new PyTuple(args.slice(params.length)));
    else if (args.length > params.length) {
      return raise('TypeError', `macro ${shown()} takes not more than ${params.length} argument(s)`);
    }
    return values;
  }
}

/** `namespace(...)`, the only object with assignable attributes. */
export class Namespace extends TemplateObject {
  constructor(readonly attributes: PyDict) {
    super();
  }
  get typeName(): string {
    return 'Namespace';
  }
  override attribute(name: string): Value | undefined {
    return name.startsWith('__') ? undefined : this.attributes.get(name);
  }
  override repr(): string {
    return `<Namespace ${this.attributes.repr()}>`;
  }
}

export class TemplateModule extends TemplateObject {
  constructor(
    readonly templateName: string,
    readonly exported: ReadonlyMap<string, Value>,
    private readonly body: string,
  ) {
    super();
  }
  get typeName(): string {
    return 'TemplateModule';
  }
  override attribute(name: string): Value | undefined {
    return this.exported.get(name);
  }
  override text(): string {
    return this.body;
  }
  override repr(): string {
    return `<TemplateModule ${textRepr(this.templateName)}>`;
  }
}
