import type { Site } from './population/entities.js';

/** What a world is made from: the content of a file below `worlds/`, decoded, with its defaults. */
export interface WorldSpec {
  /** Whole number, below 2^53. */
  readonly seed: number;
  readonly people: number;
  /** The first of the people, as their organization knows them. The others are made up. */
  readonly staff: readonly StaffMember[];
  /** Multiplies people and visitors. It never changes how long something takes. */
  readonly load: number;
  readonly organization: {
    /** DNS name. */
    readonly domain: string;
    /** Short name of the Windows domain. */
    readonly netbios: string;
    readonly sites: readonly Site[];
  };
  readonly departments: readonly { readonly name: string; readonly weight: number }[];
  /** Share of the working days that people work from home. */
  readonly home_share: number;
  /** Share of the people who work on a day of the weekend. */
  readonly weekend_share: number;
  /** Tries from outside on each public address, an hour. */
  readonly probes_per_hour: number;
}

/** A person who is not made up. What is null is drawn; names and `email` follow from `user`. */
export interface StaffMember {
  /** Unique without regard to case, as are `email`, `host` and `ip`. */
  readonly user: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly department: string | null;
  readonly title: string | null;
  /** Name of a site of the world. */
  readonly site: string | null;
  readonly email: string | null;
  /** Name of the workstation. */
  readonly host: string | null;
  /** Address of the workstation. */
  readonly ip: string | null;
}

/**
 * Most people of a world, with the load. A minute is computed at once, and other generators of the thread wait: about a
 * third of a second for so many, and more than a second for the first one.
 */
export const MAX_WORLD_PEOPLE = 5_000;
export const MAX_WORLD_LOAD = 25;

/** Says what is wrong with a number of people, or returns null. */
export const tooManyPeople = (people: number, load: number): string | null =>
  people * load <= MAX_WORLD_PEOPLE ? null : `makes more than ${MAX_WORLD_PEOPLE} people of ${people}`;

const site = (
  name: string,
  city: string,
  country: string,
  time_zone: string,
  latitude: number,
  longitude: number,
  weight: number,
): Site => ({ name, city, country, time_zone, latitude, longitude, weight });

/** A company of 200 people, most of them in Hamburg. */
export const DEFAULT_WORLD: WorldSpec = {
  seed: 7,
  people: 200,
  staff: [],
  load: 1,
  organization: {
    domain: 'corp.example.com',
    netbios: 'CORP',
    sites: [
      site('hamburg', 'Hamburg', 'DE', 'Europe/Berlin', 53.55, 9.99, 6),
      site('zurich', 'Zurich', 'CH', 'Europe/Zurich', 47.37, 8.54, 2),
      site('boston', 'Boston', 'US', 'America/New_York', 42.36, -71.06, 2),
    ],
  },
  departments: [
    { name: 'sales', weight: 5 },
    { name: 'operations', weight: 4 },
    { name: 'engineering', weight: 5 },
    { name: 'finance', weight: 2 },
    { name: 'marketing', weight: 2 },
    { name: 'people', weight: 1 },
    { name: 'it', weight: 1 },
  ],
  home_share: 0.3,
  weekend_share: 0.03,
  probes_per_hour: 40,
};
