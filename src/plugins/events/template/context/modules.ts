import { hash } from 'node:crypto';
import type { Random } from '../../../../domain/random.js';
import type { Micros } from '../../../../domain/time/micros.js';
import {
  type LazyMembers,
  makeModules,
  type PyTzinfo,
  TemplateObject,
  Undefined,
  type Value,
} from '../../../../template/index.js';
import { localesIn } from './faker/scan.js';
import { loadFaker, loadMimesis } from './fakes.js';
import { randModule } from './rand/module.js';

interface ModuleSurroundings {
  readonly random: Random;
  /** The timestamp of the event. */
  readonly now: () => Micros;
  readonly zone: PyTzinfo;
  /** Texts of all templates: the locales they name are loaded. */
  readonly sources: readonly string[];
}

/** `module`: a closed list. The error of an unknown name lists the known ones. */
class ModuleObject extends TemplateObject {
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
  override fixed(name: string): Value | undefined {
    return this.members.get(name);
  }
  override item(key: Value): Value | undefined {
    return typeof key === 'string' ? this.attribute(key) : undefined;
  }
  override repr(): string {
    return '<module>';
  }
}

/** `module` of a generator, and the random streams of its parts. */
export const loadModules = async ({
  random,
  now,
  zone,
  sources,
}: ModuleSurroundings): Promise<{
  readonly object: TemplateObject;
  readonly streams: ReadonlyMap<string, Random>;
}> => {
  const ports = { random, now, zone };
  const needed = localesIn(sources);
  const faker = await loadFaker(needed.faker, ports);
  const mimesis = await loadMimesis(needed.mimesis, ports, random);
  const digest = (algorithm: string, bytes: Uint8Array): Uint8Array => hash(algorithm, bytes, 'buffer');
  const streams = new Map<string, Random>();
  for (const [name, { random: own }] of faker.locales) streams.set(`faker/${name}`, own);
  for (const [name, { random: own }] of mimesis.locales) streams.set(`mimesis/${name}`, own);
  return {
    object: new ModuleObject(
      makeModules(
        { random: () => random, now, digest, zone },
        {
          rand: () => randModule(random),
          faker: faker.make,
          mimesis: mimesis.make,
        },
      ),
    ),
    streams,
  };
};
