import { repr, TemplateObject, textOf, Undefined, type Value } from '../../../../../template/index.js';
import { listNames } from './columns.js';
import type { Sample } from './sample.js';

/** `samples`: the error of an unknown name lists the known ones. */
class Samples extends TemplateObject {
  constructor(private readonly byName: ReadonlyMap<string, Sample>) {
    super();
  }
  get typeName(): string {
    return 'Samples';
  }
  override attribute(name: string): Value {
    return (
      this.byName.get(name) ??
      new Undefined(
        () => `sample ${repr(name)} does not exist (samples: ${listNames([...this.byName.keys()])})`,
      )
    );
  }
  override fixed(name: string): Value | undefined {
    return this.byName.get(name);
  }
  override item(key: Value): Value | undefined {
    const name = textOf(key);
    return name === null ? undefined : this.attribute(name);
  }
  override iterator(): Iterator<Value> {
    return this.byName.keys();
  }
  override size(): number {
    return this.byName.size;
  }
  override contains(needle: Value): boolean {
    const name = textOf(needle);
    return name !== null && this.byName.has(name);
  }
  override repr(): string {
    return `Samples(${[...this.byName.keys()].map(repr).join(', ')})`;
  }
}

export const samplesObject = (samples: ReadonlyMap<string, Sample>): TemplateObject => new Samples(samples);
