import { TemplateObject, Undefined, type Value } from '../../../template/index.js';

/**
 * `module`: a closed list. Any other name is undefined, with a reason that names those that are there. Each is made
 * when a template first asks for it: together they are 140 KB of each generator.
 */
class Modules extends TemplateObject {
  private readonly made = new Map<string, Value>();

  constructor(private readonly makers: ReadonlyMap<string, () => Value>) {
    super();
  }
  private make(name: string): Value | undefined {
    const member = this.makers.get(name)?.();
    if (member !== undefined) this.made.set(name, member);
    return member;
  }
  get typeName(): string {
    return 'module';
  }
  override attribute(name: string): Value {
    return (
      this.made.get(name) ??
      this.make(name) ??
      new Undefined(
        () => `there is no module '${name}': templates may use ${[...this.makers.keys()].join(', ')}`,
      )
    );
  }
  override item(key: Value): Value | undefined {
    return typeof key === 'string' ? this.attribute(key) : undefined;
  }
  override repr(): string {
    return '<module>';
  }
}

/** The value of `module`. */
export const moduleObject = (makers: ReadonlyMap<string, () => Value>): TemplateObject => new Modules(makers);
