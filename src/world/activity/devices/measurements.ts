/** What sensors measure, by kind. */
import type { KeyedDraws } from '../../draw.js';
import type { SensorFault } from './deviceLife.js';
import type { SensorKind } from './sensorDevice.js';
import type { SiteClimate } from './siteClimate.js';

/** What a value depends on. */
export interface SampleMoment {
  readonly climate: SiteClimate;
  /** What the device shows too much by itself, and at this time: standard deviations. */
  readonly bias: number;
  readonly walk: number;
  /** Share of a whole turn that the counter showed when it was new. */
  readonly counted: number;
  readonly own: KeyedDraws;
}

interface Measuring {
  readonly names: readonly (readonly [name: string, unit: string])[];
  /** What a fault is about, and a usual value with its spread. */
  readonly primary: readonly [index: number, usual: number, spread: number];
  /** Which value only rises; null when none does. */
  readonly counter: number | null;
  readonly sample: (moment: SampleMoment) => number[];
}

const rounded = (value: number, places: number): number => Math.round(value * places) / places;
const within = (value: number, least: number, most: number): number =>
  value < least ? least : value > most ? most : value;

/** Meters have six digits before the point, those of water and of hours five. */
const TURN = { energy: 1_000_000, volume: 100_000, hours: 100_000 } as const;

export const MEASURED: Readonly<Record<SensorKind, Measuring>> = {
  // Rooms: warm with people and the afternoon.
  climate: {
    names: [
      ['temperature', 'Cel'],
      ['humidity', '%RH'],
      ['dew_point', 'Cel'],
      ['co2', 'ppm'],
    ],
    primary: [0, 21.5, 1.2],
    counter: null,
    sample: ({ climate: { occupancy, sun }, bias, walk, own }) => {
      const temperature = 20.6 + 1.5 * occupancy + 0.7 * sun + 0.5 * walk + 0.7 * bias + 0.04 * own.normal();
      const humidity = within(45 - 3 * sun + 2.4 * walk + 4 * bias + 0.3 * own.normal(), 12, 95);
      const dew = temperature - (100 - humidity) / 5;
      const co2 = 420 + 520 * occupancy + 30 * walk + 25 * bias + 8 * own.normal();
      return [
        rounded(temperature, 100),
        rounded(humidity, 10),
        rounded(dew, 100),
        Math.round(Math.max(400, co2)),
      ];
    },
  },
  // Meters: load by the hour.
  power: {
    names: [
      ['active_power', 'kW'],
      ['energy_total', 'kWh'],
      ['voltage_l1', 'V'],
      ['current_l1', 'A'],
      ['power_factor', '1'],
      ['frequency', 'Hz'],
    ],
    primary: [2, 230, 1.5],
    counter: 1,
    sample: ({ climate: { load, loadHours }, bias, walk, counted, own }) => {
      const most = Math.max(4, 24 + 5 * bias);
      const power = Math.max(0.1, most * load * (1 + 0.06 * walk + 0.02 * own.normal()));
      const energy = (counted * TURN.energy + most * loadHours) % TURN.energy;
      const voltage = 230.5 + 0.9 * walk - 0.05 * power + 0.3 * own.normal();
      const factor = within(0.95 + 0.012 * own.normal(), 0.7, 1);
      const current = (power * 1_000) / 3 / voltage / factor;
      return [
        rounded(power, 1_000),
        rounded(energy, 1_000),
        rounded(voltage, 10),
        rounded(current, 100),
        rounded(factor, 1_000),
        rounded(50 + 0.015 * own.normal(), 1_000),
      ];
    },
  },
  // Machines: vibration and bearings follow the load.
  machine: {
    names: [
      ['vibration', 'mm/s'],
      ['vibration_peak', 'mm/s'],
      ['bearing_temperature', 'Cel'],
      ['rotation', 'rpm'],
      ['load', '%'],
      ['operating_hours', 'h'],
    ],
    primary: [0, 2, 0.4],
    counter: 5,
    sample: ({ climate, bias, walk, counted, own }) => {
      const load = within(96 * climate.load + 5 * walk + 2 * own.normal(), 0, 100);
      const vibration = within(1.1 + 0.018 * load + 0.2 * bias + 0.2 * walk + 0.08 * own.normal(), 0.1, 12);
      return [
        rounded(vibration, 100),
        rounded(vibration * (1.35 + 0.35 * own.next()), 100),
        rounded(34 + 0.28 * load + 1.5 * walk + bias, 10),
        Math.round(1_480 - 0.6 * load + 3 * own.normal()),
        rounded(load, 10),
        rounded((counted * TURN.hours + climate.loadHours) % TURN.hours, 1_000),
      ];
    },
  },
  // Water: two peaks a day.
  water: {
    names: [
      ['flow', 'l/min'],
      ['pressure', 'bar'],
      ['temperature', 'Cel'],
      ['volume_total', 'm3'],
      ['turbidity', 'NTU'],
      ['valve', '%'],
    ],
    primary: [1, 4.3, 0.2],
    counter: 3,
    sample: ({ climate: { water, waterHours, outside }, bias, walk, counted, own }) => {
      const most = 120 + 15 * bias;
      const flow = within(most * water * (1 + 0.05 * walk) + 2 * own.normal(), 0, 200);
      return [
        rounded(flow, 100),
        rounded(4.6 - 0.006 * flow + 0.12 * walk + 0.01 * own.normal(), 1_000),
        rounded(11 + 0.15 * outside + 0.4 * walk + 0.5 * bias + 0.03 * own.normal(), 100),
        rounded((counted * TURN.volume + most * waterHours * 0.06) % TURN.volume, 10_000),
        rounded(own.lognormal(0.2, 0.3), 1_000),
        Math.round(within(flow * 0.6, 0, 100)),
      ];
    },
  },
  // Outside: particles and noise follow the traffic, ozone the sun.
  air: {
    names: [
      ['pm2_5', 'ug/m3'],
      ['pm10', 'ug/m3'],
      ['noise', 'dB'],
      ['ozone', 'ug/m3'],
      ['air_pressure', 'hPa'],
      ['temperature', 'Cel'],
    ],
    primary: [0, 10, 2.5],
    counter: null,
    sample: ({ climate: { traffic, sun, pressure, outside }, bias, walk, own }) => {
      const fine = within(6 + 11 * traffic + 2 * walk + bias + 0.6 * own.normal(), 0.5, 120);
      return [
        rounded(fine, 10),
        rounded(fine * (1.3 + 0.4 * own.next()), 10),
        rounded(within(44 + 21 * traffic + 1.6 * walk + 2 * bias + own.normal(), 30, 110), 10),
        rounded(within(58 + 32 * sun + 6 * walk + 3 * bias + own.normal(), 4, 220), 10),
        rounded(1_013.2 + pressure + 0.4 * bias, 10),
        rounded(outside + 0.4 * walk + 0.3 * bias + 0.05 * own.normal(), 100),
      ];
    },
  },
};

/** What a broken sensor shows now and then, whatever it measures. */
const IMPOSSIBLE = [-127, -127, 0, 327.67, 850] as const;
/** A drift, in spreads an hour. */
const DRIFT_PER_HOUR = 6;

/** What a faulty sensor shows instead of its main value. `hours`: since it began; `turn`: number of the reading. */
export const faultyValue = (
  kind: SensorKind,
  { mode, value }: Pick<SensorFault, 'mode' | 'value'>,
  good: number,
  hours: number,
  turn: number,
): number => {
  const [, usual, spread] = MEASURED[kind].primary;
  if (mode === 'stuck') return rounded(usual + (2 * value - 1) * 2 * spread, 100);
  if (mode === 'drift') return rounded(good + (value < 0.5 ? -1 : 1) * hours * DRIFT_PER_HOUR * spread, 100);
  return turn % 3 === 0 ? (IMPOSSIBLE[Math.floor(turn / 3 + value * 5) % 5] as number) : good;
};

/** Texts before each value; the last one ends the measurements. */
const textsOf = (kind: SensorKind): readonly string[] => {
  const { names } = MEASURED[kind];
  const unitOf = (index: number): string => `, "unit": "${names[index]?.[1] ?? ''}"}`;
  return [
    ...names.map(([name], index) => `${index === 0 ? '{' : `${unitOf(index - 1)}, `}"${name}": {"value": `),
    `${unitOf(names.length - 1)}}`,
  ];
};
const TEXTS: Readonly<Record<SensorKind, readonly string[]>> = {
  climate: textsOf('climate'),
  power: textsOf('power'),
  machine: textsOf('machine'),
  water: textsOf('water'),
  air: textsOf('air'),
};

/** Appends the values as JSON. */
export const appendMeasured = (
  parts: (string | number)[],
  kind: SensorKind,
  values: readonly number[],
): void => {
  const texts = TEXTS[kind];
  for (let index = 0; index < values.length; index++)
    parts.push(texts[index] as string, values[index] as number);
  parts.push(texts[values.length] as string);
};
