import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import type { ActivityKind, AttackTruth } from '../activity/kinds.js';
import type { Act, Scribe, Surroundings } from '../activity/scribe.js';
import { mayBeOnVpn } from '../activity/vpn.js';
import { textNumber } from '../draw.js';
import type { Person } from '../population/entities.js';
import { rememberLast } from '../remember.js';
import type { DayPlan } from '../schedule/day.js';
import { CAMPAIGN_MINUTES } from './names.js';
import { FIRST_MINUTES } from './recipes.js';
import type { Recipe } from './scene.js';

const WHY_CAMPAIGN = 80;
const TRIES = 60;
/** Two are read in a minute; some sources are ahead of others. */
const CAMPAIGNS_KEPT = 4;

/**
 * Room for the acts of an attack in a minute. Each attack numbers its own, so that it stays as it is whatever other
 * attacks there are, and can be left out.
 */
export const ACTS_PER_MINUTE = 512;

/** Writes the acts of the campaigns in a minute: those of all attacks, or of some. */
export const campaignsOf = (
  world: Surroundings,
  given: Readonly<Record<string, Recipe>>,
): ((scribe: Scribe, minute: number, attacks: ReadonlySet<string> | null) => void) => {
  /** The kinds that are kept of the campaigns; all others are only counted. */
  let looked: ReadonlySet<ActivityKind> = new Set();
  const recipes = Object.entries(given).map(([attack, { acts }]) => ({
    attack,
    acts,
    campaign: rememberLast(
      (number) => writtenBy(world, given, attack, (kind) => looked.has(kind))(number),
      () => 0,
      CAMPAIGNS_KEPT,
    ),
  }));
  return (scribe, minute, attacks) => {
    if (looked !== scribe.wanted) {
      looked = scribe.wanted;
      for (const { campaign } of recipes) campaign.forget();
    }
    const now = Math.floor(minute / CAMPAIGN_MINUTES);
    for (const [index, { attack, acts, campaign }] of recipes.entries()) {
      if (attacks?.has(attack) === false || !scribe.isWanted(...acts)) continue;
      for (const one of [now - 1, now]) {
        const written = campaign.of(one).get(minute);
        if (written === undefined) continue;
        if (written.count > ACTS_PER_MINUTE)
          throw new Error('an attack of a world has too many acts in a minute');
        const first = (index * 2 + (one & 1)) * ACTS_PER_MINUTE;
        for (const { act, place } of written.acts) {
          scribe.from('campaigns', first + place);
          if (scribe.isVpnApart) scribe.turnTo(null, mayBeOverVpn(world, act));
          scribe.act(act);
        }
      }
    }
    scribe.turnTo(null);
  };
};

const NOTHING: Pick<Recipe, 'write' | 'acts'> = { write: () => undefined, acts: [] };

/** What a campaign does in a minute: the acts that are kept, each with its place among all. */
interface CampaignMinute {
  count: number;
  readonly acts: { readonly act: Act; readonly place: number }[];
}

const mayBeOverVpn = ({ planAt, population }: Surroundings, { person, host, at, facts }: Act): boolean => {
  if (facts['via_vpn'] === true) return true;
  const user = person ?? (host?.role === 'workstation' ? population.person(host.number) : null);
  return user !== null && mayBeOnVpn(planAt(user, at), at);
};

/** All acts of a campaign of an attack, by time. None for an unknown attack. */
export const campaignActs = (
  world: Surroundings,
  recipes: Readonly<Record<string, Recipe>>,
  attack: string,
  campaign: number,
): readonly Act[] =>
  [...writtenBy(world, recipes, attack, () => true)(campaign).values()]
    .flatMap(({ acts }) => acts.map(({ act }) => act))
    .sort((a, b) => a.at - b.at);

/** Writes a campaign of an attack: its acts by minute. */
const writtenBy = (
  world: Surroundings,
  recipes: Readonly<Record<string, Recipe>>,
  attack: string,
  isKept: (kind: ActivityKind) => boolean,
) => {
  const { write, acts } = recipes[attack] ?? NOTHING;
  /** The day of a person who works at that moment. */
  const workingPlanAt = (person: Person, at: Micros): DayPlan | null => {
    const plan = world.planAt(person, at);
    return plan !== null && at >= plan.span[0] && at < plan.span[1] ? plan : null;
  };
  return (campaign: number): ReadonlyMap<number, CampaignMinute> => {
    const own = world.draws.of(textNumber(attack, 31), campaign, WHY_CAMPAIGN);
    const from = campaign * CAMPAIGN_MINUTES * MICROS_PER_MINUTE + Math.floor(own.next() * FIRST_MINUTES);
    const byMinute = new Map<number, CampaignMinute>();
    const truths = new Map<string, AttackTruth>();
    const truthOf = (phase: string, technique: string): AttackTruth => {
      const key = `${phase} ${technique}`;
      const truth = truths.get(key) ?? { attack, campaign, phase, technique };
      truths.set(key, truth);
      return truth;
    };
    const somebody = (isWanted: (person: Person) => boolean = () => true): Person => {
      let found: Person | null = null;
      for (let tries = 0; tries < TRIES; tries++) {
        const person = world.population.person(own.integer(0, world.population.size - 1));
        if (!isWanted(person)) continue;
        if (workingPlanAt(person, from) !== null && world.addressOf(person, from) !== null) return person;
        found ??= person;
      }
      return found ?? world.population.person(0);
    };
    write({
      ...{ world, own, from, somebody },
      earlier: (other) => campaignActs(world, recipes, other, campaign - 1),
      // Of somebody who does not work, the session of a service.
      logonOf: (person) => workingPlanAt(person, from)?.logon_id ?? '0x3e7',
      planOf: (person) => workingPlanAt(person, from),
      step: (phase, technique, { kind, at, person, host, session, facts }) => {
        if (!acts.includes(kind))
          throw new Error(`the attack ${attack} does not say that it has acts ${kind}`);
        const number = Math.floor(at / MICROS_PER_MINUTE);
        const minute = byMinute.get(number) ?? { count: 0, acts: [] };
        if (minute.count === 0) byMinute.set(number, minute);
        const place = minute.count++;
        if (!isKept(kind)) return;
        const truth = truthOf(phase, technique);
        minute.acts.push({ act: { kind, at, person, host, session, facts, truth }, place });
      },
    });
    return byMinute;
  };
};
