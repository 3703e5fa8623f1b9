/** Who else is at the broker: strangers with usual passwords, those who look after devices, and programs that listen. */
import { weighted } from '../../draw.js';
import { NOWHERE } from '../rules/shared.js';
import type { DeviceLife } from './deviceLife.js';
import { DEVICE_ITSELF, FORMS, floodForm, type MessageForm, type MessageSender } from './deviceMessages.js';
import { connectedDevice, type DeviceWriter, engineerAtWork, type FleetScene } from './deviceWriter.js';

const DEFAULT_ACCOUNTS = ['admin', 'root', 'guest', 'support', 'device'] as const;

/** Somebody connects or tries to. */
const knock = (
  writer: DeviceWriter,
  life: DeviceLife,
  form: MessageForm,
  detail: string,
  by: MessageSender,
): void =>
  writer.say(
    life,
    form,
    `{"protocol": "mqtts", "keep_alive": ${life.device.interval * 3}, "detail": ${detail}}`,
    by,
  );

/** Computers outside that look for devices with usual passwords: the same ones come again and again. */
const GUESSING_OUTSIDERS = 24;
const OUTSIDE_SHARE = 0.7;

/** Somebody without a name of their own: outside, or inside when the organization tries its own devices. */
export const someGuesser = ({ world: { population }, own }: FleetScene): MessageSender => {
  const [inside] = population.serversOf('jump_host');
  const ip =
    own.chance(OUTSIDE_SHARE) || inside === undefined
      ? population.outsider(own.integer(0, GUESSING_OUTSIDERS - 1)).ip
      : inside.ip;
  return { ...DEVICE_ITSELF, ip, port: own.integer(1_025, 65_535) };
};

const refuse = (writer: DeviceWriter, life: DeviceLife, account: string, by: MessageSender): void =>
  knock(
    writer,
    life,
    FORMS.refused,
    `{"reason_code": 134, "reason": "bad_user_name_or_password", "account": "${account}"}`,
    by,
  );

/** Usual passwords are tried with the name of a device. */
export const guessPasswords = (
  writer: DeviceWriter,
  life: DeviceLife,
  by: MessageSender,
  tries: number,
): void => {
  for (let left = tries; left > 0; left--) {
    refuse(writer, life, writer.own.pick(DEFAULT_ACCOUNTS), {
      ...by,
      port: writer.own.integer(1_025, 65_535),
    });
    writer.wait(2.5, 0.8);
  }
};

/** Somebody gets in with an account that is not that of the device. */
export const logInto = (writer: DeviceWriter, life: DeviceLife, by: MessageSender): void => {
  const account = writer.own.pick(['support', 'support', 'admin']);
  knock(
    writer,
    life,
    FORMS.accepted,
    `{"reason_code": 0, "account": "${account}", "session_taken_over": ${writer.own.chance(0.6)}}`,
    by,
  );
};

const FILTERS = ['["#", "$SYS/#"]', '["#"]', '["{topic}/#"]', '["{prefix}/+/+/+/telemetry"]'] as const;

/** Somebody listens to more than one device. */
export const subscribe = (writer: DeviceWriter, life: DeviceLife, by: MessageSender): void => {
  const filters = writer.own.pick(FILTERS);
  const granted = filters.includes('$SYS') ? '[0, 0]' : '[0]';
  knock(writer, life, FORMS.subscribed, `{"filters": ${filters}, "granted_qos": ${granted}}`, by);
};

/** The broker tells of a client that sends much more than its share. */
export const flood = (writer: DeviceWriter, scene: FleetScene, life: DeviceLife, reports: number): void => {
  const { own } = writer;
  const { population } = scene.world;
  const peer = (): string =>
    `"${population.outsider(own.integer(0, GUESSING_OUTSIDERS - 1)).ip}:${own.pick([23, 2_323, 8_883])}"`;
  for (let left = reports; left > 0; left--) {
    const messages = own.integer(400, 2_600);
    writer.say(
      life,
      floodForm(own),
      `{"interval_seconds": 10, "measurements": {"messages": {"value": ${messages}, "unit": "1/s"}}, "quality": "good", "detail": {"peers": [${peer()}, ${peer()}], "bytes_out": ${messages * 180}, "scan": ${own.chance(0.5)}}}`,
    );
    writer.wait(14, 0.5);
  }
};

const STALE_ACCOUNTS = { first: 2, last: 5 } as const;

/** A device has a password that was changed, and tries it until it is told the new one. */
export const useStalePassword = (writer: DeviceWriter, scene: FleetScene): void => {
  const { own } = writer;
  const life = connectedDevice(scene);
  for (let left = own.integer(STALE_ACCOUNTS.first, STALE_ACCOUNTS.last); left > 0; left--) {
    refuse(writer, life, 'device', { ...DEVICE_ITSELF, port: own.integer(1_025, 65_535) });
    writer.wait(12, 0.5);
  }
};

/** Somebody looks after devices from their desk, or from outside by contract. */
export const maintainDevice = (writer: DeviceWriter, scene: FleetScene): void => {
  const { world } = scene;
  const { own } = writer;
  const life = connectedDevice(scene);
  const person = engineerAtWork(scene);
  const ip = person === null ? null : (world.addressOf(person, writer.at)?.ip ?? null);
  const by = ip === null ? someGuesser(scene) : { ...someGuesser(scene), ip, person };
  if (own.chance(0.3)) refuse(writer, life, 'support', by);
  writer.wait(4, 0.6);
  logInto(writer, life, by);
  writer.wait(6, 0.8);
  if (own.chance(0.7)) subscribe(writer, life, own.chance(0.5) ? by : DEVICE_ITSELF);
  writer.wait(9, 0.8);
  if (own.chance(0.3)) flood(writer, scene, life, own.integer(1, 3));
};

const isHeardBy = weighted<'historian' | 'dashboard'>([
  [1, 'historian'],
  [2, 'dashboard'],
]);

/** A program that shows what devices say connects again. */
export const listenToDevices = (writer: DeviceWriter, scene: FleetScene): void => {
  const { own } = writer;
  const [server] = scene.world.population.serversOf('application_server');
  const client = `${isHeardBy(own.next())}-${own.integer(1, 4)}`;
  const by = { ...DEVICE_ITSELF, client, ip: server?.ip ?? NOWHERE.ip, port: own.integer(1_025, 65_535) };
  subscribe(writer, connectedDevice(scene), by);
};
