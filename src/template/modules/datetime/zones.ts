import { offsetText } from '../../../domain/time/iso.js';
import { zoneAbbreviation } from '../../../domain/time/names.js';
import type { Zone } from '../../../domain/time/zone.js';
import { raise } from '../../errors.js';
import { textRepr } from '../../values/operations/print.js';
import { type HashKey, TemplateObject, type Value } from '../../values/value.js';
import { DAY_MICROS } from './civil.js';
import type { PyTimedelta } from './timedelta.js';

/** Day since 1970, microseconds of the day, and `fold` for repeated times. */
export interface WallClock {
  readonly day: number;
  readonly micros: number;
  readonly fold: number;
}

/** A time zone; offsets in seconds. */
export abstract class PyTzinfo extends TemplateObject {
  abstract offsetAt(wall: WallClock): number;
  /** Offset at a UTC instant, and the `fold` of its wall-clock time. */
  abstract fromUtc(day: number, micros: number): { readonly offset: number; readonly fold: number };
  abstract nameAt(wall: WallClock): string;
  abstract dstAt(wall: WallClock): number | null;
}

export class PyFixedZone extends PyTzinfo {
  constructor(
    readonly offset: number,
    readonly label: string | null,
  ) {
    super();
  }
  get typeName(): string {
    return 'datetime.timezone';
  }
  get isUtc(): boolean {
    return this === UTC_ZONE;
  }
  override offsetAt(): number {
    return this.offset;
  }
  override fromUtc(): { readonly offset: number; readonly fold: number } {
    return { offset: this.offset, fold: 0 };
  }
  override nameAt(): string {
    return this.label ?? (this.offset === 0 ? 'UTC' : `UTC${offsetText(this.offset)}`);
  }
  override dstAt(): null {
    return null;
  }
  override text(): string {
    return this.nameAt();
  }
  override repr(): string {
    if (this.isUtc) return 'datetime.timezone.utc';
    const days = Math.floor(this.offset / 86_400);
    const rest = this.offset - days * 86_400;
    const parts = [days === 0 ? '' : `days=${days}`, rest === 0 ? '' : `seconds=${rest}`].filter(
      (each) => each !== '',
    );
    const label = this.label === null ? '' : `, ${textRepr(this.label)}`;
    return `datetime.timezone(datetime.timedelta(${parts.length === 0 ? '0' : parts.join(', ')})${label})`;
  }
  override equals(other: Value): boolean {
    return other instanceof PyFixedZone && other.offset === this.offset;
  }
  override hashKey(): HashKey {
    return `\0z${this.offset}`;
  }
}

export const UTC_ZONE: PyFixedZone = new PyFixedZone(0, null);

export const fixedTimezone = (offset: PyTimedelta, label: string | null): PyFixedZone => {
  const seconds = offset.days * 86_400 + offset.micros / 1_000_000;
  if (Math.abs(seconds) >= 86_400) {
    return raise(
      'ValueError',
      `offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), not ${offset.repr()}.`,
    );
  }
  return seconds === 0 && label === null ? UTC_ZONE : new PyFixedZone(seconds, label);
};

interface Instant {
  readonly offset: number;
  readonly fold: number;
}

/** An IANA zone. Caches the last wall-clock day and UTC day without a change of offset: nearly all days. */
export class PyZone extends PyTzinfo {
  private steadyDay = Number.NaN;
  private steadyOffset = 0;
  private steadyUtcDay = Number.NaN;
  private steadyInstant: Instant = { offset: 0, fold: 0 };

  constructor(readonly zone: Zone) {
    super();
  }
  get typeName(): string {
    return 'zoneinfo.ZoneInfo';
  }
  override attribute(name: string): Value | undefined {
    return name === 'key' ? this.zone.id : undefined;
  }
  override offsetAt(wall: WallClock): number {
    if (wall.day === this.steadyDay) return this.steadyOffset;
    const midnight = wall.day * DAY_MICROS;
    const offset = this.offsetFromTo(midnight - DAY_MICROS, midnight + 2 * DAY_MICROS);
    if (offset === null) return this.changingOffsetAt(wall);
    this.steadyDay = wall.day;
    this.steadyOffset = offset;
    return offset;
  }
  override fromUtc(day: number, micros: number): Instant {
    if (day === this.steadyUtcDay) return this.steadyInstant;
    const midnight = day * DAY_MICROS;
    // A time repeats only within a day after a change.
    const offset = this.offsetFromTo(midnight - DAY_MICROS, midnight + DAY_MICROS);
    if (offset === null) return this.changingFromUtc(midnight + micros);
    this.steadyUtcDay = day;
    this.steadyInstant = { offset, fold: 0 };
    return this.steadyInstant;
  }
  /** The offset in a UTC span of at most three days; `null` if it changes (at most once). */
  private offsetFromTo(from: number, to: number): number | null {
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return null;
    const offset = this.zone.offsetSecondsAt(from);
    return this.zone.offsetSecondsAt(to) === offset ? offset : null;
  }
  private changingOffsetAt(wall: WallClock): number {
    const local = wall.day * DAY_MICROS + wall.micros;
    if (!Number.isSafeInteger(local)) return this.zone.offsetSecondsAt(local);
    const before = this.zone.offsetSecondsAt(local - DAY_MICROS);
    const after = this.zone.offsetSecondsAt(local + DAY_MICROS);
    if (before === after) return before;
    const instants = this.zone.instantsOf(local);
    const instant = instants[wall.fold === 1 ? instants.length - 1 : 0];
    if (instant !== undefined) return this.zone.offsetSecondsAt(instant);
    // In a gap: the offset before it, or after it with fold.
    return wall.fold === 1 ? after : before;
  }
  private changingFromUtc(instant: number): Instant {
    const offset = this.zone.offsetSecondsAt(instant);
    if (this.zone.offsetSecondsAt(instant - DAY_MICROS) === offset) return { offset, fold: 0 };
    const instants = this.zone.instantsOf(instant + offset * 1_000_000);
    return { offset, fold: instants.length > 1 && instants[1] === instant ? 1 : 0 };
  }
  private instantAt(wall: WallClock): number {
    return wall.day * DAY_MICROS + wall.micros - this.offsetAt(wall) * 1_000_000;
  }
  override nameAt(wall: WallClock): string {
    return zoneAbbreviation(this.zone, Math.floor(this.instantAt(wall) / 1_000_000));
  }
  override dstAt(wall: WallClock): number {
    // Intl has no DST flag: DST is the excess over the smallest offset of the year.
    const offset = this.offsetAt(wall);
    const step = 91 * DAY_MICROS;
    const instant = this.instantAt(wall);
    const offsets = [-2, -1, 0, 1, 2].map((each) => this.zone.offsetSecondsAt(instant + each * step));
    return offset - Math.min(offset, ...offsets);
  }
  override text(): string {
    return this.zone.id;
  }
  override repr(): string {
    return `zoneinfo.ZoneInfo(key=${textRepr(this.zone.id)})`;
  }
}
