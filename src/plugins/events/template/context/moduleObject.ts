import { type LazyMembers, TemplateObject, Undefined, type Value } from '../../../../template/index.js';

/** `module`: a closed list. The error of an unknown name lists the known ones. */
class Modules extends TemplateObject {
  constructor(private readonly members: LazyMembers) {
    super();
  }
  get typeName(): string {
    return 'module';
  }
  override attribute(name: string): Value {
    return (
      this.members.get(name) ??
      new Undefined(
        () => `module '${name}' does not exist: templates can use ${this.members.keys().join(', ')}`,
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

export const moduleObject = (members: LazyMembers): TemplateObject => new Modules(members);
