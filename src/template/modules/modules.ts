import type { Random } from '../../domain/random.js';
import type { Micros } from '../../domain/time/micros.js';
import type { Value } from '../values/value.js';
import { base64Module } from './base64.js';
import { calendarModule } from './calendar.js';
import { datetimeModule } from './datetime/module.js';
import { type Digest, hashlibModule } from './hashlib.js';
import { jsonModule } from './json.js';
import { mathModule } from './math.js';
import { randomModule } from './random.js';

/** What the modules get from outside. */
export interface ModulePorts {
  readonly random: () => Random;
  /** The clock of `datetime.now()`; let it say the timestamp of the event, so that a seeded run repeats. */
  readonly now: () => Micros;
  readonly digest: Digest;
}

/**
 * The modules of Python that templates may use, by name, each made by its function: a closed list of pure values
 * (decision 20). `rand`, `faker` and `mimesis` are the event plugin's.
 */
export const moduleMakers = (ports: ModulePorts): ReadonlyMap<string, () => Value> =>
  new Map<string, () => Value>([
    ['datetime', () => datetimeModule(ports.now)],
    ['json', jsonModule],
    ['math', mathModule],
    ['hashlib', () => hashlibModule(ports.digest)],
    ['base64', base64Module],
    ['calendar', calendarModule],
    ['random', () => randomModule(ports.random)],
  ]);

/** All of them at once. */
export const makeModules = (ports: ModulePorts): ReadonlyMap<string, Value> =>
  new Map([...moduleMakers(ports)].map(([name, make]) => [name, make()]));
