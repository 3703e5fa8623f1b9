import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import type { ActivityKind } from '../activity/kinds.js';
import type { Act, Surroundings } from '../activity/scribe.js';
import type { KeyedDraws } from '../draw.js';
import type { Person } from '../population/entities.js';
import type { DayPlan } from '../schedule/day.js';

/** A campaign of an attack, about to be written. */
export interface CampaignScene {
  readonly world: Surroundings;
  readonly own: KeyedDraws;
  readonly from: Micros;
  /** People who work at that time, or anybody when nobody does. */
  readonly somebody: (isWanted?: (person: Person) => boolean) => Person;
  /** The session of a person at their workstation. */
  readonly logonOf: (person: Person) => string;
  /** The day of a person who works at that time. */
  readonly planOf: (person: Person) => DayPlan | null;
  /** What was done in the campaign of another attack before this one. */
  readonly earlier: (attack: string) => readonly Act[];
  /** Says what belongs to the attack. */
  readonly step: (phase: string, technique: string, act: Omit<Act, 'truth'>) => void;
}

export interface Recipe {
  readonly summary: string;
  /** All kinds of its acts: it is not made for those who look at none of them, nor at what follows from them. */
  readonly acts: readonly ActivityKind[];
  readonly write: (scene: CampaignScene) => void;
}

const ASKED_PEOPLE = 60;

/** The share of the people of whom something is true, from some of them. */
export const shareOfPeople = (
  { world: { population }, own }: CampaignScene,
  isTrue: (person: Person) => boolean,
): number => {
  let found = 0;
  for (let asked = 0; asked < ASKED_PEOPLE; asked++)
    if (isTrue(population.person(own.integer(0, population.size - 1)))) found++;
  return found / ASKED_PEOPLE;
};

/** By day, so many of all people work. */
const SHARE_BY_DAY = 0.6;

/** Whether somebody is there to act for an attack, as often as people are at work at that time: by day, always. */
export const isManned = (scene: CampaignScene): (() => boolean) => {
  const share = shareOfPeople(scene, (person) => scene.planOf(person) !== null) / SHARE_BY_DAY;
  return () => scene.own.chance(Math.min(1, share));
};

/** Not all campaigns of a time begin at once. */
export const begin = ({ from, own }: CampaignScene): Micros =>
  from + Math.floor(own.next() * 4 * MICROS_PER_MINUTE);
