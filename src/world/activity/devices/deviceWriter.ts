import { MICROS_PER_MINUTE, MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { Person } from '../../population/entities.js';
import type { Surroundings } from '../scribe.js';
import { type DeviceLife, type DeviceSession, MAX_UPDATE } from './deviceLife.js';
import {
  DEVICE_ITSELF,
  type DeviceStep,
  type MessageForm,
  type MessageSender,
  readingStep,
} from './deviceMessages.js';
import type { SensorFleet } from './fleet.js';

/** Whatever is begun is over after so much time. */
export const MAX_DEVICE_WORK = MAX_UPDATE + MICROS_PER_MINUTE;

/** Where and when something is begun. */
export interface FleetScene {
  readonly world: Surroundings;
  readonly fleet: SensorFleet;
  readonly own: KeyedDraws;
  readonly at: Micros;
}

/** Writes messages one after another. A class, because it remembers how late it is. */
export class DeviceWriter {
  readonly steps: DeviceStep[] = [];
  private readonly last: Micros;

  constructor(
    readonly own: KeyedDraws,
    public at: Micros,
  ) {
    this.last = at + MAX_DEVICE_WORK - MICROS_PER_SECOND;
  }

  wait(median: number, sigma: number): void {
    this.at = Math.min(
      this.last,
      this.at + 1 + Math.round(this.own.lognormal(median, sigma) * MICROS_PER_SECOND),
    );
  }

  say(life: DeviceLife, form: MessageForm, payload: string, by: MessageSender = DEVICE_ITSELF): void {
    this.steps.push({ at: this.at, life, form, payload, key: this.own.word(), by });
  }
}

const TRIES = 8;

/** Some device that is connected at that time. */
export const connectedDevice = (
  { fleet: { lives }, own, at }: FleetScene,
  isWanted: (life: DeviceLife) => boolean = () => true,
): DeviceLife => {
  let found = own.pick(lives);
  for (let tries = 0; tries < TRIES; tries++) {
    if (isWanted(found) && found.sessionAt(at) !== null) return found;
    found = own.pick(lives);
  }
  return found;
};

/** An engineer who is at work. Null when the first ones that come to mind are not. */
export const engineerAtWork = ({ world, own, at }: FleetScene): Person | null => {
  for (let tries = 0; tries < TRIES; tries++) {
    const person = world.population.person(own.integer(0, world.population.size - 1));
    const span = person.is_engineer ? world.planAt(person, at)?.span : undefined;
    if (span !== undefined && at >= span[0] && at < span[1]) return person;
  }
  return null;
};

export const secondsBetween = (from: Micros, to: Micros): number => (to - from) / MICROS_PER_SECOND;

/** Sends readings at once, as those that are stored or asked for. */
export const sendReadings = (
  writer: DeviceWriter,
  { fleet, own }: FleetScene,
  life: DeviceLife,
  session: DeviceSession,
  count: number,
  seconds: number,
): void => {
  for (let left = count; left > 0; left--) {
    writer.wait(seconds, 0.4);
    writer.steps.push(readingStep(fleet, life, session, own, writer.at));
  }
};
