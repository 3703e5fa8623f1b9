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

export interface ModulePorts {
  readonly random: () => Random;
  /** Clock of `datetime.now()`: the event's timestamp, which makes seeded runs repeatable. */
  readonly now: () => Micros;
  readonly digest: Digest;
  /** Zone of `time.localtime()`; default UTC. */
  readonly zone?: PyTzinfo;
}

/** Python modules: a closed list without host access, created at first use. `hosted`: of the plugin. */
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
