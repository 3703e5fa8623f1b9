import { MICROS_PER_DAY, MICROS_PER_MINUTE, MICROS_PER_SECOND, type Micros } from '../domain/time/micros.js';
import { type Zone, zoneOf } from '../domain/time/zone.js';
import { consoleMinute, rememberSignIns } from './activity/cloud/console.js';
import { cloudMinute, cloudShells } from './activity/cloud/minute.js';
import { clusterMinutes } from './activity/cluster/clusterMinute.js';
import { databaseOf } from './activity/database/databaseMinute.js';
import { devicesOf } from './activity/devices/deviceMinute.js';
import { probeMinute, refusedMinute } from './activity/edge.js';
import { dumpMinute, endpointMinute } from './activity/endpoint.js';
import { type Activity, type ActivityKind, ALL_ACTIVITY_KINDS } from './activity/kinds.js';
import { linuxMinute, staleMinute } from './activity/linux/minute.js';
import { countMinute, lookUpMinute } from './activity/lookups.js';
import { machineMinute, stormMinute } from './activity/machines.js';
import { mailMinute } from './activity/mail/inbox.js';
import type { Past } from './activity/past.js';
import { paymentsOf } from './activity/payments/paymentsMinute.js';
import { addressDuring, personMinute } from './activity/people.js';
import { LONG_CONNECTIONS, meterMinute, rememberLong } from './activity/routers/meter.js';
import { trafficMinute } from './activity/routers/traffic.js';
import { RULES } from './activity/rules/rules.js';
import {
  type CausalRules,
  type LookedAt,
  lookedAt,
  makeScribe,
  type Scribe,
  type Surroundings,
} from './activity/scribe.js';
import { visitsTo } from './activity/visits.js';
import { gatewayMinute, keepMinute, mayBeOnVpn } from './activity/vpn.js';
import { webSite } from './activity/web/webMinute.js';
import { remoteMinute, windowsMinute } from './activity/windows.js';
import { campaignActs, campaignsOf } from './attack/campaigns.js';
import { RECIPES } from './attack/recipes.js';
import type { Recipe } from './attack/scene.js';
import { drawSource } from './draw.js';
import { looksOfSources } from './looks.js';
import type { Person, Site, WorldHost } from './population/entities.js';
import { makePopulation } from './population/population.js';
import { rememberLast } from './remember.js';
import { type DayPlan, dayPlans } from './schedule/day.js';
import type { WorldSpec } from './spec.js';
import type { DayPart, World } from './world.js';

/**
 * Makes a world. Nothing is computed before it is asked for; what is kept only saves time. `rules` and `recipes` stand in
 * for those of the world, so that a test can leave some out.
 */
export const makeWorld = (
  spec: WorldSpec,
  rules: CausalRules = RULES,
  recipes: Readonly<Record<string, Recipe>> = RECIPES,
): World => {
  const { world, population, planOf, zoneAt } = surroundingsOf(spec);
  const writeCampaigns = campaignsOf(world, recipes);
  const writeVisits = visitsTo(world);
  const visited = [
    webSite(world),
    databaseOf(world),
    clusterMinutes(world),
    devicesOf(world),
    paymentsOf(world),
  ];
  const writeShells = cloudShells(world);

  let looked = lookedAt(new Set(), rules);
  /** Acts of a minute with all their effects, some of which come in the next. */
  const written = (
    minute: number,
    of: Person | null,
    seen = looked,
    past: Pasts | null = wholePast,
  ): readonly Activity[] => {
    const from = minute * MICROS_PER_MINUTE;
    // Looked for first: campaigns are made anew whenever somebody else looks.
    const long = past !== null && of === null && seen.made.has('meter_flow') ? past.long.before(minute) : [];
    const all = of === null ? withConnections(seen) : seen;
    const scribe = makeScribe(minute, rules, world, all, of);
    for (const write of visited) write(scribe, from, of !== null);
    if (past !== null || seen.made === LONG_CONNECTIONS.made) writeCampaigns(scribe, minute, seen.attacks);
    if ([...seen.made].every((kind) => NEEDS_NO_DAY.has(kind))) return scribe.written;
    // A day ends before midnight of its site: one plan decides about a minute, but for that in which the clock changes.
    const days = new Map(population.sites.map((site) => [site, dayOf(zoneAt(site), from)]));
    let active = 0;
    for (let number = 0; number < population.size; number++) {
      const person = population.person(number);
      const plan = planOf(person, days.get(person.site) ?? 0);
      if (plan === null || plan.span[0] >= from + MICROS_PER_MINUTE || plan.span[1] <= from) continue;
      active++;
      // People have their acts before those of higher numbers. Machines, too, number theirs apart, and are nobody.
      if (of !== null && number > of.number) continue;
      scribe.turnTo(person, scribe.isVpnApart && mayBeOnVpn(plan, from));
      personMinute(scribe, world, person, plan, from);
      if (of === null) machineMinute(scribe, world, person.workstation, person, from);
      workstationMinute(scribe, world, person, plan, from);
      writeShells(scribe, person, plan, from);
    }
    scribe.turnTo(null);
    if (of === null) nobodysMinute(scribe, world, from);
    mailMinute(scribe, world, from, active / population.size);
    writeVisits(scribe, from);
    cloudMinute(scribe, world, from);
    // Without it, this is the look at the past: sign-ins, which are no part of an attack, or long connections.
    if (past === null) return scribe.written;
    if (scribe.isWanted('use_cloud')) consoleMinute(scribe, world, past.signIns.before(minute), from);
    countMinute(scribe, world, from);
    if (of === null) routersMinute(scribe, world, long, active / population.size, from);
    return keptFor(past, minute, scribe.written, seen, all);
  };

  const pastOf = (of: Person | null, { attacks }: LookedAt): Pasts =>
    pastsOf((minute, seen) => written(minute, of, { ...seen, attacks }, null), rules);
  let wholePast = pastOf(null, looked);

  const drafts = rememberLast((minute) => written(minute, null), lengthOf);
  const minutes = rememberLast((minute) => settled(drafts.of, minute), lengthOf);
  const addLook = looksOfSources(rules, (now, isAnew) => {
    looked = now;
    if (!isAnew) return;
    wholePast = pastOf(null, looked);
    drafts.forget();
    minutes.forget();
  });
  const lookAt: World['lookAt'] = (look, until) => {
    addLook(look, until);
    return minutes.of;
  };

  return {
    spec,
    population,
    lookAt,
    minute: (minute) => lookAt({ kinds: ALL_ACTIVITY_KINDS })(minute),
    minutesOf: (person) => {
      const all = lookedAt(new Set(ALL_ACTIVITY_KINDS), rules);
      const past = pastOf(person, all);
      const own = rememberLast((minute) => written(minute, person, all, past), lengthOf);
      return (minute) =>
        settled(own.of, minute).filter((activity) => activity.person?.number === person.number);
    },
    day: (person, day) => partsOf(person, planOf(person, day)),
    campaign: (attack, number) => campaignActs(world, recipes, attack, number),
    attacks: Object.fromEntries(Object.entries(recipes).map(([name, { summary }]) => [name, summary])),
  };
};

/** Who looks at the web site, the database, the cluster, devices and payments only needs nobody's day. */
const NEEDS_NO_DAY = new Set<ActivityKind>([
  ...(['request_web', 'use_database', 'keep_database', 'use_cluster', 'use_broker'] as const),
  ...(['pay', 'serve_payments'] as const),
]);

/** What a minute needs of those before it. */
interface Pasts {
  readonly signIns: Past;
  readonly long: Past;
}

/** `look` makes a minute without what follows from other minutes. */
const pastsOf = (
  look: (minute: number, seen: LookedAt) => readonly Activity[],
  rules: CausalRules,
): Pasts => ({
  signIns: rememberSignIns((minute) => look(minute, lookedAt(new Set(['cloud_sign_in']), rules))),
  long: rememberLong((minute) => look(minute, LONG_CONNECTIONS)),
});

/** Routers need the connections of the past. Those that are made anyway are kept: looking for them apart costs ten times as much. */
const withConnections = (seen: LookedAt): LookedAt =>
  seen.kinds.has('meter_flow') && seen.made.has('connection')
    ? { ...seen, kinds: new Set([...seen.kinds, 'connection']) }
    : seen;

/** Keeps what later minutes need of all that was made, and returns what is looked at. */
const keptFor = (
  past: Pasts,
  minute: number,
  written: readonly Activity[],
  seen: LookedAt,
  all: LookedAt,
): readonly Activity[] => {
  if (seen.kinds.has('cloud_sign_in')) past.signIns.keep(minute, written);
  if (all === seen) return written;
  past.long.keep(minute, written);
  return written.filter(({ kind }) => seen.kinds.has(kind));
};

const lengthOf = ({ length }: readonly Activity[]): number => length;

/** What the minutes of a world are made from. */
const surroundingsOf = (spec: WorldSpec) => {
  const draws = drawSource(spec.seed);
  const population = makePopulation(spec, draws);
  const zoneAt = zonesOfSites();
  const planOf = dayPlans(spec, population, draws, ({ site }) => zoneAt(site));
  const dayAt = daysOf(zoneAt);
  const planAt = (person: Person, at: Micros): DayPlan | null => planOf(person, dayAt(person.site, at));
  const world: Surroundings = {
    ...{ spec, population, draws, planAt },
    addressOf: (person, at) => addressDuring(planAt(person, at), person, at),
  };
  return { world, population, planOf, zoneAt };
};

/** The local day of a site. Most questions are about the minute of the one before. */
const daysOf = (zoneAt: (site: Site) => Zone): ((site: Site, at: Micros) => number) => {
  const last = new Map<Site, { readonly minute: number; readonly day: number }>();
  return (site, at) => {
    const minute = Math.floor(at / MICROS_PER_MINUTE);
    const known = last.get(site);
    if (known?.minute === minute) return known.day;
    const day = dayOf(zoneAt(site), minute * MICROS_PER_MINUTE);
    last.set(site, { minute, day });
    return day;
  };
};

/** The time zone of a site, made once. */
const zonesOfSites = (): ((site: Site) => Zone) => {
  const zones = new Map<string, Zone>();
  return ({ time_zone }) => {
    const known = zones.get(time_zone) ?? zoneOf(time_zone);
    if (known === null) throw new Error(`no such time zone: ${time_zone}`);
    zones.set(time_zone, known);
    return known;
  };
};

/** What somebody does at their workstation, and what it does for them. */
const workstationMinute = (
  scribe: Scribe,
  world: Surroundings,
  person: Person,
  plan: DayPlan,
  from: Micros,
): void => {
  const host = person.workstation;
  windowsMinute(scribe, world, host, person, plan, from);
  endpointMinute(scribe, world, host, person, plan, from);
  if (person.is_engineer) staleMinute(scribe, world, { person, host }, from);
  dumpMinute(scribe, world, { host, person, plan }, from);
  lookUpMinute(scribe, world, host, person, from);
  edgeMinute(scribe, world, host, { person, plan }, from);
};

/** All of these number their acts together: either all are made or none. */
const EDGE_ACTS = ['try_outside', 'keep_vpn', 'connect_vpn'] as const;

const edgeMinute = (
  scribe: Scribe,
  world: Surroundings,
  host: WorldHost,
  user: { readonly person: Person; readonly plan: DayPlan } | null,
  from: Micros,
): void => {
  if (!scribe.isWanted(...EDGE_ACTS)) return;
  scribe.from('edge');
  refusedMinute(scribe, world, host, user?.person ?? null, from);
  if (user !== null) keepMinute(scribe, world, user.person, user.plan, from);
  if (host === world.population.serversOf('vpn_gateway')[0]) gatewayMinute(scribe, world, from);
};

const serverMinute = (scribe: Scribe, world: Surroundings, host: WorldHost, from: Micros): void => {
  machineMinute(scribe, world, host, null, from);
  windowsMinute(scribe, world, host, null, null, from);
  endpointMinute(scribe, world, host, null, null, from);
  lookUpMinute(scribe, world, host, null, from);
  edgeMinute(scribe, world, host, null, from);
};

/** What servers and strangers do: nothing that a person does follows from it. */
const nobodysMinute = (scribe: Scribe, world: Surroundings, from: Micros): void => {
  for (const host of world.population.servers) {
    serverMinute(scribe, world, host, from);
    stormMinute(scribe, world, host, from / MICROS_PER_MINUTE);
  }
  remoteMinute(scribe, world, from);
  probeMinute(scribe, world, from);
  linuxMinute(scribe, world, from);
};

/** What routers tell: how they are, of connections that last, and of what nobody asked for. Nothing of it is of a person. */
const routersMinute = (
  scribe: Scribe,
  world: Surroundings,
  long: readonly Activity[],
  atWork: number,
  from: Micros,
): void => {
  if (scribe.isWanted('report_load', 'meter_flow')) meterMinute(scribe, world, long, from);
  trafficMinute(scribe, world, atWork, from);
};

/** The activities in a minute, by time: those of its own acts and of the acts in the minute before. */
const settled = (drafts: World['minute'], number: number): readonly Activity[] => {
  const from = number * MICROS_PER_MINUTE;
  const to = from + MICROS_PER_MINUTE;
  return [...drafts(number - 1), ...drafts(number)]
    .filter(({ at }) => at >= from && at < to)
    .sort((a, b) => a.at - b.at || a.id - b.id);
};

const dayOf = (zone: Zone, at: Micros): number =>
  Math.floor((at + zone.offsetSecondsAt(at) * MICROS_PER_SECOND) / MICROS_PER_DAY);

const partsOf = (person: Person, plan: DayPlan | null): readonly DayPart[] => {
  if (plan === null) return [];
  const host = person.workstation;
  const [from, to] = plan.span;
  const parts: DayPart[] = [
    { from, to, what: plan.where === 'office' ? 'at the office' : 'at home', host },
    ...plan.locks.map(
      ([away, back]) => ({ from: away, to: back, what: 'away from the screen', host }) as const,
    ),
    ...plan.vpn.map((span) => ({ from: span[0], to: span[1], what: 'on the VPN', host: null }) as const),
    ...plan.work.map(
      ({ server, span }) => ({ from: span[0], to: span[1], what: 'on a server', host: server }) as const,
    ),
  ];
  return parts.sort((a, b) => a.from - b.from);
};
