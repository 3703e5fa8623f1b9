import { createHash } from 'node:crypto';
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
import { loadLocales } from './faker/locales.js';
import { fakerModule } from './faker/module.js';
import { localesIn } from './faker/scan.js';
import { loadMimesisLocales, mimesisModule } from './mimesis/module.js';
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
  const faker = await loadLocales(needed.faker, ports);
  const mimesis = await loadMimesisLocales(needed.mimesis, ports);
  const digest = (algorithm: string, bytes: Uint8Array): Uint8Array =>
    createHash(algorithm).update(bytes).digest();
  const streams = new Map<string, Random>();
  for (const [label, locales] of [
    ['faker', faker],
    ['mimesis', mimesis],
  ] as const) {
    for (const [name, locale] of locales) streams.set(`${label}/${name}`, locale.random);
  }
  return {
    object: new ModuleObject(
      makeModules(
        { random: () => random, now, digest, zone },
        {
          rand: () => randModule(random),
          faker: () => fakerModule(faker),
          mimesis: () => mimesisModule(mimesis, random),
        },
      ),
    ),
    streams,
  };
};
