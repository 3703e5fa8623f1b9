import type { Micros } from '../domain/time/micros.js';
import type { Activity, ActivityKind } from './activity/kinds.js';
import type { Act } from './activity/scribe.js';
import type { Person, WorldHost } from './population/entities.js';
import type { WorldSpec } from './spec.js';

/** One population and all that happens in it: a pure function of a spec and of time. */
export interface World {
  readonly spec: WorldSpec;
  readonly population: {
    /** Number of people, with the load. */
    readonly size: number;
    readonly person: (number: number) => Person;
    readonly servers: readonly WorldHost[];
  };
  /** All activities of a minute, counted from 1970, by time. The campaigns of all attacks are among them. */
  readonly minute: (minute: number) => readonly Activity[];
  /**
   * The same for a source that needs some of them only, until the signal aborts. It gets others, too, that somebody else
   * needs; what nobody needs costs little.
   */
  readonly lookAt: (look: Look, until?: AbortSignal) => World['minute'];
  /** The activities of one person only, which cost a part of all: for people to look at. */
  readonly minutesOf: (person: Person) => World['minute'];
  /** Begin and end of what a person is at on a day, for people to look at. `day` counts local days from 1970. */
  readonly day: (person: Person, day: number) => readonly DayPart[];
  /** What is done in a campaign of an attack, by time, without what follows from it. None for an unknown attack. */
  readonly campaign: (attack: string, number: number) => readonly Act[];
  /** Names of the recipes, with a sentence for each. */
  readonly attacks: Readonly<Record<string, string>>;
}

/** What one source needs of a world. */
export interface Look {
  readonly kinds: readonly ActivityKind[];
  /** Of connections, only those over the VPN. */
  readonly isOverVpn?: boolean;
  /** Of campaigns, only those of these attacks. Null, as by default, for all. */
  readonly attacks?: ReadonlySet<string> | null;
}

export interface DayPart {
  readonly from: Micros;
  readonly to: Micros;
  readonly what: 'at the office' | 'at home' | 'away from the screen' | 'on the VPN' | 'on a server';
  readonly host: WorldHost | null;
}
