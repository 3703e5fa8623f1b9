/** What devices are told to do, and which limits of values raise an alert. */
import { weighted } from '../../draw.js';
import type { SensorKind } from './sensorDevice.js';

export interface DeviceOrder {
  readonly name: string;
  /** JSON. */
  readonly given: string;
  readonly issuer: 'ops-console' | 'rule-engine' | 'scheduler';
}

const order = (
  weight: number,
  issuer: DeviceOrder['issuer'],
  name: string,
  given: Readonly<Record<string, string | number>>,
) => [weight, { name, given: JSON.stringify(given), issuer }] as const;

export const someOrder = weighted<DeviceOrder>([
  order(4, 'ops-console', 'set_interval', { seconds: 10 }),
  order(4, 'rule-engine', 'set_interval', { seconds: 30 }),
  order(2, 'ops-console', 'set_interval', { seconds: 60 }),
  order(4, 'scheduler', 'set_interval', { seconds: 300 }),
  order(4, 'ops-console', 'set_threshold', { name: 'high', value: 40 }),
  order(2, 'scheduler', 'set_threshold', { name: 'low', value: 5 }),
  order(2, 'scheduler', 'calibrate', { offset: 0.1 }),
  order(2, 'scheduler', 'calibrate', { offset: -0.2 }),
  order(4, 'scheduler', 'calibrate', { offset: 0 }),
  order(2, 'ops-console', 'identify', { blink: 5 }),
  order(2, 'scheduler', 'sync_clock', { source: 'ntp.example.net' }),
  order(3, 'ops-console', 'send_report', { hours: 24 }),
  order(3, 'rule-engine', 'send_report', { hours: 1 }),
  order(4, 'ops-console', 'set_log_level', { level: 'info' }),
  order(2, 'ops-console', 'set_log_level', { level: 'debug' }),
  order(2, 'rule-engine', 'restart', { delay: 5 }),
  order(2, 'rule-engine', 'rotate_key', { slot: 1 }),
  order(4, 'ops-console', 'rotate_key', { slot: 2 }),
  order(2, 'scheduler', 'set_reporting', { mode: 'on_change' }),
  order(2, 'ops-console', 'set_reporting', { mode: 'periodic' }),
  order(4, 'rule-engine', 'test_relay', { relay: 1 }),
  order(2, 'scheduler', 'clear_counters', { scope: 'network' }),
]);

export interface AlertRule {
  readonly measurement: string;
  readonly unit: string;
  readonly side: 'high' | 'low';
  readonly limit: number;
  readonly severity: 'warning' | 'critical';
}

/** A measurement, with its limits above and below; null where it has none. */
const rulesFor = (
  measurement: string,
  unit: string,
  high: number,
  low: number | null,
  severity: AlertRule['severity'] = 'warning',
): readonly AlertRule[] => [
  { measurement, unit, side: 'high', limit: high, severity },
  ...(low === null ? [] : [{ measurement, unit, side: 'low', limit: low, severity: 'warning' } as const]),
];

export const ALERT_RULES: Readonly<Record<SensorKind, readonly AlertRule[]>> = {
  climate: [
    ...rulesFor('temperature', 'Cel', 28, 14, 'critical'),
    ...rulesFor('humidity', '%RH', 68, 25),
    ...rulesFor('dew_point', 'Cel', 18, 2),
    ...rulesFor('co2', 'ppm', 1_200, null),
  ],
  power: [
    ...rulesFor('active_power', 'kW', 28, 0.2, 'critical'),
    ...rulesFor('voltage_l1', 'V', 244, 216),
    ...rulesFor('power_factor', '1', 1, 0.8),
    ...rulesFor('frequency', 'Hz', 50.15, 49.85),
  ],
  machine: [
    ...rulesFor('vibration', 'mm/s', 7.1, null, 'critical'),
    ...rulesFor('bearing_temperature', 'Cel', 85, 5),
    ...rulesFor('rotation', 'rpm', 3_200, 200),
    ...rulesFor('load', '%', 95, 2),
  ],
  water: [
    ...rulesFor('flow', 'l/min', 180, 0.5),
    ...rulesFor('pressure', 'bar', 6.5, 2),
    ...rulesFor('temperature', 'Cel', 25, 4),
    ...rulesFor('turbidity', 'NTU', 1, null),
  ],
  air: [
    ...rulesFor('pm2_5', 'ug/m3', 35, null),
    ...rulesFor('pm10', 'ug/m3', 50, null),
    ...rulesFor('noise', 'dB', 75, null, 'critical'),
    ...rulesFor('ozone', 'ug/m3', 120, null),
  ],
};
