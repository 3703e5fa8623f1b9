import { chance, pick } from '../faker/draws.js';
import type { Group } from '../faker/providers.js';
import * as tables from './deviceTables.js';

export const hardware: Group = ({ random }) => ({
  'resolution()': () => pick(random, tables.RESOLUTIONS),
  'screen_size()': () => pick(random, tables.SCREEN_SIZES),
  'cpu()': () => pick(random, tables.CPUS),
  'cpu_frequency()': () => `${(random.integer(15, 57) / 10).toFixed(1)}GHz`,
  'cpu_codename()': () => pick(random, tables.CPU_CODENAMES),
  'generation()': () => pick(random, tables.GENERATIONS),
  'ram_type()': () => pick(random, tables.RAM_TYPES),
  'ram_size()': () => pick(random, tables.RAM_SIZES),
  'ssd_or_hdd()': () => pick(random, tables.DISKS),
  'graphics()': () => pick(random, tables.GRAPHICS),
  'manufacturer()': () => pick(random, tables.COMPUTER_MAKERS),
  'phone_model()': () => pick(random, tables.PHONES),
});

export const development: Group = ({ random, now }) => ({
  'software_license()': () => pick(random, tables.LICENSES),
  'version()': () => `${random.integer(0, 20)}.${random.integer(0, 20)}.${random.integer(0, 20)}`,
  'calver()': () => {
    const year = new Date(Math.floor(now() / 1_000)).getUTCFullYear();
    return `${random.integer(2016, Math.max(2016, year))}.${random.integer(1, 12)}.${random.integer(1, 30)}`;
  },
  'stage()': () => pick(random, tables.STAGES),
  'programming_language()': () => pick(random, tables.LANGUAGES),
  'os()': () => pick(random, tables.SYSTEMS),
  'boolean()': () => chance(random, 0.5),
  'system_quality_attribute()': () => pick(random, tables.QUALITIES),
  'ility()': () => pick(random, tables.QUALITIES),
});

export const transport: Group = ({ of }) => ({
  'manufacturer()': () => of((faker) => faker.vehicle.manufacturer()),
  'car()': () => of((faker) => faker.vehicle.vehicle()),
  'airplane()': () => of((faker) => faker.airline.airplane().name),
  'vehicle_registration_code(locale=None)': () => of((faker) => faker.location.countryCode('alpha-2')),
  'vin_code()': () => of((faker) => faker.vehicle.vin()),
  'vin()': () => of((faker) => faker.vehicle.vin()),
});

export const food: Group = ({ random, of }) => ({
  'dish()': () => of((faker) => faker.food.dish()),
  'drink()': () => pick(random, tables.DRINKS),
  'fruit()': () => of((faker) => faker.food.fruit()),
  'spices()': () => of((faker) => faker.food.spice()),
  'vegetable()': () => of((faker) => faker.food.vegetable()),
});
