import type { Random } from '../../domain/random/random.js';
import type { Micros } from '../../domain/time/micros.js';
import { base64Module } from './base64.js';
import { calendarModule } from './calendar.js';
import { collectionsModule } from './collections/module.js';
import { datetimeModule } from './datetime/module.js';
import { type PyTzinfo, UTC_ZONE } from './datetime/zones.js';
import { type Digest, hashlibModule } from './hashlib.js';
import { ipaddressModule } from './ipaddress/module.js';
import { itertoolsModule } from './itertools.js';
import { jsonModule } from './json.js';
import { LazyMembers, type MemberMakers } from './lazyMembers.js';
import { mathModule } from './math.js';
import { randomModule } from './random.js';
import { reModule } from './re/module.js';
import { stringModule } from './string.js';
import { timeModule } from './time.js';
import { urllibModule } from './urlParse.js';
import { uuidModule } from './uuid.js';

/** What the modules get from outside. */
export interface ModulePorts {
  readonly random: () => Random;
  /** The clock of `datetime.now()`; let it say the timestamp of the event, so that a seeded run repeats. */
  readonly now: () => Micros;
  readonly digest: Digest;
  /** The zone of `time.localtime()`; UTC where none is given. */
  readonly zone?: PyTzinfo;
}

/**
 * The modules of Python that templates may use, by name: a closed list of pure values (decision 20), each made when a
 * template first names it. `hosted`: those of the event plugin, such as `rand`.
 */
export const makeModules = (ports: ModulePorts, hosted: MemberMakers = {}): LazyMembers =>
  new LazyMembers({
    ...hosted,
    datetime: () => datetimeModule(ports.now),
    json: () => jsonModule(),
    math: () => mathModule(),
    hashlib: () => hashlibModule(ports.digest),
    base64: () => base64Module(),
    calendar: () => calendarModule(),
    random: () => randomModule(ports.random),
    re: () => reModule(),
    uuid: () => uuidModule(ports.random, ports.now, ports.digest),
    string: () => stringModule(),
    ipaddress: () => ipaddressModule(),
    time: () => timeModule(ports.now, ports.zone ?? UTC_ZONE),
    itertools: () => itertoolsModule(),
    collections: () => collectionsModule(),
    urllib: () => urllibModule(),
  });
