import type { Micros } from './micros.js';

/** A time zone of the IANA data that Node carries, with the lookups that the data plane needs. */
export interface Zone {
  /** IANA name as it was given, exact case. */
  readonly id: string;
  /** Offset from UTC in whole seconds that is in force at the instant; cached, cheap. */
  readonly offsetSecondsAt: (micros: Micros) => number;
  /**
   * The instants at which a wall clock of this zone shows the given local time (microseconds as if the
   * wall clock were UTC): one normally, two (earlier first) in a repeated hour, none in a gap.
   */
  readonly instantsOf: (localMicros: number) => readonly Micros[];
  /**
   * The single instant meant by a wall-clock time: the first of two in a repeated hour; in a gap the
   * first instant after the gap.
   */
  readonly instantOf: (localMicros: number) => Micros;
  /** First instant after `micros` at which the offset changes, or `null` if none within 400 days. */
  readonly nextTransition: (micros: Micros) => Micros | null;
}
