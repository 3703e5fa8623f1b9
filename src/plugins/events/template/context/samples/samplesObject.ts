import { repr, TemplateObject, textOf, Undefined, type Value } from '../../../../../template/index.js';
import { listNames } from './columns.js';
import type { Sample } from './sample.js';

/** What templates see as `samples`: each sample by its name, and nothing else. */
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
      new Undefined(() => `there is no sample ${repr(name)} (samples: ${listNames([...this.byName.keys()])})`)
    );
  }
  override item(key: Value): Value | undefined {
    const name = textOf(key);
    return name === null ? undefined : this.attribute(name);
  }
  /** The names, in the order of the config. */
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

/** The value of `samples`: an unknown name is undefined, with a reason that lists the known ones. */
export const samplesObject = (samples: ReadonlyMap<string, Sample>): TemplateObject => new Samples(samples);
