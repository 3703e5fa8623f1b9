import {
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  type Micros,
} from '../../../domain/time/micros.js';
import type { DrawSource, KeyedDraws } from '../../draw.js';
import type { SensorDevice } from './sensorDevice.js';

/** Purposes of draws of the life of a device. */
const WHY = { cut: 641, update: 642, walk: 643, fault: 644, session: 645 } as const;

/** A connection of a device to the broker. */
export interface DeviceSession {
  readonly id: string;
  readonly began: Micros;
  /** When the connection ends. */
  readonly until: Micros;
  /** Since when the device runs, unless it got other firmware since. */
  readonly booted: Micros;
  readonly port: number;
  /** Number of its first packet. */
  readonly packet: number;
}

/** When a device is not connected, and how it lost the connection. */
export interface Outage {
  readonly from: Micros;
  readonly to: Micros;
  readonly restarts: boolean;
  /** Uniform, for the cause. */
  readonly drawn: number;
}

export interface UpdateStep {
  readonly at: Micros;
  readonly phase: 'started' | 'downloading' | 'installing' | 'completed' | 'failed';
  readonly percent: number;
}

export interface FirmwareUpdate {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
  readonly hash: string;
  readonly isFailed: boolean;
  readonly steps: readonly UpdateStep[];
}

/** What is wrong with a sensor. */
export interface SensorFault {
  readonly mode: 'stuck' | 'spike' | 'drift';
  readonly value: number;
  readonly since: Micros;
}

/** A device may lose its connection once in so much time. */
const SHIFT = 6 * MICROS_PER_HOUR;
const CUT_SHARE = { ethernet: 0.25, wifi: 0.7, lorawan: 0.85 } as const;
/** After so many of these times it surely has lost it, and has started again. */
const SHIFTS_AT_MOST = 4;
export const MAX_OUTAGE = 20 * MICROS_PER_MINUTE;

/** A device gets a build a day. */
const BUILD = MICROS_PER_DAY;
/** Before this day there are no builds. */
const FIRST_BUILD = 20_000;
const BUILDS_PER_VERSION = 40;
const FAILED_SHARE = 0.06;
const UPDATE_HALF = 13 * MICROS_PER_MINUTE;
export const MAX_UPDATE = 2 * UPDATE_HALF;

/** A sensor may be at fault for so long. */
const FAULT_SPAN = 3 * MICROS_PER_HOUR;
const FAULT_SHARE = 0.015;
const FAULT_MODES = ['stuck', 'stuck', 'stuck', 'spike', 'spike', 'spike', 'drift', 'drift'] as const;

/** Batteries last between these numbers of days. */
const BATTERY_DAYS = { least: 120, most: 400 } as const;

const endOf = (steps: readonly UpdateStep[]): Micros => (steps.at(-1) as UpdateStep).at;

/** A fault that begins somewhere. */
export const drawFault = (own: KeyedDraws, since: Micros): SensorFault => ({
  mode: own.pick(FAULT_MODES),
  value: own.next(),
  since,
});

/**
 * How a device is at any time: all of it follows from its number and the time. What is kept of the last question only
 * saves time.
 */
export class DeviceLife {
  /** Signal strength that the device mostly has, in dBm. */
  readonly rssi: number;
  /** What its sensor shows too much, in standard deviations. */
  readonly bias: number;
  /** What its counter showed when it was new. */
  readonly counted: number;
  /** When its readings begin in an interval. */
  readonly phase: Micros;
  private readonly shifted: Micros;
  private readonly lasts: Micros;
  private readonly own: KeyedDraws;
  private session: DeviceSession | null = null;
  private update: readonly [slot: number, FirmwareUpdate] | null = null;
  private firmware = { text: '', from: 0, until: 0, booted: 0 };
  private walks: [hour: number, now: number, next: number] = [Number.NaN, 0, 0];
  private fault: readonly [span: number, SensorFault | null] = [Number.NaN, null];

  constructor(
    draws: DrawSource,
    readonly device: SensorDevice,
    private readonly oldest: readonly [number, number, number],
    own: KeyedDraws,
  ) {
    this.own = draws.of(device.number, 0, WHY.cut);
    this.rssi = own.integer(-98, -48);
    this.bias = own.normal();
    this.counted = own.next();
    this.phase = Math.floor(own.next() * device.interval * MICROS_PER_SECOND);
    this.shifted = Math.floor(own.next() * BUILD);
    this.lasts = own.integer(BATTERY_DAYS.least, BATTERY_DAYS.most) * MICROS_PER_DAY;
  }

  /** The outage in a shift, or null when there is none. */
  private outageOf(shift: number): Outage | null {
    const { own, device } = this;
    own.restart(device.number, shift, WHY.cut);
    const isSure = shift % SHIFTS_AT_MOST === 0;
    if (!own.chance(CUT_SHARE[device.link]) && !isSure) return null;
    const from = shift * SHIFT + this.shifted + Math.floor((0.05 + 0.8 * own.next()) * SHIFT);
    const length = Math.min(MAX_OUTAGE, own.lognormal(75, 1.1) * MICROS_PER_SECOND);
    const to = from + MICROS_PER_SECOND + Math.floor(length);
    return { from, to, restarts: isSure || own.chance(0.4), drawn: own.next() };
  }

  private shiftAt(at: Micros): number {
    return Math.floor((at - this.shifted) / SHIFT);
  }

  /** The connection at a moment. Null while there is none. */
  sessionAt(at: Micros): DeviceSession | null {
    const known = this.session;
    if (known !== null && at >= known.began && at < known.until) return known;
    const now = this.shiftAt(at);
    let shift = now;
    let last = this.outageOf(shift);
    while (last === null || last.from > at) last = this.outageOf(--shift);
    if (last.to > at) return null;
    let next = shift + 1;
    let end = this.outageOf(next);
    while (end === null) end = this.outageOf(++next);
    let boot = last;
    for (let before = shift - 1; !boot.restarts; before--) boot = this.outageOf(before) ?? boot;
    this.own.restart(this.device.number, shift, WHY.session);
    this.session = {
      id: `${this.device.id}:${(shift >>> 0).toString(16)}`,
      began: last.to,
      until: end.from,
      booted: boot.to,
      port: this.own.integer(1_025, 65_535),
      packet: this.own.integer(0, 65_534),
    };
    return this.session;
  }

  /** The outage that begins within a time of less than a shift. Null when there is none. */
  outageWithin(from: Micros, to: Micros): Outage | null {
    for (let shift = this.shiftAt(from); shift <= this.shiftAt(to); shift++) {
      const outage = this.outageOf(shift);
      if (outage !== null && outage.from >= from && outage.from < to) return outage;
    }
    return null;
  }

  private versionOf(build: number): string {
    const [major, minor, patch] = this.oldest;
    const builds = patch + Math.max(0, build - FIRST_BUILD);
    return `${major}.${minor + Math.floor(builds / BUILDS_PER_VERSION)}.${builds % BUILDS_PER_VERSION}`;
  }

  /** When the update of a day begins, and whether it fails: nothing else of it is made. */
  private beginOf(build: number): readonly [at: Micros, isFailed: boolean] {
    this.own.restart(this.device.number, build, WHY.update);
    const at = build * BUILD + this.shifted + Math.floor(0.9 * this.own.next() * BUILD);
    return [at, this.own.chance(FAILED_SHARE)];
  }

  /** The last build before one that the device has got. */
  private buildBefore(build: number): number {
    let last = build - 1;
    while (this.beginOf(last)[1]) last--;
    return last;
  }

  /** The update that begins in the day of a moment, with all of its steps. */
  updateAt(at: Micros): FirmwareUpdate {
    const build = Math.floor((at - this.shifted) / BUILD);
    if (this.update?.[0] === build) return this.update[1];
    const from = this.versionOf(this.buildBefore(build));
    const [begun, isFailed] = this.beginOf(build);
    const { own } = this;
    const steps: UpdateStep[] = [{ at: begun, phase: 'started', percent: 0 }];
    const step = (phase: UpdateStep['phase'], percent: number): void => {
      const last = (steps.at(-1) as UpdateStep).at;
      const to = Math.min(
        begun + 2 * UPDATE_HALF,
        last + Math.round(own.lognormal(45, 0.5) * MICROS_PER_SECOND),
      );
      steps.push({ at: to, phase, percent });
    };
    let percent = 0;
    for (let most = own.integer(50, 90); percent < most; ) {
      percent += own.integer(18, 34);
      step('downloading', Math.min(99, percent));
    }
    step('installing', 100);
    step(isFailed ? 'failed' : 'completed', 100);
    const made = {
      id: `upd-${own.hex(10)}`,
      ...{ from, to: this.versionOf(build), isFailed, steps },
      bytes: own.integer(280_000, 1_900_000),
      hash: own.hex(64),
    };
    this.update = [build, made];
    return made;
  }

  /** The update that begins within a time of less than a day. Null when there is none. */
  updateWithin(from: Micros, to: Micros): FirmwareUpdate | null {
    for (const at of [from, to]) {
      const [begun] = this.beginOf(Math.floor((at - this.shifted) / BUILD));
      if (begun >= from && begun < to) return this.updateAt(begun);
    }
    return null;
  }

  firmwareAt(at: Micros): string {
    return this.installedAt(at).text;
  }

  /** Seconds since the device has started. */
  uptimeAt({ booted }: DeviceSession, at: Micros): number {
    return Math.floor((at - Math.max(booted, this.installedAt(at).booted)) / MICROS_PER_SECOND);
  }

  /** Readings that were due since the session began, or since the device has started with other firmware. */
  readingsAt({ began }: DeviceSession, at: Micros): number {
    const interval = this.device.interval * MICROS_PER_SECOND;
    const first = Math.max(began, this.installedAt(at).booted);
    return Math.floor((at - this.phase) / interval) - Math.floor((first - this.phase) / interval);
  }

  /** The firmware at a moment, and when the device started with it. */
  private installedAt(at: Micros): { readonly text: string; readonly booted: Micros } {
    const known = this.firmware;
    if (at >= known.from && at < known.until) return known;
    const { steps, isFailed, from, to } = this.updateAt(at);
    const begin = Math.floor((at - this.shifted) / BUILD) * BUILD + this.shifted;
    const end = endOf(steps);
    this.firmware =
      at < end
        ? { text: from, from: begin, until: end, booted: endOf(this.updateAt(begin - 1).steps) }
        : { text: isFailed ? from : to, from: end, until: begin + BUILD, booted: end };
    return this.firmware;
  }

  /** Percent of the battery that are left; null for a device with mains. */
  batteryAt(at: Micros): number | null {
    if (this.device.power === 'mains') return null;
    const used = ((at + this.shifted * this.device.number) % this.lasts) / this.lasts;
    return Math.round((100 - 96 * used) * 100) / 100;
  }

  /** What its values wander about at a moment, in standard deviations. */
  walkAt(at: Micros): number {
    const hour = Math.floor(at / MICROS_PER_HOUR);
    const walks = this.walks;
    if (walks[0] !== hour) {
      const { own, device } = this;
      own.restart(device.number, hour, WHY.walk);
      walks[1] = own.normal();
      own.restart(device.number, hour + 1, WHY.walk);
      walks[2] = own.normal();
      walks[0] = hour;
    }
    const past = at / MICROS_PER_HOUR - hour;
    const share = past * past * (3 - 2 * past);
    return walks[1] + (walks[2] - walks[1]) * share;
  }

  /** What is wrong with its sensor at a moment. Mostly nothing: null. */
  faultAt(at: Micros): SensorFault | null {
    const span = Math.floor((at + this.shifted) / FAULT_SPAN);
    if (this.fault[0] !== span) {
      const { own, device } = this;
      own.restart(device.number, span, WHY.fault);
      const isFaulty = own.chance(FAULT_SHARE);
      this.fault = [span, isFaulty ? drawFault(own, span * FAULT_SPAN - this.shifted) : null];
    }
    return this.fault[1];
  }
}
