/** What both engines render with: rows of samples, parameters and timestamps, as plain JSON. */

const FIRST = ['Alice', 'Bob', 'Carol', 'Dave', 'Erin', 'Frank', 'Grace', 'Heidi', 'Ivan', 'Judy'];
const LAST = ["O'Neil", 'Müller', 'Smith', 'Garcia', 'Kowalski', 'Tanaka', 'Novak', 'Silva'];
const CITIES = [
  ['DE', 'Frankfurt am Main', 50.110924, 8.682127],
  ['FR', 'Saint-Étienne', 45.439695, 4.3871779],
  ['US', 'Ashburn', 39.0437567, -77.4874416],
  ['JP', 'Osaka', 34.6937398, 135.5021651],
  ['BR', 'São Paulo', -23.5505199, -46.6333094],
];
const BROWSERS = [
  ['Chrome', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/131.0.0.0 Safari/537.36', 60],
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 15],
  ['curl', 'curl/8.9.1', 25],
];

const count = (length, make) => Array.from({ length }, (_, i) => make(i));

/** `{name: {columns, rows}}`. */
export const SAMPLES = {
  hosts: {
    columns: ['hostname', 'ip', 'os', 'version', 'role'],
    rows: count(20, (i) => [
      `${i % 3 === 0 ? 'Web' : 'Pc'}-${String(i + 1).padStart(3, '0')}`,
      `10.${i % 4}.7.${i + 10}`,
      i % 2 === 0 ? 'windows' : 'linux',
      i % 2 === 0 ? '10.0.20348' : '6.8.0-49',
      i % 3 === 0 ? 'server' : 'client',
    ]),
  },
  users: {
    columns: ['first', 'last', 'number'],
    rows: count(40, (i) => [FIRST[i % FIRST.length], LAST[i % LAST.length], i * 7]),
  },
  places: { columns: ['country', 'city', 'lat', 'lon'], rows: CITIES },
  browsers: { columns: ['name', 'text', 'weight'], rows: BROWSERS },
  teams: { columns: ['name'], rows: [['R&D'], ['Sales'], ['Finance'], ['Support <EMEA>']] },
};

export const PARAMS = {
  domain: 'corp.example.com',
  domain_sid: '3457937927-2839227994-823803824',
  provider: 'Spate-Auditing',
  site: 'fra-1',
};

export const ZONE = 'Europe/Berlin';
/** Four events in each second, with microseconds in most of them. */
export const TIMESTAMPS = {
  first_micros: 1_764_000_000_000_000,
  step_micros: 250_000,
  jitter_micros: 7_919,
  count: 4_096,
};
