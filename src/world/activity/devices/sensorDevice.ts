import type { Site } from '../../population/entities.js';

export const SENSOR_KINDS = ['climate', 'power', 'machine', 'water', 'air'] as const;
/** What a device measures: rooms, meters of power, machines, meters of water, the air outside. */
export type SensorKind = (typeof SENSOR_KINDS)[number];

/** A device of a site that reports to the broker: one object for all of its messages. */
export interface SensorDevice {
  /** From 1. */
  readonly number: number;
  readonly id: string;
  readonly serial: string;
  readonly kind: SensorKind;
  readonly manufacturer: string;
  readonly model: string;
  readonly hardware: string;
  readonly mac: string;
  readonly ip: string;
  readonly site: Site;
  /** Where on the site. */
  readonly area: string;
  readonly gateway: string;
  readonly power: 'battery' | 'mains';
  readonly link: 'ethernet' | 'wifi' | 'lorawan';
  /** Seconds between readings. */
  readonly interval: number;
}
