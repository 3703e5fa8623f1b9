import { MICROS_PER_HOUR, MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { Person, WorldHost } from '../../population/entities.js';
import type { Act } from '../scribe.js';
import type { DeviceLife, DeviceSession, SensorFault } from './deviceLife.js';
import type { SensorFleet } from './fleet.js';
import { appendMeasured, faultyValue, MEASURED } from './measurements.js';

/** What a message looks like to the broker. */
export interface MessageForm {
  readonly action: string;
  readonly outcome: 'success' | 'failure';
  /** Type of the event, in words of ECS. */
  readonly type: 'info' | 'start' | 'change' | 'end' | 'connection' | 'access';
  readonly packet: 'PUBLISH' | 'CONNECT' | 'DISCONNECT' | 'SUBSCRIBE';
  /** Last level of the topic. */
  readonly topic: string;
  readonly qos: 0 | 1 | 2;
  readonly retain: boolean;
}

const form = (
  action: string,
  type: MessageForm['type'],
  topic: string,
  given: Partial<MessageForm> = {},
): MessageForm => ({
  ...{ action, outcome: 'success', type, packet: 'PUBLISH', topic, qos: 1, retain: false },
  ...given,
});

const FAST_TELEMETRY = form('telemetry', 'info', 'telemetry', { qos: 0 });
const TELEMETRY = form('telemetry', 'info', 'telemetry');

/** What devices say, and others about them. */
export const FORMS = {
  health: form('health', 'info', 'health'),
  online: form('online', 'connection', 'status', { packet: 'CONNECT', retain: true }),
  gone: form('offline', 'end', 'status', { packet: 'DISCONNECT', retain: true }),
  lost: form('offline', 'end', 'status', { retain: true }),
  firmware_started: form('firmware-started', 'start', 'firmware', { qos: 2 }),
  firmware_downloading: form('firmware-downloading', 'change', 'firmware', { qos: 2 }),
  firmware_installing: form('firmware-installing', 'change', 'firmware', { qos: 2 }),
  firmware_completed: form('firmware-completed', 'end', 'firmware', { qos: 2 }),
  firmware_failed: form('firmware-failed', 'end', 'firmware', { qos: 2, outcome: 'failure' }),
  raised: form('alert-raised', 'start', 'alert', { qos: 2 }),
  cleared: form('alert-cleared', 'end', 'alert', { qos: 2 }),
  sent: form('command-sent', 'start', 'command'),
  done: form('command-acknowledged', 'end', 'response'),
  rejected: form('command-acknowledged', 'end', 'response', { outcome: 'failure' }),
  timeout: form('command-timeout', 'end', 'response', { outcome: 'failure' }),
  opened: form('tamper-opened', 'info', 'alert'),
  closed: form('tamper-closed', 'info', 'alert'),
  configured: form('config-changed', 'info', 'config'),
  downgraded: form('firmware-downgraded', 'info', 'firmware'),
  refused: form('connect-refused', 'access', 'status', { packet: 'CONNECT', outcome: 'failure' }),
  accepted: form('connect-accepted', 'access', 'status', { packet: 'CONNECT' }),
  subscribed: form('subscribed', 'info', 'status', { packet: 'SUBSCRIBE' }),
} as const satisfies Readonly<Record<string, MessageForm>>;

/** The broker tells of a client that sends more than it should, with the topic that it used last. */
export const floodForm = (own: KeyedDraws): MessageForm => form('flood', 'info', `cmd/${own.hex(8)}`);

/** A message at the broker, or what it tells of a client. */
export interface DeviceStep {
  readonly at: Micros;
  readonly life: DeviceLife;
  readonly form: MessageForm;
  /** JSON, with `{topic}` for that of the device, `{prefix}` for the first level of all and `{domain}` for that of the broker. */
  readonly payload: string;
  /** Random bits for what only decorates the message. */
  readonly key: number;
  readonly by: MessageSender;
}

/** Who sends a message; what is null is as the device has it. */
export interface MessageSender {
  readonly client: string | null;
  readonly ip: string | null;
  readonly port: number | null;
  readonly firmware: string | null;
  readonly person: Person | null;
}
export const DEVICE_ITSELF: MessageSender = {
  client: null,
  ip: null,
  port: null,
  firmware: null,
  person: null,
};

const DUPLICATES = 0x7f;
const LEAST_DELAY_MS = 5;
const DELAYS_MS = 396;
/** Devices send the signal strength within these limits. */
const RSSI = { least: -118, most: -38 } as const;

const rssiOf = (life: DeviceLife, at: Micros, key: number): number => {
  const noise = ((key >>> 16) & 0xff) + (key >>> 24) - 255;
  const rssi = Math.round(life.rssi + 2 * life.walkAt(at) + noise / 90);
  return Math.min(RSSI.most, Math.max(RSSI.least, rssi));
};

/** A message as an act. One literal for all of them: they have one shape, which is read fastest. */
export const deviceAct = (
  host: WorldHost | null,
  { at, life, form, payload, key, by }: DeviceStep,
  session = life.sessionAt(at),
): Act => {
  const { device } = life;
  const sent =
    session === null ? 0 : Math.floor(((at - session.began) * 2) / device.interval / MICROS_PER_SECOND);
  return {
    kind: 'use_broker',
    at,
    person: by.person,
    host,
    session: session?.id ?? null,
    facts: {
      action: form.action,
      outcome: form.outcome,
      type: form.type,
      packet: form.packet,
      topic: form.topic,
      qos: form.qos,
      retain: form.retain,
      is_repeated: (key & DUPLICATES) === 0,
      packet_id: 1 + (((session?.packet ?? key & 0xffff) + sent) % 65_535),
      client: by.client ?? device.id,
      ip: by.ip ?? device.ip,
      port: by.port ?? session?.port ?? 1_025 + (key & 0x7fff),
      device,
      firmware: by.firmware ?? life.firmwareAt(at),
      battery: life.batteryAt(at),
      rssi: rssiOf(life, at, key),
      delay_ms: LEAST_DELAY_MS + ((key >>> 7) % DELAYS_MS),
      payload,
    },
    truth: null,
  };
};

/** What is different in a reading from what the sensor should show. */
export interface ReadingChange {
  readonly fault: SensorFault | null;
  /** How much faster than usual a drift goes. */
  readonly hurry: number;
  /** How far a counter is behind. */
  readonly behind: number;
  /** JSON of what else is told, or null. */
  readonly detail: string | null;
}

const LOW_BATTERY = 15;

/** One for all readings: joined at once, a text takes a fifth of the memory that one of many sums takes. */
const parts: (string | number)[] = [];

/** A reading as JSON. */
const readingText = (
  fleet: SensorFleet,
  life: DeviceLife,
  session: DeviceSession,
  own: KeyedDraws,
  at: Micros,
  change: ReadingChange | null,
): string => {
  const { device, bias, counted } = life;
  const { kind } = device;
  const measuring = MEASURED[kind];
  const climate = fleet.climateAt(device.site, at);
  const values = measuring.sample({ climate, bias, walk: life.walkAt(at), counted, own });
  const seq = life.readingsAt(session, at);
  const fault = change?.fault ?? life.faultAt(at);
  if (fault !== null) {
    const [index] = measuring.primary;
    const hours = ((at - fault.since) / MICROS_PER_HOUR) * (change?.hurry ?? 1);
    values[index] = faultyValue(kind, fault, values[index] as number, hours, seq);
  }
  if (change !== null && measuring.counter !== null)
    values[measuring.counter] =
      Math.round(((values[measuring.counter] as number) - change.behind) * 1_000) / 1_000;
  const quality = own.chance(0.01) ? 'uncertain' : 'good';
  const battery = life.batteryAt(at);
  const status = battery !== null && battery < LOW_BATTERY ? 'low-battery' : 'ok';
  parts.length = 0;
  parts.push('{"seq": ', seq, ', "uptime_seconds": ', life.uptimeAt(session, at));
  parts.push(', "interval_seconds": ', device.interval, ', "measurements": ');
  appendMeasured(parts, kind, values);
  parts.push(', "quality": "', quality, '", "status": ["', status, '"]');
  if (change !== null && change.detail !== null) parts.push(', "detail": ', change.detail);
  parts.push('}');
  return parts.join('');
};

/** A reading that a device sends. */
export const readingStep = (
  fleet: SensorFleet,
  life: DeviceLife,
  session: DeviceSession,
  own: KeyedDraws,
  at: Micros,
  change: ReadingChange | null = null,
  by: MessageSender = DEVICE_ITSELF,
): DeviceStep => ({
  at,
  life,
  form: life.device.interval <= 10 ? FAST_TELEMETRY : TELEMETRY,
  payload: readingText(fleet, life, session, own, at, change),
  key: own.word(),
  by,
});

const ERRORS = [...Array.from({ length: 88 }, () => 0), 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 7];

/** What a device tells of itself. */
export const healthStep = (
  life: DeviceLife,
  session: DeviceSession,
  own: KeyedDraws,
  at: Micros,
): DeviceStep => {
  const key = own.word();
  const battery = life.batteryAt(at);
  const volts =
    battery === null ? 5.02 : Math.round((2.4 + battery * 0.012 + 0.01 * own.normal()) * 1_000) / 1_000;
  const percent = battery === null ? 'null' : Math.round(battery * 10) / 10;
  const rssi = rssiOf(life, at, key);
  const heap = own.integer(38_000, 96_000);
  const chip = Math.round((31 + 2 * life.walkAt(at) + own.normal()) * 10) / 10;
  const payload = `{"uptime_seconds": ${life.uptimeAt(session, at)}, "battery": {"percent": ${percent}, "volts": ${volts}, "charging": ${battery === null}}, "radio": {"rssi_dbm": ${rssi}, "snr_db": ${Math.round((rssi + 118) * 2.5) / 10}, "retries": ${own.integer(0, 9)}, "reconnects": ${own.integer(0, 3)}}, "memory": {"heap_free": ${heap}, "heap_minimum": ${heap - own.integer(2_000, 18_000)}, "flash_used_percent": ${41 + (life.device.number % 37)}}, "clock": {"offset_ms": ${Math.round(14 * own.normal())}, "source": "ntp"}, "chip_temperature": ${chip}, "errors": ${own.pick(ERRORS)}}`;
  return { at, life, form: FORMS.health, payload, key, by: DEVICE_ITSELF };
};
