import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import {
  dumpActs,
  ENDPOINT_ACTS,
  type EndpointDoer,
  endpointFacts,
  LSASS,
  packedFile,
  programFor,
  type RunningProcess,
  runningPrograms,
  serviceDoer,
} from '../activity/endpoint.js';
import { gap, humanGap } from '../activity/gaps.js';
import type { ActivityFacts } from '../activity/kinds.js';
import { UPDATE_BYTES } from '../activity/machines.js';
import { pageFacts } from '../activity/nameAddress.js';
import { CACHED_SHARE, CHROME, OPENED_BYTES, programFacts } from '../activity/people.js';
import {
  ADMIN_TOOLS,
  EXPLORER,
  SCHEDULED,
  SERVICES,
  SESSION_BROWSER,
  SHORT,
  WMI_PROVIDER,
} from '../activity/programs.js';
import type { Act } from '../activity/scribe.js';
import { MACHINE_SITES, SHARED_FILES, SITES } from '../activity/sites.js';
import { type KeyedDraws, weighted } from '../draw.js';
import type { Person } from '../population/entities.js';
import { type DayPlan, logonId, processId } from '../schedule/day.js';
import { COVER_ACTS } from './cover.js';
import { writeBeacons } from './dns.js';
import { writeCalls } from './edge.js';
import { blendHosts, castOf, type HostCast, SENSOR_ACTS } from './hostCover.js';
import { begin, type CampaignScene, type Recipe } from './scene.js';

const shortAt = weighted(SHORT);
const toolAt = weighted(ADMIN_TOOLS);
const scheduledAt = weighted(SCHEDULED);
const siteAt = weighted(SITES);
const machineSiteAt = weighted(MACHINE_SITES);

/** Somebody's workstation in the hands of an intruder, who has the session of the person and a service of the machine. */
interface Foothold {
  readonly scene: CampaignScene;
  readonly person: Person;
  readonly plan: DayPlan;
}

/** Workstations of different people, of those who work: a machine is off without its person. Those of `first` are among them. */
const footholds = (
  scene: CampaignScene,
  least: number,
  most: number,
  first: readonly Person[] = [],
): readonly Foothold[] => {
  const people = new Set(first);
  for (let count = scene.own.integer(least, most); count > first.length; count--)
    people.add(scene.somebody((person) => !people.has(person)));
  return [...people].flatMap((person) => {
    const plan = scene.planOf(person);
    return plan === null ? [] : [{ scene, person, plan }];
  });
};

type Base = Pick<Act, 'person' | 'host' | 'session'>;

/** Whether the machine can be used: its person works, and it is on the network. */
const isInReach = ({ scene: { world }, person, plan }: Foothold, at: Micros): boolean =>
  at < plan.span[1] - MICROS_PER_MINUTE && world.addressOf(person, at) !== null;

const asPerson = ({ person, plan }: Foothold): Base => ({
  ...{ person, host: person.workstation, session: plan.logon_id },
});
const asService = ({ person }: Foothold): Base => ({
  ...{ person: null, host: person.workstation, session: '0x3e7' },
});

/** Those who opened the link of a lure in the campaign of phishing before. */
const lured = ({ earlier }: CampaignScene): readonly Person[] => {
  const opened = earlier('phishing').filter(({ kind }) => kind === 'browse');
  return [...new Set(opened.flatMap(({ person }) => person ?? []))];
};

/** What the intruder does between the steps that the attack is about: looks around, runs tools, keeps in touch. */
const AS_PERSON = weighted([
  [36, 'browse'],
  [13, 'use_share'],
  [13, 'run_program'],
  [38, 'endpoint'],
] as const);
const AS_SERVICE = weighted([
  [26, 'browse'],
  [15, 'use_share'],
  [21, 'run_program'],
  [38, 'endpoint'],
] as const);
const SERVICE_SHARE = 0.4;

const pageOf = ({ scene: { world, own } }: Foothold, name: string, median: number): ActivityFacts =>
  pageFacts(world, own, name, own.chance(CACHED_SHARE), [median, OPENED_BYTES[1]]);

const browserOf = ({ plan }: Foothold, at: Micros): ActivityFacts => ({
  ...programFor(plan, at, [CHROME, SESSION_BROWSER]),
});

/** One thing that the intruder does at a foothold. Orders are asked for with pages, so that they are none. */
const handsOn = (
  foothold: Foothold,
  at: Micros,
  phase: 'look' | 'use' | 'spread' | 'order',
  technique: string,
): void => {
  const { scene, person, plan } = foothold;
  const { own, step, world } = scene;
  if (!isInReach(foothold, at)) return;
  const isService = own.chance(SERVICE_SHARE);
  const base = isService ? asService(foothold) : asPerson(foothold);
  const does = isService ? AS_SERVICE(own.next()) : AS_PERSON(own.next());
  const host = person.workstation;
  if (does === 'browse' && phase === 'order') return;
  switch (does) {
    case 'browse': {
      const facts = isService
        ? pageOf(foothold, machineSiteAt(own.next()), 9_000)
        : { ...pageOf(foothold, siteAt(own.next()), 70_000), ...browserOf(foothold, at) };
      return step(phase, technique, { ...base, kind: 'browse', at, facts });
    }
    case 'use_share': {
      const server = own.pick(world.population.serversOf(isService ? 'domain_controller' : 'file_server'));
      const path = isService ? 'Policies\\gpt.ini' : own.pick(SHARED_FILES);
      const facts = { server, path, logon_id: logonId(own), has_ticket: own.chance(0.7) };
      return step(phase, technique, { ...base, kind: 'use_share', at, facts });
    }
    case 'run_program': {
      const isTool = own.chance(0.2);
      const program = isService ? scheduledAt(own.next()) : isTool ? toolAt(own.next()) : shortAt(own.next());
      const parent = isService
        ? { parent_image: SERVICES, parent_pid: own.integer(150, 260) * 4 }
        : { parent_image: EXPLORER.image, parent_pid: plan.explorer_pid };
      const facts = { ...programFacts(program), pid: processId(own), ...parent };
      return step(phase, technique, { ...base, kind: 'run_program', at, facts });
    }
    case 'endpoint': {
      const kind = ENDPOINT_ACTS(own.next());
      const doer = isService ? serviceDoer(own, host) : programDoer(foothold, at);
      return step(phase, technique, { ...base, kind, at, facts: endpointFacts(kind, own, doer) });
    }
  }
};

/** A program of the person. */
const programDoer = ({ scene: { own }, person, plan }: Foothold, at: Micros): EndpointDoer => ({
  ...{ host: person.workstation, user: person.user, running: own.pick(runningPrograms(plan, at)) },
});

/** Those who give orders hide behind names that normal traffic has, the popular ones as often as the rare ones. */
const ordersFrom = (own: KeyedDraws): string => own.pick(SITES)[1];

/** The service of shadow copies is turned off. */
const NO_COPIES = {
  key: 'HKLM\\System\\CurrentControlSet\\Services\\VSS\\Start',
  value: 'DWORD (0x00000004)',
};

/** What starts the tools of a monitoring system, and those of an intruder. */
const wmiOf = (own: KeyedDraws): RunningProcess => ({
  ...{ image: WMI_PROVIDER, pid: own.integer(150, 1_600) * 4 },
});

/** About how much else an intruder does: on servers when nobody is at work, and by day beside what is done by hand. */
const QUIET_COVER = 140;
const DAY_COVER = 350;

/** Does something on a few servers, each by one of its services. */
const onServers = (
  scene: CampaignScene,
  { servers }: HostCast,
  does: (doer: EndpointDoer, base: Base, at: Micros) => void,
): void => {
  const { own } = scene;
  for (let count = own.integer(4, 6); count > 0; count--) {
    const host = own.pick(servers);
    does(serviceDoer(own, host), { person: null, host, session: '0x3e7' }, begin(scene));
  }
};

/** Servers ask for orders, and carry them out. */
const beaconByNight = (scene: CampaignScene, cast: HostCast): void => {
  const { own, world, step } = scene;
  let beacons = 0;
  onServers(scene, cast, (_, base, from) => {
    const name = machineSiteAt(own.next());
    let at = from;
    for (let left = own.integer(4, 6); left > 0; left--) {
      beacons++;
      // What the resolver hears of an attack by names, `writeBeacons` says.
      const facts = pageFacts(world, own, name, true, UPDATE_BYTES);
      step('beacon', 'T1071.001', { ...base, session: null, kind: 'browse', at, facts });
      at += gap(own, 58, 0.1);
    }
  });
  blendHosts(scene, cast, SENSOR_ACTS, QUIET_COVER, { browse: beacons });
  writeBeacons(scene, 0);
  writeCalls(scene, 0);
};

const dumpByNight = (scene: CampaignScene, cast: HostCast): void => {
  const { own, step } = scene;
  onServers(scene, cast, (doer, base, at) => {
    for (const act of dumpActs(own, doer, wmiOf(own), at, LSASS))
      step('dump', 'T1003.001', { ...base, ...act });
  });
  blendHosts(scene, cast, SENSOR_ACTS, QUIET_COVER);
};

const packByNight = (scene: CampaignScene, cast: HostCast): void => {
  const { own, step } = scene;
  onServers(scene, cast, ({ running }, base, from) => {
    step('inhibit', 'T1490', { ...base, kind: 'set_value', at: from, facts: { ...running, ...NO_COPIES } });
    let at = from;
    for (let files = own.integer(2, 4); files > 0; files--) {
      at += gap(own, 4, 0.8);
      const facts = { ...running, ...packedFile(own, null) };
      step('encrypt', 'T1486', { ...base, kind: 'save_file', at, facts });
    }
  });
  blendHosts(scene, cast, SENSOR_ACTS, QUIET_COVER);
};

/** Attacks that sensors of endpoints see. All of their steps are acts that normal traffic has, too. */
export const ENDPOINT_RECIPES = {
  beaconing: {
    summary:
      '36 to 54 workstations, or a few servers when nobody is at work, each ask a host outside for orders about once a minute, and carry them out.',
    acts: [...SENSOR_ACTS, 'look_up', ...COVER_ACTS],
    write: (scene) => {
      const { own, step } = scene;
      const cast = castOf(scene);
      if (cast.isQuiet) return beaconByNight(scene, cast);
      let beacons = 0;
      let asked = 0;
      for (const foothold of footholds(scene, 36, 54)) {
        const name = ordersFrom(own);
        let at = begin(scene);
        for (let left = own.integer(4, 6); left > 0; left--) {
          if (!isInReach(foothold, at)) break;
          beacons++;
          const facts: ActivityFacts = { ...pageOf(foothold, name, 30_000), ...browserOf(foothold, at) };
          if (facts['is_known'] === false) asked++;
          step('beacon', 'T1071.001', { ...asPerson(foothold), kind: 'browse', at, facts });
          for (let orders = own.poisson(3); orders > 0; orders--)
            handsOn(foothold, at + gap(own, 9, 0.7), 'order', 'T1059');
          at += gap(own, 58, 0.1);
        }
      }
      writeBeacons(scene, asked);
      writeCalls(scene, beacons);
    },
  },
  credential_dump: {
    summary:
      'A tool reads the memory of lsass.exe and writes a dump, on 40 to 60 workstations, or on a few servers when nobody is at work.',
    acts: SENSOR_ACTS,
    write: (scene) => {
      const { own, step } = scene;
      const cast = castOf(scene);
      if (cast.isQuiet) return dumpByNight(scene, cast);
      let dumps = 0;
      for (const foothold of footholds(scene, 40, 60)) {
        let at = begin(scene);
        for (let looks = own.integer(4, 7); looks > 0; looks--) {
          handsOn(foothold, at, 'look', 'T1082');
          at += humanGap(own);
        }
        if (!isInReach(foothold, at)) continue;
        const { person, plan } = foothold;
        const doer = { host: person.workstation, user: person.user };
        const parent = { image: EXPLORER.image, pid: plan.explorer_pid };
        for (const act of dumpActs(own, doer, parent, at, LSASS))
          step('dump', 'T1003.001', { ...asPerson(foothold), ...act });
        dumps++;
        for (let moves = own.integer(3, 6); moves > 0; moves--) {
          at += humanGap(own);
          handsOn(foothold, at, 'use', 'T1078.002');
        }
      }
      const has = { run_program: dumps, open_process: dumps, save_file: dumps };
      blendHosts(scene, cast, SENSOR_ACTS, DAY_COVER, has);
    },
  },
  ransomware: {
    summary:
      'On 40 to 60 workstations, first of those who opened the link of a lure, or on a few servers when nobody is at work, shadow copies are turned off, then files are packed and removed.',
    acts: SENSOR_ACTS,
    write: (scene) => {
      const { own, step } = scene;
      const cast = castOf(scene);
      if (cast.isQuiet) return packByNight(scene, cast);
      let packed = 0;
      for (const foothold of footholds(scene, 40, 60, lured(scene))) {
        let at = begin(scene);
        for (let looks = own.integer(4, 6); looks > 0; looks--) {
          handsOn(foothold, at, 'look', 'T1083');
          at += humanGap(own);
        }
        const base = asPerson(foothold);
        if (!isInReach(foothold, at)) continue;
        const { running, user } = programDoer(foothold, at);
        step('inhibit', 'T1490', { ...base, kind: 'set_value', at, facts: { ...running, ...NO_COPIES } });
        for (let files = own.integer(2, 4); files > 0; files--) {
          at += gap(own, 4, 0.8);
          if (!isInReach(foothold, at)) break;
          const file = { ...running, ...packedFile(own, user) };
          step('encrypt', 'T1486', { ...base, kind: 'save_file', at, facts: file });
          packed++;
          if (own.chance(0.6)) handsOn(foothold, at + gap(own, 9, 0.8), 'spread', 'T1570');
        }
      }
      blendHosts(scene, cast, SENSOR_ACTS, DAY_COVER, { save_file: packed });
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
