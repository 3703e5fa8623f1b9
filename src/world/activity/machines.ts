import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { weighted } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import { logonId, processId } from '../schedule/day.js';
import { pageFacts } from './nameAddress.js';
import { programFacts } from './people.js';
import { LINUX_SCHEDULED, SCHEDULED, SERVICES, WMI_PROVIDER } from './programs.js';
import type { Act, Scribe, Surroundings } from './scribe.js';
import { MACHINE_SITES } from './sites.js';

/** Purposes of draws of machines. */
const WHY = { host: 48, storm: 51 } as const;

const scheduledAt = weighted(SCHEDULED);
const linuxAt = weighted(LINUX_SCHEDULED);
const siteAt = weighted(MACHINE_SITES);

/** Tasks a minute of a machine that is on. */
const TASKS_PER_MINUTE = 0.35;
const TASKS = weighted([
  [40, 'program'],
  [34, 'update'],
  [20, 'share'],
  [6, 'inventory'],
] as const);

/** Pages that a machine asks for by itself: how many a minute, the share whose names it knows already, and their size. */
export const UPDATES_PER_MINUTE = TASKS_PER_MINUTE * 0.34;
export const UPDATE_KNOWN_SHARE = 0.4;
export const UPDATE_BYTES = [9_000, 1.2] as const;

const TASK_KINDS = ['browse', 'run_program', 'use_share'] as const;

/** Share of hours in which a service of a server has a password that is no longer valid. */
const STORM_SHARE = 0.03;
const MINUTES_PER_HOUR = 60;

/** Writes what a machine does by itself in a minute. `user` is who works at a workstation. */
export const machineMinute = (
  scribe: Scribe,
  world: Surroundings,
  host: WorldHost,
  user: Person | null,
  from: Micros,
): void => {
  if (!scribe.isWanted(...TASK_KINDS)) return;
  scribe.from('machines');
  const count = world.draws.of(host.number, from, WHY.host).poisson(TASKS_PER_MINUTE);
  if (count === 0) return;
  // At the office, and in the server room, all tasks are done: nothing but their number may be needed.
  const isInside = user === null || world.planAt(user, from)?.where !== 'home';
  if (isInside && scribe.leavesOutAll(TASK_KINDS, count)) return;
  const base: Pick<Act, 'person' | 'host' | 'truth'> = { person: null, host, truth: null };
  for (let index = 1; index <= count; index++) {
    const own = world.draws.of(host.number, from + index, WHY.host);
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    const task = TASKS(own.next());
    const isWindows = host.os.family === 'windows';
    // Without the network, only what needs none.
    const isOnNetwork = isInside || world.addressOf(user, at) !== null;
    if (task !== 'program' && !isOnNetwork) continue;
    if (task === 'update' || !isWindows) {
      if (task === 'update') {
        if (scribe.leavesOut('browse')) continue;
        const name = siteAt(own.next());
        const facts = pageFacts(world, own, name, own.chance(UPDATE_KNOWN_SHARE), UPDATE_BYTES);
        scribe.act({ ...base, session: null, kind: 'browse', at, facts });
      } else {
        if (scribe.leavesOut('run_program')) continue;
        const facts = {
          ...programFacts(linuxAt(own.next())),
          ...{ pid: own.integer(1_000, 4_000_000), parent_image: '/usr/sbin/cron', parent_pid: 612 },
          account: 'root',
        };
        scribe.act({ ...base, session: null, kind: 'run_program', at, facts });
      }
    } else if (task === 'share') {
      if (scribe.leavesOut('use_share')) continue;
      const facts = {
        server: own.pick(world.population.serversOf('domain_controller')),
        path: 'Policies\\gpt.ini',
        logon_id: logonId(own),
        has_ticket: own.chance(0.5),
      };
      scribe.act({ ...base, session: null, kind: 'use_share', at, facts });
    } else {
      if (scribe.leavesOut('run_program')) continue;
      const facts = {
        ...programFacts(scheduledAt(own.next())),
        pid: processId(own),
        parent_image: task === 'inventory' ? WMI_PROVIDER : SERVICES,
        parent_pid: own.integer(150, 260) * 4,
      };
      scribe.act({ ...base, session: '0x3e7', kind: 'run_program', at, facts });
    }
  }
};

/** In some hours a service of a server tries a password that was changed, again and again. */
export const stormMinute = (scribe: Scribe, world: Surroundings, host: WorldHost, minute: number): void => {
  const hour = Math.floor(minute / MINUTES_PER_HOUR);
  if (!scribe.isWanted('try_password')) return;
  scribe.from('storms');
  const own = world.draws.of(host.number, hour, WHY.storm);
  if (!own.chance(STORM_SHARE)) return;
  const { population } = world;
  const first = own.integer(0, 50);
  const minutes = own.integer(2, 9);
  const within = minute - hour * MINUTES_PER_HOUR - first;
  if (within < 0 || within >= minutes) return;
  const target = own.pick(population.serversOf('application_server'));
  const isPerson = own.chance(0.5);
  const account = isPerson
    ? population.person(own.integer(0, population.size - 1)).user
    : `svc-${own.pick(['backup', 'report', 'scan', 'print'])}`;
  const reason = own.pick(['bad_password', 'bad_password', 'expired']);
  const each = world.draws.of(host.number, minute, WHY.storm);
  const count = each.poisson(6);
  // Some accounts are locked in the end.
  const isLast = within === minutes - 1 && own.chance(0.5);
  for (let index = 0; index < count; index++) {
    const at = minute * MICROS_PER_MINUTE + Math.floor(each.next() * MICROS_PER_MINUTE);
    const locks = isLast && index === count - 1;
    const facts = { account, target, reason, type: 3, locks };
    scribe.act({ person: null, host, session: null, kind: 'try_password', at, facts, truth: null });
  }
};
