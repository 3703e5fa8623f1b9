/**
 * The objects of the host for the engine: samples, state and random functions as small as they can be, each
 * the counterpart of one in peer.py. Everything random comes from `next` and `bits32`.
 */
import { PARAMS, SAMPLES, TIMESTAMPS, ZONE } from './data.mjs';

/** The two digits of each byte. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** The first half and the second half of 32 bits, as digits. */
const high = (bits) => HEX[bits >>> 24] + HEX[(bits >>> 16) & 255];
const low = (bits) => HEX[(bits >>> 8) & 255] + HEX[bits & 255];

/** `template` is the module of the engine, `source` gives `next()` in [0, 1) and `bits32()`. */
export const hostNames = (template, source) => {
  const { dateTimeAt, fromJson, HostModule, keepsNothing, native, PyTuple, TemplateObject, zoneValue } =
    template;
  const { floatOf, makeModules } = template;
  const { next, bits32 } = source;
  const integer = (a, b) => a + Math.floor(next() * (b - a + 1));

  class Row extends PyTuple {
    constructor(places, items) {
      super(items);
      this.places = places;
    }
    get typeName() {
      return 'Row';
    }
    attribute(name) {
      const place = this.places.get(name);
      return place === undefined ? super.attribute(name) : this.items[place];
    }
    item(key) {
      return typeof key === 'string' ? this.attribute(key) : super.item(key);
    }
  }

  class Sample extends TemplateObject {
    constructor(columns, rows) {
      super();
      this.places = new Map(columns.map((name, i) => [name, i]));
      this.rows = rows.map((row) => new Row(this.places, row.map(asValue)));
      this.sums = new Map();
      this.members = new Map([
        ['pick', native('pick()', () => this.rows[integer(0, this.rows.length - 1)])],
        ['weighted_pick', native('weighted_pick(column)', (column) => this.pickByWeight(column))],
      ]);
    }
    get typeName() {
      return 'Sample';
    }
    attribute(name) {
      return this.members.get(name);
    }
    item(key) {
      return typeof key === 'number' ? this.rows[key] : undefined;
    }
    iterator() {
      return this.rows[Symbol.iterator]();
    }
    elements() {
      return this.rows;
    }
    size() {
      return this.rows.length;
    }
    pickByWeight(column) {
      let sums = this.sums.get(column);
      if (sums === undefined) {
        const place = this.places.get(column);
        let sum = 0;
        sums = this.rows.map((row) => (sum += row.items[place]));
        this.sums.set(column, sums);
      }
      const drawn = next() * sums.at(-1);
      return this.rows[sums.findIndex((sum) => drawn < sum)];
    }
  }

  const asValue = (json) =>
    typeof json === 'number' && !Number.isInteger(json) ? floatOf(json) : fromJson(json);

  const stored = new Map();
  const shared = new HostModule('shared', {
    get: native('get(key, default=None)', (key, fallback) => {
      const value = stored.get(key);
      return value === undefined ? fallback : value;
    }),
    set: native('set(key, value)', (key, value) => {
      stored.set(key, value);
      return null;
    }),
  });

  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const hex = (length) => {
    let text = '';
    for (; text.length + 8 <= length; ) {
      const bits = bits32();
      text += high(bits) + low(bits);
    }
    if (text.length === length) return text;
    const bits = bits32();
    return text + (high(bits) + low(bits)).slice(0, length - text.length);
  };
  const uuid4 = () => {
    const [a, b, c, d] = [bits32(), bits32(), bits32(), bits32()];
    const marked = (b & 0xffff0fff) | 0x4000;
    const variant = (c & 0x3fffffff) | 0x80000000;
    return `${high(a)}${low(a)}-${high(marked)}-${low(marked)}-${high(variant)}-${low(variant)}${high(d)}${low(d)}`;
  };
  const weighted = (items, weights) => {
    let total = 0;
    for (const weight of weights) total += weight;
    let drawn = next() * total;
    for (let i = 0; i < items.length; i++) {
      drawn -= weights[i];
      if (drawn < 0) return items[i];
    }
    return items.at(-1);
  };
  const free = (signature, run) => keepsNothing(native(signature, run));
  const rand = new HostModule('rand', {
    choice: free('choice(items)', (items) => items[integer(0, items.length - 1)]),
    weighted_choice: free('weighted_choice(items, weights)', weighted),
    chance: free('chance(p)', (p) => next() < p),
    number: new HostModule('number', {
      integer: free('integer(a, b)', integer),
      floating: free('floating(a, b)', (a, b) => floatOf(a + next() * (b - a))),
      lognormal: free('lognormal(mu, sigma)', (mu, sigma) => floatOf(Math.exp(mu + sigma * normal()))),
    }),
    string: new HostModule('string', { hex: free('hex(n)', hex) }),
    crypto: new HostModule('crypto', { uuid4: free('uuid4()', uuid4) }),
    network: new HostModule('network', {
      ip_v4_public: free(
        'ip_v4_public()',
        () => `${integer(11, 99)}.${integer(0, 255)}.${integer(0, 255)}.${integer(1, 254)}`,
      ),
    }),
  });

  const modules = makeModules({ random: () => source, now: () => 0, digest: () => new Uint8Array() });
  const datetime = modules.get('datetime');

  const zone = zoneValue(ZONE);
  const { count, first_micros, jitter_micros, step_micros } = TIMESTAMPS;
  const timestamps = Array.from({ length: count }, (_, i) =>
    dateTimeAt(first_micros + i * step_micros + (i % 4) * jitter_micros, zone),
  );
  const samples = new HostModule(
    'samples',
    Object.fromEntries(
      Object.entries(SAMPLES).map(([name, { columns, rows }]) => [name, new Sample(columns, rows)]),
    ),
  );
  const variables = new Map();
  let turn = 0;
  return {
    names: {
      variables,
      globals: new Map([
        ['module', new HostModule('module', { rand, datetime })],
        [
          'rand',
          new HostModule('rand', {
            choice: rand.attribute('choice'),
            integer: rand.attribute('number').attribute('integer'),
          }),
        ],
        ['samples', samples],
        ['shared', shared],
        ['params', fromJson(PARAMS)],
      ]),
    },
    /** Before each render: its timestamp. */
    advance: () => variables.set('timestamp', timestamps[turn++ % count]),
  };
};
