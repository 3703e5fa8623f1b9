/** What happens with devices beside readings: alerts, commands, visits of technicians, lost connections, updates. */
import { type KeyedDraws, weighted } from '../../draw.js';
import type { Person } from '../../population/entities.js';
import { NOWHERE } from '../rules/shared.js';
import type { DeviceLife, FirmwareUpdate, Outage } from './deviceLife.js';
import {
  DEVICE_ITSELF,
  type DeviceStep,
  FORMS,
  type MessageForm,
  type MessageSender,
  readingStep,
} from './deviceMessages.js';
import {
  connectedDevice,
  type DeviceWriter,
  engineerAtWork,
  type FleetScene,
  secondsBetween,
  sendReadings,
} from './deviceWriter.js';
import { ALERT_RULES, someOrder } from './orders.js';

const drawnUuid = (own: KeyedDraws): string => {
  const hex = own.hex(30);
  const variant = own.pick(['8', '9', 'a', 'b']);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-${variant}${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
};

/** A measurement of a device crosses a limit; later it is back. */
export const raiseAlert = (writer: DeviceWriter, life: DeviceLife): void => {
  const { own } = writer;
  const { measurement, unit, side, limit, severity } = own.pick(ALERT_RULES[life.device.kind]);
  const id = `alert-${drawnUuid(own)}`;
  const begin = writer.at;
  const tell = (state: 'raised' | 'cleared'): void => {
    const beyond = (0.01 + 0.05 * own.next()) * (state === 'raised' ? 1 : -1) * (side === 'high' ? 1 : -1);
    const value = Math.round(limit * (1 + beyond) * 100) / 100;
    writer.say(
      life,
      FORMS[state],
      `{"alert": {"id": "${id}", "state": "${state}", "severity": "${severity}", "rule": "${measurement}-${side}", "seconds": ${secondsBetween(begin, writer.at)}}, "measurement": {"name": "${measurement}", "value": ${value}, "limit": ${limit}, "unit": "${unit}"}, "actions": [{"type": "notify", "target": "${life.device.site.name}-operators"}, {"type": "record", "target": "historian"}], "acknowledged": ${state === 'cleared' && own.chance(0.7)}}`,
    );
  };
  tell('raised');
  writer.wait(170, 0.9);
  // A device that has lost its connection meanwhile is not heard.
  if (life.sessionAt(writer.at) !== null) tell('cleared');
};

const EPHEMERAL = { first: 32_768, last: 60_999 } as const;
const REJECTED_SHARE = 0.04;
const UNHEARD_SHARE = 0.03;

/** A command goes to a device, and is acknowledged. */
export const commandDevice = (writer: DeviceWriter, scene: FleetScene): void => {
  const { own } = writer;
  const life = connectedDevice(scene);
  const { name, given, issuer } = someOrder(own.next());
  const [server] = scene.world.population.serversOf('application_server');
  const by: MessageSender = {
    ...DEVICE_ITSELF,
    client: issuer,
    ip: server?.ip ?? NOWHERE.ip,
    port: own.integer(EPHEMERAL.first, EPHEMERAL.last),
  };
  const id = drawnUuid(own);
  const begin = writer.at;
  const tell = (form: MessageForm, result: string, sender: MessageSender): void =>
    writer.say(
      life,
      form,
      `{"command": {"name": "${name}", "arguments": ${given}, "issuer": "${issuer}", "result": "${result}", "correlation_id": "${id}", "seconds": ${secondsBetween(begin, writer.at)}}, "response_topic": "{topic}/response", "schema": "commands-v2"}`,
      sender,
    );
  tell(FORMS.sent, 'sent', by);
  const isHeard = !own.chance(UNHEARD_SHARE);
  writer.wait(isHeard ? 1.2 : 30, isHeard ? 0.8 : 0.02);
  const session = life.sessionAt(writer.at);
  if (!isHeard || session === null) return tell(FORMS.timeout, 'timeout', by);
  const isRejected = own.chance(REJECTED_SHARE);
  tell(isRejected ? FORMS.rejected : FORMS.done, isRejected ? 'rejected' : 'done', DEVICE_ITSELF);
  if (name === 'send_report' && !isRejected)
    sendReadings(writer, scene, life, session, own.integer(2, 5), 0.4);
};

const ENDPOINTS = [
  'mqtts://broker-1.iot.example.net:8883',
  'mqtts://broker-2.iot.example.net:8883',
  'mqtts://staging.iot.example.net:8883',
  'mqtts://relay.example.net:8883',
] as const;

/** What somebody does at a device whose case is open. */
export interface VisitPlan {
  readonly settings: number;
  readonly downgrade: number;
  readonly behind: number;
  readonly readings: readonly [least: number, most: number];
}
const TECHNICIAN: VisitPlan = { settings: 0.9, downgrade: 0.5, behind: 0.5, readings: [2, 6] };

/** An older version than one. */
const olderThan = (own: KeyedDraws, firmware: string): string => {
  const [major, minor, patch] = firmware.split('.').map(Number) as [number, number, number];
  return `${major}.${Math.max(0, minor - own.integer(1, 6))}.${(patch + own.integer(0, 9)) % 40}`;
};

/** Somebody opens a device, changes it, looks at what it shows, and closes it. */
export const visitDevice = (
  writer: DeviceWriter,
  scene: FleetScene,
  life: DeviceLife,
  person: Person | null,
  plan: VisitPlan = TECHNICIAN,
): void => {
  const { own } = writer;
  const before = life.firmwareAt(writer.at);
  let by: MessageSender = { ...DEVICE_ITSELF, person };
  const service: MessageSender = { ...by, client: `service-${own.hex(6)}` };
  const tell = (form: MessageForm, detail: string, sender = by): void => {
    const session = life.sessionAt(writer.at);
    const uptime = session === null ? 0 : life.uptimeAt(session, writer.at);
    writer.say(
      life,
      form,
      `{"uptime_seconds": ${uptime}, "interval_seconds": ${life.device.interval}, "detail": ${detail}}`,
      sender,
    );
  };
  tell(FORMS.opened, `{"case": "open", "magnet": ${own.chance(0.4)}, "tilt_degrees": ${own.integer(3, 80)}}`);
  if (own.chance(plan.settings)) {
    writer.wait(35, 0.6);
    const settings = `"interval": ${own.pick([60, 300, 900, 3_600])}, "endpoint": "${own.pick(ENDPOINTS)}"`;
    tell(FORMS.configured, `{${settings}, "by": "service-port", "signed": ${own.chance(0.4)}}`, service);
  }
  if (own.chance(plan.downgrade)) {
    writer.wait(50, 0.6);
    const to = olderThan(own, before);
    by = { ...by, firmware: to };
    tell(FORMS.downgraded, `{"from": "${before}", "to": "${to}", "signed": ${own.chance(0.4)}}`);
  }
  let behind = own.chance(plan.behind) ? 0.5 + 2 * own.next() : 0;
  for (let left = own.integer(...plan.readings); left > 0; left--) {
    writer.wait(22, 0.6);
    const session = life.sessionAt(writer.at);
    if (session === null) return;
    const detail = `{"clock_offset_ms": ${-own.integer(3_600_000, 7_200_000)}}`;
    const change = { fault: null, hurry: 1, behind, detail };
    writer.steps.push(readingStep(scene.fleet, life, session, own, writer.at, change, by));
    if (behind > 0) behind += 0.5 + 2.5 * own.next();
  }
  writer.wait(40, 0.5);
  tell(FORMS.closed, '{"case": "closed"}');
};

/** A technician at some device. */
export const visitSomeDevice = (writer: DeviceWriter, scene: FleetScene): void =>
  visitDevice(writer, scene, connectedDevice(scene), engineerAtWork(scene));

const CAUSES = weighted<readonly [cause: string, code: number]>([
  [30, ['normal', 0]],
  [35, ['keep_alive_timeout', 141]],
  [28, ['connection_lost', 128]],
  [5, ['session_taken_over', 142]],
  [2, ['server_moved', 157]],
]);
const STORED_READINGS = 12;

/** A device loses its connection, comes back, and sends what it has stored meanwhile. */
export const breakConnection = (
  writer: DeviceWriter,
  scene: FleetScene,
  life: DeviceLife,
  { from, to, restarts, drawn }: Outage,
): void => {
  const { own } = writer;
  const { interval } = life.device;
  const before = life.sessionAt(from - 1);
  const [cause, code] = CAUSES(drawn);
  const isLost = code !== 0;
  const sent = before === null ? 0 : life.readingsAt(before, from);
  const age = before === null ? 0 : Math.floor(secondsBetween(before.began, from));
  writer.say(
    life,
    isLost ? FORMS.lost : FORMS.gone,
    `{"state": "offline", "cause": "${cause}", "reason_code": ${code}, "last_will": ${isLost}, "session_seconds": ${age}, "messages": {"published": ${sent}, "queued": ${isLost ? own.integer(0, 4) : 0}, "dropped": ${isLost ? own.integer(0, 2) : 0}}, "last_measurement_seq": ${sent}, "keep_alive": ${interval * 3}}`,
  );
  writer.at = to;
  const session = life.sessionAt(to);
  writer.say(
    life,
    FORMS.online,
    `{"state": "online", "first_contact": false, "offline_seconds": ${secondsBetween(from, to)}, "session": {"clean_start": ${restarts}, "expiry_interval": 86400, "keep_alive": ${interval * 3}, "reason_code": 0}, "tls": {"version": "1.3", "cipher": "TLS_AES_128_GCM_SHA256", "client_certificate": "${own.hex(40)}"}, "will": {"topic": "{topic}/status", "retain": true}}`,
  );
  if (session === null || restarts) return;
  const missed = Math.floor(secondsBetween(from, to) / interval);
  sendReadings(writer, scene, life, session, Math.min(missed, STORED_READINGS), 0.15);
};

/** A device gets another version. */
export const updateSteps = (
  own: KeyedDraws,
  life: DeviceLife,
  { id, from, to, bytes, hash, steps }: FirmwareUpdate,
): readonly DeviceStep[] => {
  const begin = steps[0]?.at ?? 0;
  // A device that has lost its connection meanwhile is not heard.
  const heard = steps.filter(({ at }) => life.sessionAt(at) !== null);
  return heard.map(({ at, phase, percent }) => {
    const isOver = phase === 'completed' || phase === 'failed';
    const error = phase === 'failed' ? own.pick(['checksum_mismatch', 'low_battery', 'timeout']) : '';
    const payload = `{"update": {"id": "${id}", "phase": "${phase}", "from": "${from}", "to": "${to}", "percent": ${percent}, "seconds": ${secondsBetween(begin, at)}}, "image": {"url": "https://updates.{domain}/${life.device.model}/${to}.bin", "bytes": ${bytes}, "sha256": "${hash}", "signed": true}, "error": "${error}", "reboot": ${isOver}}`;
    return { at, life, form: FORMS[`firmware_${phase}`], payload, key: own.word(), by: DEVICE_ITSELF };
  });
};
