import type { Micros } from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { Site } from '../../population/entities.js';
import type { WorldGround } from '../../population/population.js';
import { rememberOfWorld } from '../../remember.js';
import { DeviceLife } from './deviceLife.js';
import { SENSOR_KINDS, type SensorDevice, type SensorKind } from './sensorDevice.js';
import { climatesOf, type SiteClimate } from './siteClimate.js';

/** Purpose of draws of devices. */
const WHY_DEVICE = 640;

interface SensorModel {
  readonly manufacturer: string;
  readonly model: string;
  readonly hardware: string;
  /** The oldest version. */
  readonly firmware: readonly [number, number, number];
  readonly power: SensorDevice['power'];
  readonly link: SensorDevice['link'];
  readonly interval: number;
}

const MAKERS = ['Fjordlab', 'Kestrel Instruments', 'Lindenwerk', 'Quarry Sensing', 'Zephyr Devices'];
type ModelRow = readonly [hardware: string, SensorModel['power'], SensorModel['link'], interval: number];

/** Models by turns of the kinds: climate, power, machine, water, air. */
const MODEL_ROWS: readonly ModelRow[] = [
  ['A1', 'battery', 'wifi', 30],
  ['B2', 'mains', 'ethernet', 30],
  ['C3', 'mains', 'wifi', 30],
  ['A4', 'mains', 'wifi', 30],
  ['B1', 'battery', 'wifi', 300],
  ['C2', 'battery', 'lorawan', 300],
  ['A3', 'mains', 'wifi', 300],
  ['B4', 'mains', 'wifi', 10],
  ['C1', 'battery', 'wifi', 30],
  ['A2', 'battery', 'lorawan', 30],
  ['B3', 'mains', 'wifi', 30],
  ['C4', 'mains', 'ethernet', 30],
  ['A1', 'mains', 'wifi', 60],
  ['B2', 'battery', 'lorawan', 30],
  ['C3', 'battery', 'wifi', 30],
  ['A4', 'battery', 'lorawan', 60],
  ['B1', 'mains', 'wifi', 10],
  ['C2', 'mains', 'wifi', 30],
  ['A3', 'battery', 'wifi', 300],
  ['B4', 'battery', 'lorawan', 300],
  ['C1', 'battery', 'wifi', 30],
  ['A2', 'mains', 'ethernet', 10],
  ['B3', 'mains', 'wifi', 60],
  ['C4', 'battery', 'lorawan', 60],
  ['A1', 'mains', 'wifi', 300],
];

const MODELS: readonly SensorModel[] = MODEL_ROWS.map(([hardware, power, link, interval], row) => {
  const kind = SENSOR_KINDS[row % SENSOR_KINDS.length] as SensorKind;
  return {
    manufacturer: MAKERS[(row + Math.floor(row / SENSOR_KINDS.length)) % MAKERS.length] as string,
    model: `${kind.slice(0, 2).toUpperCase()}-${100 + 10 * row}`,
    hardware,
    firmware: [2 + (row % 3), row % 5, row % 9],
    ...{ power, link, interval },
  };
});

const AREAS: Readonly<Record<SensorKind, readonly string[]>> = {
  climate: ['office-1', 'office-2', 'cold-room', 'server-room', 'archive', 'canteen'],
  power: ['main-board', 'sub-board-1', 'sub-board-2', 'charger-row', 'solar-roof'],
  machine: ['line-1', 'line-2', 'press', 'pump-house', 'conveyor', 'compressor'],
  water: ['inlet', 'boiler', 'cooling-loop', 'tank-1', 'sprinkler'],
  air: ['gate', 'yard', 'roof', 'hall-a', 'hall-b'],
};

/** So many people have 150 devices: a larger organization has more. */
export const PEOPLE_OF_FLEET = 200;
const USUAL_DEVICES = 150;
const LEAST_DEVICES = 20;

/** Networks `10.x` of devices, one a site; more sites share them. */
const DEVICE_NETWORKS = { first: 210, count: 30 } as const;

const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ';
const letter = (own: KeyedDraws): string => LETTERS[own.integer(0, LETTERS.length - 1)] as string;

/** Devices have networks of their own. Only 256 MAC addresses are reserved for documentation. */
const deviceOf = ({ population, draws }: WorldGround, index: number): DeviceLife => {
  const own = draws.of(index + 1, 0, WHY_DEVICE);
  const { firmware, ...model } = MODELS[index % MODELS.length] as SensorModel;
  const kind = SENSOR_KINDS[index % SENSOR_KINDS.length] as SensorKind;
  const number = index + 1;
  // Every site has devices, whatever its number of people.
  const site = own.pick(population.sites);
  const device: SensorDevice = {
    number,
    id: `${kind}-${String(number).padStart(5, '0')}`,
    serial: `${letter(own)}${letter(own)}${letter(own)}${own.integer(1_000_000, 9_999_999)}`,
    kind,
    ...model,
    mac: `00-00-5E-00-53-${(index % 256).toString(16).padStart(2, '0').toUpperCase()}`,
    ip: `10.${DEVICE_NETWORKS.first + (population.sites.indexOf(site) % DEVICE_NETWORKS.count)}.${Math.floor(index / 250)}.${(index % 250) + 2}`,
    site,
    area: own.pick(AREAS[kind]),
    gateway: `gw-${site.name}-${own.integer(1, 2)}`,
  };
  return new DeviceLife(draws, device, firmware, own);
};

/** All devices of an organization. */
export interface SensorFleet {
  readonly lives: readonly DeviceLife[];
  /** How much more often everything happens than in an organization of the usual size. */
  readonly scale: number;
  readonly climateAt: (site: Site, at: Micros) => SiteClimate;
}

export const sensorFleetOf = rememberOfWorld((ground: WorldGround): SensorFleet => {
  const scale = ground.population.size / PEOPLE_OF_FLEET;
  const count = Math.max(LEAST_DEVICES, Math.round(USUAL_DEVICES * scale));
  const lives = Array.from({ length: count }, (_, index) => deviceOf(ground, index));
  return {
    lives,
    scale: count / USUAL_DEVICES,
    climateAt: climatesOf(ground.draws, ground.population.sites),
  };
});
