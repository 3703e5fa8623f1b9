import {
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
  type Micros,
} from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { WorldHost } from '../../population/entities.js';
import type { Scribe, Surroundings } from '../scribe.js';
import { type AddSteps, STRETCH, stepsByMinute } from '../stretches.js';
import type { DeviceLife } from './deviceLife.js';
import {
  flood,
  guessPasswords,
  listenToDevices,
  maintainDevice,
  someGuesser,
  useStalePassword,
} from './deviceLogins.js';
import { type DeviceStep, deviceAct, healthStep, readingStep } from './deviceMessages.js';
import { breakConnection, commandDevice, raiseAlert, updateSteps, visitSomeDevice } from './deviceWork.js';
import { connectedDevice, DeviceWriter, type FleetScene, MAX_DEVICE_WORK } from './deviceWriter.js';
import { type SensorFleet, sensorFleetOf } from './fleet.js';

/** Purposes of draws of the broker. */
const WHY = { reading: 650, health: 651, outage: 652, update: 653, habit: 655 } as const;

/** Something that happens so often an hour when most happens, in a fleet of the usual size. */
export interface DeviceHabit {
  readonly perHour: number;
  /** Share that is left when nobody is at work. */
  readonly atNight: number;
  /** Whether people may have a part in it. */
  readonly isManned: boolean;
  readonly write: (writer: DeviceWriter, scene: FleetScene) => void;
}

const habit = (
  perHour: number,
  atNight: number,
  write: DeviceHabit['write'],
  isManned = false,
): DeviceHabit => ({ perHour, atNight, isManned, write });

export const DEVICE_HABITS: readonly DeviceHabit[] = [
  habit(170, 0.5, (writer, scene) => raiseAlert(writer, connectedDevice(scene))),
  habit(190, 0.4, commandDevice),
  habit(14, 0.5, visitSomeDevice, true),
  habit(7, 1, (writer, scene) =>
    guessPasswords(writer, connectedDevice(scene), someGuesser(scene), writer.own.integer(3, 9)),
  ),
  habit(6, 1, useStalePassword),
  habit(16, 0.5, maintainDevice, true),
  habit(12, 0.7, listenToDevices),
  habit(7, 0.7, (writer, scene) => flood(writer, scene, connectedDevice(scene), writer.own.integer(1, 4))),
];

/** How often a habit is begun at a moment, in an hour. */
export const habitPerHour = (
  { perHour, atNight }: DeviceHabit,
  { world, fleet }: Pick<FleetScene, 'world' | 'fleet'>,
  at: Micros,
): number => {
  const [site] = world.population.sites;
  const occupancy = site === undefined ? 1 : fleet.climateAt(site, at).occupancy;
  return perHour * fleet.scale * (atNight + (1 - atNight) * occupancy);
};

/** Habits that begin in a stretch: those in which people may have a part, or the others. */
const habitStretch = (
  world: Surroundings,
  isManned: boolean,
  stretch: number,
  from: Micros,
  add: AddSteps<DeviceStep>,
): void => {
  const fleet = sensorFleetOf(world);
  for (const [row, habit] of DEVICE_HABITS.entries()) {
    if (habit.isManned !== isManned) continue;
    const expected = (habitPerHour(habit, { world, fleet }, from) * STRETCH) / MICROS_PER_HOUR;
    const count = world.draws.of(0, stretch, WHY.habit + row).poisson(expected);
    for (let index = 1; index <= count; index++) {
      const own = world.draws.of(index, stretch, WHY.habit + row);
      const at = from + Math.floor(own.next() * STRETCH);
      const writer = new DeviceWriter(own, at);
      habit.write(writer, { world, fleet, own, at });
      add(writer.steps);
    }
  }
};

/** Lost connections and updates that begin in a stretch. */
const fleetStretch = (
  world: Surroundings,
  stretch: number,
  from: Micros,
  add: AddSteps<DeviceStep>,
): void => {
  const fleet = sensorFleetOf(world);
  for (const life of fleet.lives) {
    const { number } = life.device;
    const outage = life.outageWithin(from, from + STRETCH);
    if (outage !== null) {
      const own = world.draws.of(number, stretch, WHY.outage);
      const writer = new DeviceWriter(own, outage.from);
      breakConnection(writer, { world, fleet, own, at: outage.from }, life, outage);
      add(writer.steps);
    }
    const update = life.updateWithin(from, from + STRETCH);
    if (update !== null) add(updateSteps(world.draws.of(number, stretch, WHY.update), life, update));
  }
};

/** When little happens there is less to report: this share of the readings is sent then. */
const LEAST_SENT = 0.55;
/** How late a reading is, at the mean. */
const JITTER = 120 * MICROS_PER_MS;
/** A device tells of itself once in so much time. */
export const HEALTH_EVERY = 480 * MICROS_PER_SECOND;

/** Share of its due readings that a device sends at a moment. */
export const sentShare = (fleet: SensorFleet, { device }: DeviceLife, at: Micros): number =>
  device.kind === 'power' ? 1 : LEAST_SENT + (1 - LEAST_SENT) * fleet.climateAt(device.site, at).occupancy;

/** Readings of a minute, and what devices tell of themselves. */
const readingsMinute = (
  scribe: Scribe,
  fleet: SensorFleet,
  own: KeyedDraws,
  host: WorldHost | null,
  from: Micros,
): void => {
  const to = from + MICROS_PER_MINUTE;
  for (const life of fleet.lives) {
    const { number, interval } = life.device;
    const every = interval * MICROS_PER_SECOND;
    const share = sentShare(fleet, life, from);
    for (let turn = Math.ceil((from - life.phase) / every); ; turn++) {
      const due = life.phase + turn * every;
      if (due >= to) break;
      own.restart(number, turn, WHY.reading);
      const at = due + Math.floor(own.exponential(JITTER));
      if (!own.chance(share)) continue;
      const session = life.sessionAt(at);
      if (session !== null) scribe.act(deviceAct(host, readingStep(fleet, life, session, own, at), session));
    }
    const shift = life.phase + (number % 48) * 10 * MICROS_PER_SECOND;
    const turn = Math.ceil((from - shift) / HEALTH_EVERY);
    const due = shift + turn * HEALTH_EVERY;
    if (due >= to) continue;
    own.restart(number, turn, WHY.health);
    const at = due + Math.floor(own.exponential(JITTER));
    const session = life.sessionAt(at);
    if (session !== null) scribe.act(deviceAct(host, healthStep(life, session, own, at), session));
  }
};

/** The server of the broker. */
export const brokerHost = ({ population }: Surroundings): WorldHost | null =>
  population.serversOf('application_server')[0] ?? null;

/** The devices of the organization. The function writes what is said in a minute; with `isStaffOnly`, what people may have a part in, whose numbers come first. */
export const devicesOf = (
  world: Surroundings,
): ((scribe: Scribe, from: Micros, isStaffOnly: boolean) => void) => {
  const manned = stepsByMinute<DeviceStep>(MAX_DEVICE_WORK, (...given) =>
    habitStretch(world, true, ...given),
  );
  const others = stepsByMinute<DeviceStep>(MAX_DEVICE_WORK, (...given) => {
    fleetStretch(world, ...given);
    habitStretch(world, false, ...given);
  });
  const own = world.draws.of(0, 0, WHY.reading);
  return (scribe, from, isStaffOnly) => {
    if (!scribe.isWanted('use_broker')) return;
    scribe.from('devices');
    const host = brokerHost(world);
    const minute = from / MICROS_PER_MINUTE;
    for (const of of isStaffOnly ? [manned] : [manned, others])
      of(minute, (step) => scribe.act(deviceAct(host, step)));
    if (!isStaffOnly) readingsMinute(scribe, sensorFleetOf(world), own, host, from);
  };
};
