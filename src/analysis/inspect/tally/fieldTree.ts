import type { JsonSink } from '../../../domain/jsonWalk.js';
import { type InspectLimits, TOP_VALUES } from '../limits.js';
import { FIELD_TYPES, type FieldReport, type FieldType, type TopValue } from '../report.js';
import { hashOf } from './distinct.js';
import { rangeTally } from './sizes.js';
import { type CharBudget, type CountedValue, valueCounts } from './valueCounts.js';

interface Node {
  readonly path: string;
  readonly members: Map<string, Node>;
  item: Node | null;
  tally: FieldTally | null;
}

/** A container that is open; `node` is `null` if it is beyond a limit. */
interface Open {
  readonly node: Node | null;
  readonly isArray: boolean;
  size: number;
}

/** Takes the values of one event after the other, as a reader finds them. */
export interface FieldTree extends JsonSink {
  /** Starts event `number`, counted from 0. */
  readonly begin: (number: number) => void;
  /** A value of a flat event. */
  readonly pair: (name: string, type: FieldType, text: string) => void;
  readonly fields: (events: number) => readonly FieldReport[];
  /** Values without a field, by limit, and whether other limits were hit. */
  readonly hits: () => {
    readonly fields: number;
    readonly depth: number;
    readonly values: number;
    readonly value_chars: number;
  };
}

const newNode = (path: string): Node => ({ path, members: new Map(), item: null, tally: null });

/** A segment of a JSON pointer. */
const segment = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

export const fieldTree = (limits: InspectLimits): FieldTree => {
  const budget: CharBudget = { left: limits.max_value_chars };
  const root = newNode('');
  const pairs = newNode('');
  const stack: Open[] = [];
  let nodes = 0;
  let event = 0;
  let pending = '';
  let tooMany = 0;
  let tooDeep = 0;

  const make = (path: () => string): Node | null => {
    if (nodes >= limits.max_fields) {
      tooMany++;
      return null;
    }
    nodes++;
    return newNode(path());
  };

  /** Cut, as a text of its own: see `keyOf`. */
  const shortName = (name: string): string =>
    name.length <= limits.max_shown_chars ? `${name}` : `${name.slice(0, limits.max_shown_chars)}…`;

  const memberOf = (node: Node, name: string, pathOf: (short: string) => string): Node | null => {
    const short = shortName(name);
    const known = node.members.get(short);
    if (known !== undefined) return known;
    const made = make(() => pathOf(short));
    if (made !== null) node.members.set(JSON.parse(JSON.stringify(short)) as string, made);
    return made;
  };

  const itemOf = (node: Node): Node | null => {
    node.item ??= make(() => `${node.path}[*]`);
    return node.item;
  };

  /** Returns the node of the next value, or null beyond a limit. */
  const nodeOfValue = (): Node | null => {
    const parent = stack.at(-1);
    if (parent === undefined) return root;
    parent.size++;
    if (parent.node === null) return null;
    if (stack.length > limits.max_depth) {
      tooDeep++;
      return null;
    }
    const { node, isArray } = parent;
    return isArray ? itemOf(node) : memberOf(node, pending, (name) => node.path + segment(name));
  };

  const tallyOf = (node: Node): FieldTally => {
    node.tally ??= fieldTally(limits, budget);
    return node.tally;
  };

  const all: { readonly node: Node; readonly tally: FieldTally }[] = [];
  const collect = (node: Node): void => {
    if (node.tally !== null) all.push({ node, tally: node.tally });
    if (node.item !== null) collect(node.item);
    for (const member of node.members.values()) collect(member);
  };
  const tallies = () => {
    all.length = 0;
    collect(root);
    collect(pairs);
    return all;
  };

  return {
    begin: (number) => {
      event = number;
      stack.length = 0;
    },
    name: (name) => {
      pending = name;
    },
    open: (isArray) => void stack.push({ node: nodeOfValue(), isArray, size: 0 }),
    close: () => {
      const { node, isArray, size } = stack.pop() as Open;
      if (node === null) return;
      if (isArray) tallyOf(node).addContainer('array', size, event);
      else if (size === 0) tallyOf(node).addContainer('object', 0, event);
    },
    scalar: (type, text) => {
      const node = nodeOfValue();
      if (node !== null) tallyOf(node).addScalar(type, text, event);
    },
    pair: (name, type, text) => {
      const node = memberOf(pairs, name, (short) => short);
      if (node !== null) tallyOf(node).addScalar(type, text, event);
    },
    fields: (events) => tallies().map(({ node, tally }) => tally.report(node.path, events)),
    hits: () => ({
      fields: tooMany,
      depth: tooDeep,
      values: tallies().filter(({ tally }) => tally.isPartlyCounted()).length,
      value_chars: tallies().filter(({ tally }) => tally.hasCutValues()).length,
    }),
  };
};

/** First character of a key: type of the value. A capital letter marks a cut value. */
const MARKS = 'zbinsao';
const HASH_CHARS = 16;

const hex8 = (value: number): string => value.toString(16).padStart(8, '0');

const topValue = ({ key, count, is_exact }: CountedValue, values: number): TopValue => {
  const mark = key.slice(0, 1);
  const isCut = mark !== mark.toLowerCase();
  return {
    value: key.slice(1, isCut ? -HASH_CHARS : undefined),
    type: FIELD_TYPES[MARKS.indexOf(mark.toLowerCase())] as FieldType,
    count,
    share: count / values,
    is_exact,
    is_cut: isCut,
  };
};

interface FieldTally {
  /** `text`: the value as in the event, a string decoded. `event`: its number. */
  readonly addScalar: (type: FieldType, text: string, event: number) => void;
  /** An array or an object that counts as a value. */
  readonly addContainer: (type: 'array' | 'object', items: number, event: number) => void;
  readonly isPartlyCounted: () => boolean;
  readonly hasCutValues: () => boolean;
  readonly report: (path: string, events: number) => FieldReport;
}

const fieldTally = (
  { max_values, max_shown_chars }: { readonly max_values: number; readonly max_shown_chars: number },
  budget: CharBudget,
): FieldTally => {
  const counts = valueCounts(max_values, budget);
  const types = new Map<FieldType, number>();
  const numbers = rangeTally();
  const lengths = rangeTally();
  const items = rangeTally();
  let values = 0;
  let events = 0;
  let lastEvent = -1;
  let outOfRange = 0;
  let hasCut = false;

  const see = (type: FieldType, event: number): void => {
    values++;
    if (event !== lastEvent) {
      events++;
      lastEvent = event;
    }
    types.set(type, (types.get(type) ?? 0) + 1);
  };

  /** The sum makes a text of its own: a slice would keep the whole event in memory. */
  const keyOf = (type: FieldType, text: string): string => {
    const mark = MARKS[FIELD_TYPES.indexOf(type)] as string;
    if (text.length <= max_shown_chars) return mark + text;
    hasCut = true;
    const { high, low } = hashOf(text);
    return mark.toUpperCase() + text.slice(0, max_shown_chars) + hex8(high) + hex8(low);
  };

  const addNumber = (text: string): void => {
    const value = Number(text);
    if (Number.isFinite(value)) numbers.add(value);
    else outOfRange++;
  };

  return {
    addScalar: (type, text, event) => {
      see(type, event);
      if (type === 'string') lengths.add(text.length);
      else if (type === 'integer' || type === 'number') addNumber(text);
      counts.add(keyOf(type, text));
    },
    addContainer: (type, size, event) => {
      see(type, event);
      if (type === 'array') items.add(size);
    },
    isPartlyCounted: () => !counts.distinct().is_exact,
    hasCutValues: () => hasCut,
    report: (path, all) => ({
      path,
      events,
      share: all === 0 ? 0 : events / all,
      values,
      types: Object.fromEntries(
        FIELD_TYPES.flatMap((type) => {
          const count = types.get(type);
          return count === undefined ? [] : [[type, count]];
        }),
      ),
      distinct: counts.distinct(),
      top: counts.top(TOP_VALUES).map((counted) => topValue(counted, values)),
      entropy_bits: counts.entropyBits(),
      numbers: numbers.range(),
      out_of_range: outOfRange,
      length: lengths.range(),
      items: items.range(),
    }),
  };
};
