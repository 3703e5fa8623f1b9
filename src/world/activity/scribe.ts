import { MICROS_PER_MINUTE, MICROS_PER_MS, type Micros } from '../../domain/time/micros.js';
import { shownFrom } from '../crowds.js';
import type { KeyedDraws } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import type { WorldGround } from '../population/population.js';
import type { DayPlan } from '../schedule/day.js';
import type { WorldSpec } from '../spec.js';
import type { Activity, ActivityFacts, ActivityKind, AttackTruth, ShownFrom } from './kinds.js';

/** What rules may ask. */
export interface Surroundings extends WorldGround {
  readonly spec: WorldSpec;
  /** The day of a person by the clock of their site. Null on a day off. */
  readonly planAt: (person: Person, at: Micros) => DayPlan | null;
  /** Address from which a person works at a moment, and the zone that a firewall sees. Null when the person is not on the network. */
  readonly addressOf: (person: Person, at: Micros) => { readonly ip: string; readonly zone: string } | null;
}

/** What a person or a machine decides to do. */
export interface Act {
  readonly kind: ActivityKind;
  readonly at: Micros;
  readonly person: Person | null;
  readonly host: WorldHost | null;
  readonly session: string | null;
  readonly facts: ActivityFacts;
  readonly truth: AttackTruth | null;
}

/** What an effect takes from its cause unless it says otherwise. */
export interface Effect {
  readonly facts: ActivityFacts;
  readonly person?: Person | null;
  readonly host?: WorldHost | null;
  readonly session?: string | null;
}

/** A row of the table of causes: an activity of one kind leads to one of another. */
export interface CausalRule {
  readonly effect: ActivityKind;
  /** How many; one unless given. It depends on the cause only, so that a checker knows what to expect. */
  readonly count?: (cause: Activity) => number;
  /** Median and sigma of the lognormal time from the cause. */
  readonly after_ms: number | ((cause: Activity) => number);
  readonly sigma: number;
  readonly make: (cause: Activity, world: Surroundings, own: KeyedDraws, index: number) => Effect;
  /** Its effects, and what follows from them, are numbered apart: all others keep their numbers, and thus their draws. */
  readonly isApart?: boolean;
  /** The same, from the last place of the act back, for a rule in the middle of an act that has others numbered apart. */
  readonly isBackward?: boolean;
}

export type CausalRules = Readonly<Partial<Record<ActivityKind, readonly CausalRule[]>>>;

/** Which numbers of its act an activity has: 0 from the first on, 1 apart, 2 from the last one back. */
type Numbered = 0 | 1 | 2;
const STEP = [1, 1, -1] as const;

/** Numbers of the next activities of an act, by how they are numbered. */
type NextNumbers = [number, number, number];

const beginAt = (next: NextNumbers, begin: number): void => {
  next[0] = begin;
  next[1] = begin + APART;
  next[2] = begin + ACTIVITIES_PER_ACT - 1;
};

const isOver = ([plain, apart, backward]: NextNumbers, begin: number): boolean =>
  plain > begin + APART || apart > backward + 1;

/** Purpose of the draws of effects. */
const WHY_EFFECT = 64;

/**
 * The number of an activity in its minute has twenty bits of its act and seven of its place in the act. The acts of a
 * source are a range of them.
 */
const ACTIVITIES_PER_ACT = 2 ** 7;
/** Effects that are numbered apart have the upper half of the places in the act. */
const APART = ACTIVITIES_PER_ACT / 2;
const ACTS_PER_RANGE = 2 ** 15;
const RANGES = 2 ** 5;
/** Activities of a minute have numbers below this. */
export const IDS_PER_MINUTE = RANGES * ACTS_PER_RANGE * ACTIVITIES_PER_ACT;

/**
 * Where acts come from, with the first range of each; it goes to that of the next. Each counts its acts, so that one can
 * be left out without a change of the others.
 */
const ACT_SOURCES = {
  people: 0,
  machines: 2,
  endpoints: 4,
  dumps: 6,
  cloud: 7,
  storms: 8,
  web: 9,
  probes: 10,
  database: 11,
  mails: 12,
  devices: 13,
  campaigns: 14,
  lookups: 16,
  counters: 18,
  routers: 19,
  servers: 20,
  stale: 22,
  cluster: 23,
  visits: 24,
  windows: 26,
  remote: 28,
  payments: 29,
  edge: 30,
} as const;

/** How many acts a minute has from the source that begins with a range. */
const ACTS_FROM = Array.from({ length: RANGES }, (_, range) => {
  const next = Math.min(RANGES, ...Object.values(ACT_SOURCES).filter((other) => other > range));
  return (next - range) * ACTS_PER_RANGE;
});

/** All effects of an act come within a minute: a minute needs only itself and the one before. */
const REACH = MICROS_PER_MINUTE - 100 * MICROS_PER_MS;

/** Writes down the acts of a minute with their effects. */
export interface Scribe {
  /** Tells where the next acts come from, and for a source that numbers its acts itself, the number of the next one. */
  readonly from: (source: keyof typeof ACT_SOURCES, act?: number) => void;
  readonly act: (act: Act) => void;
  /** Tells whose acts come next, and whether they may go over the VPN. Null for those of anybody, as at the beginning. */
  readonly turnTo: (person: Person | null, mayBeOverVpn?: boolean) => void;
  /** Counts an act if nobody looks at it nor at what would follow from it, and tells so: its facts need not be drawn then. */
  readonly leavesOut: (kind: ActivityKind) => boolean;
  /** The same for some acts of any of these kinds at once, of which nothing but their number is known. */
  readonly leavesOutAll: (kinds: readonly ActivityKind[], count: number) => boolean;
  /** Whether somebody looks at nothing of a kind but what goes over the VPN. */
  readonly isVpnApart: boolean;
  /** Whether that of whose acts come next is made of one of these kinds: for sources that have no acts of others. */
  readonly isMade: (...kinds: readonly ActivityKind[]) => boolean;
  /** Whether anybody looks at one of these kinds or at what follows from them. */
  readonly isWanted: (...kinds: readonly ActivityKind[]) => boolean;
  /** The kinds that `isWanted` knows: the same set as long as nobody looks at more. */
  readonly wanted: ReadonlySet<ActivityKind>;
  /** The activities of the kinds that are looked at. */
  readonly written: readonly Activity[];
}

/** Kinds that somebody looks at, and those that must be made for them: the kinds themselves and all that lead to one. */
export interface LookedAt {
  readonly kinds: ReadonlySet<ActivityKind>;
  readonly made: ReadonlySet<ActivityKind>;
  /** Those of whoever is on the VPN: the same set, unless somebody looks at nothing of a kind but what goes over it. */
  readonly madeOverVpn: ReadonlySet<ActivityKind>;
  /** Attacks whose campaigns are made. Null for all. */
  readonly attacks: ReadonlySet<string> | null;
}

/** What has connections to the internet, from there, or between servers: never over the VPN. */
const NEVER_OVER_VPN: ReadonlySet<ActivityKind> = new Set<ActivityKind>([
  ...(['browse', 'use_application', 'probe', 'try_outside', 'receive_mail', 'message'] as const),
  ...(['connect_vpn', 'vpn_end', 'try_remotely', 'finish_remotely', 'reach_server'] as const),
]);

/** The kinds, and all that lead to one. */
const withCauses = (
  kinds: ReadonlySet<ActivityKind>,
  rules: CausalRules,
  without: ReadonlySet<ActivityKind>,
): ReadonlySet<ActivityKind> => {
  const made = new Set(kinds);
  const causes = Object.entries(rules) as readonly (readonly [ActivityKind, readonly CausalRule[]])[];
  for (let before = -1; before !== made.size; ) {
    before = made.size;
    for (const [cause, those] of causes)
      if (!without.has(cause) && those.some(({ effect }) => made.has(effect))) made.add(cause);
  }
  return made;
};

/** `overVpn`: kinds of which somebody looks at what goes over the VPN. */
export const lookedAt = (
  kinds: ReadonlySet<ActivityKind>,
  rules: CausalRules,
  overVpn: ReadonlySet<ActivityKind> = new Set(),
  attacks: ReadonlySet<string> | null = null,
): LookedAt => {
  const made = withCauses(kinds, rules, new Set());
  if ([...overVpn].every((kind) => kinds.has(kind))) return { kinds, made, madeOverVpn: made, attacks };
  const all = new Set([...kinds, ...overVpn]);
  const madeOverVpn = new Set([...made, ...withCauses(all, rules, NEVER_OVER_VPN)]);
  return { kinds: all, made, madeOverVpn, attacks };
};

const lastRulesOf = new WeakMap<ReadonlySet<ActivityKind>, ReadonlyMap<ActivityKind, number>>();

/** The place of the last rule of each kind that leads to something which is made; -1 where none does. */
const lastRules = (
  rules: CausalRules,
  made: ReadonlySet<ActivityKind>,
): ReadonlyMap<ActivityKind, number> => {
  const known = lastRulesOf.get(made);
  if (known !== undefined) return known;
  const causes = Object.entries(rules) as readonly (readonly [ActivityKind, readonly CausalRule[]])[];
  const last = new Map(
    causes.map(([kind, those]) => [kind, those.findLastIndex(({ effect }) => made.has(effect))] as const),
  );
  lastRulesOf.set(made, last);
  return last;
};

/** Writes the activities that follow from an act, and those of them that are looked at down. */
interface Writer {
  readonly written: readonly Activity[];
  /** Tells what is made of the next acts. */
  readonly look: (made: ReadonlySet<ActivityKind>) => void;
  /** Returns whether there are numbers for all from `begin` on. */
  readonly write: (act: Act, begin: number) => boolean;
}

const makeWriter = (
  minute: number,
  rules: CausalRules,
  world: Surroundings,
  { kinds, made }: LookedAt,
): Writer => {
  const written: Activity[] = [];
  /** What is made of the act under way, and the last rules that matter then. */
  let [wanted, lasts] = [made, lastRules(rules, made)];
  const first = minute * IDS_PER_MINUTE;
  // One for all effects: an effect has made its draws when the next one begins.
  const own = world.draws.of(0, minute, WHY_EFFECT);
  const next: NextNumbers = [0, 0, 0];

  // One literal for all activities gives them one shape, which V8 makes and reads fastest.
  const write = (
    at: Micros,
    kind: ActivityKind,
    person: Person | null,
    host: WorldHost | null,
    session: string | null,
    facts: ActivityFacts,
    cause: number | null,
    truth: AttackTruth | null,
    shown_from: ShownFrom | null,
    limit: Micros,
    numbered: Numbered,
    // Whether no activity of the act has a number after it and all that follows from it.
    isLast: boolean,
  ): void => {
    const id = next[numbered];
    next[numbered] += STEP[numbered];
    const activity: Activity = { id, at, kind, person, host, session, facts, cause, truth, shown_from };
    if (kinds.has(kind)) written.push(activity);
    const those = rules[kind];
    if (those === undefined) return;
    // When nothing has a number after these, those that nobody looks at need none.
    const end = isLast ? (lasts.get(kind) ?? -1) : those.length - 1;
    for (let place = 0; place <= end; place++) {
      const { effect, count, after_ms, sigma, make, isApart, isBackward } = those[place] as CausalRule;
      const many = count === undefined ? 1 : count(activity);
      const goes: Numbered = isBackward === true ? 2 : isApart === true && numbered === 0 ? 1 : numbered;
      const isEnd = place === end && isLast;
      // What leads to nothing and is not looked at needs its number only.
      if (!wanted.has(effect) && rules[effect] === undefined) {
        next[goes] += many * STEP[goes];
        continue;
      }
      for (let index = 0; index < many; index++) {
        own.restart(next[goes] - first, minute, WHY_EFFECT);
        const median = typeof after_ms === 'number' ? after_ms : after_ms(activity);
        const delay = Math.max(1, Math.round(own.lognormal(median, sigma) * MICROS_PER_MS));
        const given = make(activity, world, own, index);
        write(
          Math.min(at + delay * (index + 1), limit),
          effect,
          given.person === undefined ? person : given.person,
          given.host === undefined ? host : given.host,
          given.session === undefined ? session : given.session,
          given.facts,
          id,
          truth,
          shown_from,
          limit,
          goes,
          isEnd && index === many - 1,
        );
      }
    }
  };

  return {
    written,
    look: (now) => {
      if (now !== wanted) [wanted, lasts] = [now, lastRules(rules, now)];
    },
    write: (act, begin) => {
      const { at, kind, person, host, session, facts, truth } = act;
      beginAt(next, begin);
      write(at, kind, person, host, session, facts, null, truth, shownFrom(act), at + REACH, 0, true);
      return !isOver(next, begin);
    },
  };
};

/**
 * Activities that nobody looks at are counted, and not made. The number of an activity, and thus its draws, depends on the
 * order in which a source writes its acts, never on who looks. `of`: only the acts of this person are made. All that
 * follows from an act is of the same person or of nobody.
 */
export const makeScribe = (
  minute: number,
  rules: CausalRules,
  world: Surroundings,
  looked: LookedAt,
  of: Person | null = null,
): Scribe => {
  const { made, madeOverVpn } = looked;
  const writer = makeWriter(minute, rules, world, looked);
  /** What is made of whose acts come next. */
  let wanted = made;
  const first = minute * IDS_PER_MINUTE;
  const acts = new Uint32Array(RANGES);
  let source: number = ACT_SOURCES.people;
  /** Whether the acts that come next are of somebody whom nobody looks at. */
  let isOther = false;
  /** Counts acts that are not made. */
  const leaveOut = (isWanted: boolean, count: number): boolean => {
    if (isWanted && !isOther) return false;
    acts[source] = (acts[source] as number) + count;
    return true;
  };

  return {
    written: writer.written,
    isVpnApart: made !== madeOverVpn,
    wanted: madeOverVpn,
    from: (name, act) => {
      source = ACT_SOURCES[name];
      if (act !== undefined) acts[source] = act;
    },
    isMade: (...kinds) => kinds.some((kind) => wanted.has(kind)),
    isWanted: (...kinds) => kinds.some((kind) => madeOverVpn.has(kind)),
    turnTo: (person, mayBeOverVpn = false) => {
      wanted = mayBeOverVpn ? madeOverVpn : made;
      writer.look(wanted);
      isOther = of !== null && person !== null && person.number !== of.number;
    },
    leavesOut: (kind) => leaveOut(wanted.has(kind), 1),
    leavesOutAll: (kinds, count) =>
      leaveOut(
        kinds.some((kind) => wanted.has(kind)),
        count,
      ),
    act: (given) => {
      const { kind, person } = given;
      const act = (acts[source] as number)++;
      if (!wanted.has(kind) || (of !== null && person?.number !== of.number)) return;
      const begin = first + (source * ACTS_PER_RANGE + act) * ACTIVITIES_PER_ACT;
      const hasRoom = writer.write(given, begin);
      if (act >= (ACTS_FROM[source] as number) || !hasRoom)
        throw new Error(`a world has no more numbers for ${kind}`);
    },
  };
};
