import {
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  type Micros,
} from '../../domain/time/micros.js';
import { type DeviceLife, drawFault } from '../activity/devices/deviceLife.js';
import { flood, guessPasswords, logInto, someGuesser, subscribe } from '../activity/devices/deviceLogins.js';
import {
  DEVICE_ITSELF,
  type DeviceStep,
  deviceAct,
  healthStep,
  readingStep,
} from '../activity/devices/deviceMessages.js';
import {
  brokerHost,
  DEVICE_HABITS,
  HEALTH_EVERY,
  habitPerHour,
  sentShare,
} from '../activity/devices/deviceMinute.js';
import { raiseAlert, visitDevice } from '../activity/devices/deviceWork.js';
import {
  connectedDevice,
  DeviceWriter,
  engineerAtWork,
  type FleetScene,
} from '../activity/devices/deviceWriter.js';
import { sensorFleetOf } from '../activity/devices/fleet.js';
import { weighted } from '../draw.js';
import type { CampaignScene, Recipe } from './scene.js';

/** Within so much time what a campaign consists of is begun: no shorter than campaigns are apart, so that the time tells nothing. */
const BUSY = 20 * MICROS_PER_MINUTE;
/** What a campaign does, relative to all that devices say in that time, and at most. */
const SHARE_OF_ALL = 0.08;
const MOST_MESSAGES = 5_500;
/** Share of the messages of a campaign that are aimed at something; the others are what devices say anyway. */
const AIMED_SHARE = 0.2;
const FAULTY_SHARE = 0.35;

type Aim = readonly [phase: string, technique: string];

/** Does something at some time of the campaign. Returns how many messages it took. */
const begun = (
  scene: CampaignScene,
  aimOf: (one: DeviceStep) => Aim,
  write: (writer: DeviceWriter, at: FleetScene) => void,
): number => {
  const { world, own, from } = scene;
  const at: Micros = from + Math.floor(own.next() * BUSY);
  const writer = new DeviceWriter(own, at);
  write(writer, { world, fleet: sensorFleetOf(world), own, at });
  const host = brokerHost(world);
  for (const one of writer.steps) scene.step(...aimOf(one), deviceAct(host, one));
  return writer.steps.length;
};

/** What devices of a fleet say in an hour, each device as often as it does at that time. */
const readingsOf = ({ world, from }: CampaignScene) => {
  const fleet = sensorFleetOf(world);
  const rows = fleet.lives.map((life) => {
    const perHour =
      (MICROS_PER_HOUR / MICROS_PER_SECOND / life.device.interval) * sentShare(fleet, life, from);
    return [perHour, life] as const;
  });
  return { perHour: rows.reduce((sum, [rate]) => sum + rate, 0), someReporter: weighted(rows) };
};

/** Writes what devices say in the shares of that hour. Returns how many messages it took. */
const blendIn = (scene: CampaignScene, aim: Aim): number => {
  const { world, own, from } = scene;
  const fleet = sensorFleetOf(world);
  const { perHour, someReporter } = readingsOf(scene);
  type Doing = (writer: DeviceWriter, at: FleetScene) => void;
  const report: Doing = (writer, { at }) => {
    const life = someReporter(own.next());
    const session = life.sessionAt(at);
    if (session !== null) writer.steps.push(readingStep(fleet, life, session, own, at));
  };
  const health: Doing = (writer, at) => {
    const life = connectedDevice(at);
    const session = life.sessionAt(at.at);
    if (session !== null) writer.steps.push(healthStep(life, session, own, at.at));
  };
  const rows: (readonly [weight: number, doing: Doing])[] = [
    [perHour, report],
    [(fleet.lives.length * MICROS_PER_HOUR) / HEALTH_EVERY, health],
    ...DEVICE_HABITS.map((habit) => [habitPerHour(habit, { world, fleet }, from), habit.write] as const),
  ];
  const all = rows.reduce((sum, [weight]) => sum + weight, 0);
  const doingAt = weighted(rows);
  const wanted = Math.min(MOST_MESSAGES, ((all * BUSY) / MICROS_PER_HOUR) * SHARE_OF_ALL);
  const count = Math.round(wanted * (1 - AIMED_SHARE));
  let messages = 0;
  // Drawn one from each part of the whole, so that a campaign has the shares of the hour.
  for (let index = 0; index < count; index++)
    messages += begun(scene, () => aim, doingAt((index + own.next()) / count));
  return messages;
};

/** Goes on with what the attack is about until it is a share of the campaign. */
const aimed = (blended: number, share: number, write: () => number): void => {
  const wanted = (blended * share) / (1 - share);
  for (let done = 0; done < wanted; ) done += Math.max(1, write());
};

/** How much faster a drift goes than those that nobody wants. */
const HURRY = 7;
const MESSAGES_PER_FAULT = 12;
const ALERT_SHARE = 0.05;

const GUESSED: Aim = ['guess', 'T0812'];
const VISITED: Readonly<Record<string, Aim>> = {
  'tamper-opened': ['open', 'T0864'],
  'config-changed': ['change', 'T0836'],
  'firmware-downgraded': ['change', 'T0857'],
  telemetry: ['report', 'T0856'],
};
const TAKEN: Readonly<Record<string, Aim>> = {
  'connect-accepted': ['enter', 'T0812'],
  subscribed: ['listen', 'T0802'],
  flood: ['flood', 'T0814'],
};
const aimIn =
  (aims: Readonly<Record<string, Aim>>, other: Aim) =>
  ({ form }: DeviceStep): Aim =>
    aims[form.action] ?? other;

const hasMeter = ({ device: { kind } }: DeviceLife): boolean => kind === 'power' || kind === 'water';
const MANIPULATION = { settings: 0.8, downgrade: 0.7, behind: 1, readings: [3, 8] } as const;

/** Attacks on devices and their broker. All of their messages are such that normal traffic has, too. */
export const DEVICE_RECIPES = {
  sensor_fault: {
    summary:
      'Sensors of several devices stick at a value, show impossible values or drift away; in between devices report as ever.',
    acts: ['use_broker'],
    write: (scene) => {
      const { world, own, from } = scene;
      const fleet = sensorFleetOf(world);
      const blended = blendIn(scene, ['report', 'T0856']);
      const { someReporter } = readingsOf(scene);
      const count = Math.max(4, Math.round((blended * FAULTY_SHARE) / MESSAGES_PER_FAULT));
      const faulty = Array.from({ length: count }, (_, index) => ({
        life: someReporter((index + own.next()) / count),
        fault: drawFault(own, from),
      }));
      aimed(blended, FAULTY_SHARE, () =>
        begun(scene, aimIn({ telemetry: ['break', 'T0856'] }, ['warn', 'T0856']), (writer, { at }) => {
          const { life, fault } = own.pick(faulty);
          const session = life.sessionAt(at);
          if (session === null) return;
          if (own.chance(ALERT_SHARE)) return raiseAlert(writer, life);
          const change = { fault, hurry: HURRY, behind: 0, detail: null };
          writer.steps.push(readingStep(fleet, life, session, own, at, change));
        }),
      );
    },
  },
  tampering: {
    summary:
      'Meters are opened, get other settings and an older firmware without a signature, and their counters run backwards; in between devices report as ever.',
    acts: ['use_broker'],
    write: (scene) => {
      aimed(blendIn(scene, ['use', 'T0859']), AIMED_SHARE, () =>
        begun(scene, aimIn(VISITED, ['close', 'T0864']), (writer, at) =>
          visitDevice(writer, at, connectedDevice(at, hasMeter), engineerAtWork(at), MANIPULATION),
        ),
      );
    },
  },
  botnet: {
    summary:
      'Usual passwords are tried with the names of devices until one gets in; it listens to everything and floods the broker; in between devices report as ever.',
    acts: ['use_broker'],
    write: (scene) => {
      const { own } = scene;
      aimed(blendIn(scene, ['use', 'T0812']), AIMED_SHARE, () =>
        begun(scene, aimIn(TAKEN, GUESSED), (writer, at) => {
          const life = connectedDevice(at);
          const guesser = someGuesser(at);
          guessPasswords(writer, life, guesser, own.integer(3, 9));
          logInto(writer, life, guesser);
          writer.wait(4, 0.7);
          subscribe(writer, life, DEVICE_ITSELF);
          writer.wait(9, 0.8);
          flood(writer, at, life, own.integer(2, 6));
        }),
      );
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
