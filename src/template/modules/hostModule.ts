import { chargeAll } from '../limits.js';
import { call, type Kwargs, TemplateObject, type Value } from '../values/value.js';
import { LazyMembers } from './lazyMembers.js';

/** An object with fixed attributes: a module, or a group of host functions. */
export class HostModule extends TemplateObject {
  private readonly members: LazyMembers;

  constructor(
    private readonly name: string,
    members: Readonly<Record<string, Value>> | ReadonlyMap<string, Value> | LazyMembers,
  ) {
    super();
    if (members instanceof LazyMembers) this.members = members;
    else this.members = new LazyMembers({}, members instanceof Map ? members : Object.entries(members));
  }
  get typeName(): string {
    return 'module';
  }
  /** For hints and docs; templates do not see it. */
  get memberNames(): readonly string[] {
    return this.members.keys();
  }
  override attribute(name: string): Value | undefined {
    return this.members.get(name);
  }
  override fixed(name: string): Value | undefined {
    return this.members.get(name);
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const member = this.members.get(name);
    if (typeof member === 'function') {
      chargeAll(args);
      return member(args, kwargs);
    }
    return member === undefined ? undefined : call(member, args, kwargs);
  }
  override repr(): string {
    return `<module '${this.name}'>`;
  }
}
