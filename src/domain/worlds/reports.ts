/** What is told of a world: by commands, and by the API. */

export interface WorldItem {
  /** The file without .yml. */
  readonly name: string;
  /** Null when the file is invalid, as is `hosts`. */
  readonly people: number | null;
  readonly hosts: number | null;
  /** Why it cannot be used. */
  readonly error: string | null;
}

export interface WorldSiteReport {
  readonly name: string;
  readonly city: string;
  readonly country: string;
  readonly time_zone: string;
  readonly people: number;
}

/** What is done in a campaign for one purpose. */
export interface AttackStepReport {
  readonly phase: string;
  /** MITRE ATT&CK, such as `T1110.001`. */
  readonly technique: string;
  /** When its first and its last act are. */
  readonly from: string;
  readonly to: string;
  readonly acts: number;
  readonly kinds: readonly string[];
  /** User names of those who act, or whose accounts do. */
  readonly people: readonly string[];
  /** Where it happens, and what it is aimed at. */
  readonly hosts: readonly string[];
}

export interface WorldAttack {
  readonly name: string;
  readonly summary: string;
  /** Number of the campaign. */
  readonly campaign: number;
  readonly steps: readonly AttackStepReport[];
}

export interface WorldContents {
  readonly seed: number;
  readonly people: number;
  readonly domain: string;
  readonly netbios: string;
  /** The largest first. */
  readonly sites: readonly WorldSiteReport[];
  readonly departments: readonly { readonly name: string; readonly people: number }[];
  readonly hosts: readonly { readonly role: string; readonly count: number }[];
  /** A campaign of each attack begins once in so many minutes. */
  readonly campaign_minutes: number;
  readonly attacks: readonly WorldAttack[];
}

/** How much happens on a Tuesday by the clock of the largest site. */
export interface WorldActivity {
  readonly site: string;
  readonly time_zone: string;
  readonly date: string;
  /** Activities a minute in each hour, measured in some of its minutes. */
  readonly hours: readonly number[];
  readonly busiest_hour: number;
  /** Activities a minute in the busiest hour: of all kinds, and of those that there are, by group, the most frequent first. */
  readonly per_minute: number;
  readonly groups: readonly {
    readonly group: string;
    readonly kinds: readonly { readonly kind: string; readonly per_minute: number }[];
  }[];
}

export interface WorldPerson {
  readonly number: number;
  readonly user: string;
  readonly full_name: string;
  readonly email: string;
  readonly title: string;
  readonly department: string;
  readonly site: string;
  readonly host: string;
  readonly ip: string;
}

export interface WorldPeople {
  /** People that the search finds. */
  readonly total: number;
  readonly items: readonly WorldPerson[];
}

/** What is shown for a fact: of people and hosts their name, of accesses to the internet the address. */
export type ShownFact = string | number | boolean | null | readonly string[];

export interface WorldDayPart {
  readonly from: string;
  readonly to: string;
  readonly what: string;
  readonly host: string | null;
}

export interface WorldDayActivity {
  readonly id: number;
  readonly at: string;
  readonly kind: string;
  readonly host: string | null;
  readonly session: string | null;
  /** `id` of the activity that led to it. Null for what somebody or a machine decided to do. */
  readonly cause: number | null;
  readonly truth: {
    readonly attack: string;
    readonly campaign: number;
    readonly phase: string;
    readonly technique: string;
  } | null;
  readonly facts: Readonly<Record<string, ShownFact>>;
}

/** An ordinary day of a person, without attacks. Times are by the clock of their site. */
export interface WorldDay {
  readonly person: {
    readonly number: number;
    readonly user: string;
    readonly full_name: string;
    readonly title: string;
    readonly department: string;
    readonly site: string;
  };
  readonly date: string;
  readonly time_zone: string;
  readonly parts: readonly WorldDayPart[];
  readonly activities: readonly WorldDayActivity[];
}

/** What is asked of the world of a file. */
export type WorldQuestion =
  | { readonly kind: 'list' }
  /** `at`: the campaigns of this time are told, in microseconds since 1970. Null for now. */
  | { readonly kind: 'contents'; readonly name: string; readonly at: number | null }
  | { readonly kind: 'activity'; readonly name: string }
  | {
      readonly kind: 'people';
      readonly name: string;
      readonly search: string;
      readonly offset: number;
      readonly limit: number;
    }
  | {
      readonly kind: 'day';
      readonly name: string;
      /** User name or number. */
      readonly person: string;
      /** Null for today at the site of the person. */
      readonly date: string | null;
    };

/** Texts are quoted where they have blanks, and not escaped: paths of Windows stay as they are. */
const factText = ([name, fact]: readonly [string, ShownFact]): string => {
  if (typeof fact !== 'string') return `${name}=${JSON.stringify(fact)}`;
  return `${name}=${/\s|^$/.test(fact) ? `"${fact}"` : fact}`;
};

/** Facts in one line. */
export const factsText = (facts: Readonly<Record<string, ShownFact>>): string =>
  Object.entries(facts).map(factText).join(' ');

/** The hours, minutes and seconds of a time of a day; with its date when that is another day. */
export const clockOfDay = (at: string, date: string): string =>
  at.startsWith(date) ? at.slice(11, 19) : at.slice(0, 19).replace('T', ' ');
