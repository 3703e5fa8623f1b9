/** What computers log on behalf of an attack, in the shares of everyday life at that time: no kind of event gives it away. */
import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { endpointMinute } from '../activity/endpoint.js';
import type { ActivityKind } from '../activity/kinds.js';
import { machineMinute } from '../activity/machines.js';
import { busyActs } from '../activity/people.js';
import type { Act, Scribe, Surroundings } from '../activity/scribe.js';
import { remoteMinute, windowsMinute } from '../activity/windows.js';
import type { DrawSource, KeyedDraws } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import type { DayPlan } from '../schedule/day.js';
import type { CampaignScene } from './scene.js';

/** What an intruder does each of them for, beside the steps that the attack is about. */
const TECHNIQUES = {
  ...{ use_share: 'T1135', run_program: 'T1059', start_service: 'T1569.002', request_ticket: 'T1558' },
  ...{ use_credentials: 'T1078.002', try_password: 'T1110.001', try_remotely: 'T1110.001' },
  ...{ change_account: 'T1098', browse: 'T1071.001', save_file: 'T1074.001', set_value: 'T1112' },
  ...{ open_process: 'T1057', use_pipe: 'T1559' },
} as const satisfies Partial<Record<ActivityKind, string>>;

type HostAct = keyof typeof TECHNIQUES;

/** Those that the security log of a domain shows. */
export const DOMAIN_ACTS = [
  ...(['use_share', 'run_program', 'start_service', 'request_ticket', 'use_credentials'] as const),
  ...(['try_password', 'try_remotely', 'change_account'] as const),
] as const satisfies readonly HostAct[];

/** Those that a sensor at the endpoint shows. */
export const SENSOR_ACTS = [
  ...(['browse', 'use_share', 'run_program', 'save_file', 'set_value', 'open_process', 'use_pipe'] as const),
] as const satisfies readonly HostAct[];

const ASKED_PEOPLE = 60;
const ASKED_SERVERS = 40;
/** Below this share of people at work, an attack goes on from servers. */
const QUIET_BELOW = 0.25;
const COVER_MINUTES = 12;

/** Some of those who are at work at the time of an attack, and of the servers that have Windows. */
export interface HostCast {
  readonly people: readonly (readonly [person: Person, plan: DayPlan])[];
  readonly servers: readonly WorldHost[];
  /** Nearly nobody is at work: by night, and at the weekend. */
  readonly isQuiet: boolean;
  /** How many people of the population, and how many servers, each of them stands for. */
  readonly weights: { readonly person: number; readonly server: number };
}

const someOf = <A>(own: KeyedDraws, items: readonly A[], most: number): readonly A[] => {
  const first = items.length > most ? own.integer(0, items.length - 1) : 0;
  return [...items.slice(first), ...items.slice(0, first)].slice(0, most);
};

export const windowsServers = ({ world }: CampaignScene): readonly WorldHost[] =>
  world.population.servers.filter(({ os }) => os.family === 'windows');

export const castOf = (scene: CampaignScene): HostCast => {
  const { own, planOf } = scene;
  const { population } = scene.world;
  const asked = new Set<Person>();
  const most = Math.min(population.size, ASKED_PEOPLE);
  while (asked.size < most) asked.add(population.person(own.integer(0, population.size - 1)));
  const people = [...asked].flatMap((person) => {
    const plan = planOf(person);
    return plan === null ? [] : [[person, plan] as const];
  });
  const all = windowsServers(scene);
  const servers = someOf(own, all, ASKED_SERVERS);
  return {
    ...{ people, servers, isQuiet: people.length < most * QUIET_BELOW },
    weights: { person: population.size / most, server: all.length / servers.length },
  };
};

/** Purposes of draws of the world are below this. */
const PURPOSES = 1_024;
const OTHER_LIVES = 60;

/** The draws of a world that could have been: what lasts is as in the world, what happens at a time is other. */
const otherDraws = (own: KeyedDraws, { draws }: Surroundings): DrawSource => {
  const other = own.integer(1, OTHER_LIVES) * PURPOSES;
  const isMoment = (when: number): boolean => when >= MICROS_PER_MINUTE;
  return { of: (who, when, why) => draws.of(who, when, isMoment(when) ? why + other : why) };
};

/** Hands on what is written of some kinds. */
const collecting = (kinds: ReadonlySet<ActivityKind>, act: (act: Act) => void): Scribe => {
  const isWanted = (...asked: readonly ActivityKind[]): boolean => asked.some((kind) => kinds.has(kind));
  return {
    ...{ from: () => undefined, turnTo: () => undefined, isVpnApart: false, wanted: kinds, written: [] },
    act: (one) => {
      if (kinds.has(one.kind)) act(one);
    },
    leavesOut: (kind) => !kinds.has(kind),
    leavesOutAll: (all) => !isWanted(...all),
    ...{ isMade: isWanted, isWanted },
  };
};

/** An act of everyday life, and how many such it stands for. */
type Everyday = readonly [act: Act, weight: number];

/** What the cast could have done in the minutes of an attack, had the dice fallen otherwise. */
const everydayActs = (
  { own, world: { ...ground }, from }: CampaignScene,
  { people, servers, weights }: HostCast,
  kinds: ReadonlySet<ActivityKind>,
): readonly Everyday[] => {
  const world: Surroundings = { ...ground, draws: otherDraws(own, ground) };
  const found: Everyday[] = [];
  const writing = (weight: number): Scribe =>
    collecting(kinds, (act) => {
      found.push([act, weight]);
    });
  const [ofPerson, ofServer, ofAll] = [writing(weights.person), writing(weights.server), writing(1)];
  const first = Math.ceil(from / MICROS_PER_MINUTE);
  for (let minute = first; minute < first + COVER_MINUTES; minute++) {
    const at: Micros = minute * MICROS_PER_MINUTE;
    for (const [person, plan] of people) {
      // A machine is off without its person.
      if (at + MICROS_PER_MINUTE > plan.span[1]) continue;
      const host = person.workstation;
      busyActs(ofPerson, world, person, plan, at);
      machineMinute(ofPerson, world, host, person, at);
      windowsMinute(ofPerson, world, host, person, plan, at);
      endpointMinute(ofPerson, world, host, person, plan, at);
    }
    for (const host of servers) {
      machineMinute(ofServer, world, host, null, at);
      windowsMinute(ofServer, world, host, null, null, at);
      endpointMinute(ofServer, world, host, null, null, at);
    }
    remoteMinute(ofAll, world, at);
  }
  return found;
};

const weightOf = (acts: readonly Everyday[]): number => acts.reduce((sum, [, weight]) => sum + weight, 0);

/**
 * Writes what brings all that an attack does at computers to the shares of everyday life at that time: about `total` acts of
 * these kinds, less those that it has of its own.
 */
export const blendHosts = (
  scene: CampaignScene,
  cast: HostCast,
  kinds: readonly HostAct[],
  total: number,
  has: Readonly<Partial<Record<HostAct, number>>> = {},
): void => {
  const acts = everydayActs(scene, cast, new Set(kinds));
  const share = total / Math.max(1, weightOf(acts));
  for (const kind of kinds) {
    const those = acts.filter(([act]) => act.kind === kind);
    const expected = share * weightOf(those);
    const kept = share * Math.max(0, 1 - (has[kind] ?? 0) / Math.max(1, expected));
    for (const [act, weight] of those)
      if (scene.own.chance(kept * weight)) scene.step('look', TECHNIQUES[kind], act);
  }
};
