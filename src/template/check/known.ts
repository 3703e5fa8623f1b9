import { isJsonObject, type JsonObject } from '../../domain/json.js';
import { Fault, raise } from '../errors.js';
import { dateTimeAt } from '../modules/datetime/dateTime.js';
import { UTC_ZONE } from '../modules/datetime/zones.js';
import { makeModules } from '../modules/modules.js';
import { getAttribute } from '../values/operations/access.js';
import { PyDict } from '../values/types/dict.js';
import { Undefined } from '../values/types/undefined.js';
import { TemplateObject, type Value } from '../values/value.js';

export interface KnownObject {
  readonly kind: 'host' | 'params' | 'vars' | 'samples' | 'template';
  /** As templates write it, e.g. `module.rand`. */
  readonly label: string;
  readonly has: (name: string) => boolean;
  /** Candidates for hints; empty if they cannot be listed. */
  readonly names: readonly string[];
  readonly inner: (name: string) => KnownObject | null;
}

/** Names of an object and their members. Members are null when they are unknown. */
export interface NameTree {
  readonly [name: string]: NameTree | null;
}

const treeObject = (label: string, tree: NameTree, kind: KnownObject['kind'] = 'host'): KnownObject => ({
  kind,
  label,
  names: Object.keys(tree),
  has: (name) => Object.hasOwn(tree, name),
  inner: (name) => {
    const below = Object.hasOwn(tree, name) ? tree[name] : null;
    return below === null || below === undefined ? null : treeObject(`${label}.${name}`, below, kind);
  },
});

/** Returns the attribute, undefined when it is missing, or null when it is unknown. */
const attributeIn = (value: Value, name: string): Value | undefined => {
  try {
    const found = getAttribute(value, name);
    return found instanceof Undefined ? undefined : found;
  } catch (thrown) {
    if (thrown instanceof Fault) return null;
    throw thrown;
  }
};

/** An engine value, which lists its own attributes. */
const valueObject = (label: string, value: Value, names: readonly string[] = []): KnownObject => ({
  kind: 'host',
  label,
  names,
  has: (name) => attributeIn(value, name) !== undefined,
  inner: (name) => {
    const found = attributeIn(value, name);
    return found instanceof TemplateObject ? valueObject(`${label}.${name}`, found) : null;
  },
});

/** Objects of the config; several if aliases share a template. A name known in one is known. */
const configObject = (
  kind: 'params' | 'vars',
  label: string,
  objects: readonly JsonObject[],
): KnownObject => ({
  kind,
  label,
  names: [...new Set(objects.flatMap((one) => Object.keys(one)))],
  has: (name) => objects.some((one) => Object.hasOwn(one, name)) || DICT.has(name),
  inner: (name) => {
    const below = objects.flatMap((one) => {
      const value = Object.hasOwn(one, name) ? one[name] : undefined;
      return value === undefined ? [] : [value];
    });
    const inside = below.filter((one): one is JsonObject => isJsonObject(one));
    return inside.length === 0 || inside.length < below.length
      ? null
      : configObject(kind, `${label}.${name}`, inside);
  },
});

const DICT = valueObject('dict', new PyDict());

const strings = 'letters_lowercase letters_uppercase letters digits punctuation hex pattern';
const numbers = 'integer floating gauss lognormal exponential pareto triangular clamp';
const networks =
  'ip_v4 ip_v4_private ip_v4_private_a ip_v4_private_b ip_v4_private_c ip_v4_public ip_v4_in_subnet ip_v6 ip_v6_global ip_v6_link_local ip_v6_ula mac';

const leaves = (names: string): NameTree => Object.fromEntries(names.split(' ').map((name) => [name, null]));

export const RAND_NAMES: NameTree = {
  ...leaves('choice choices weighted_choice weighted_choices shuffle chance'),
  number: leaves(numbers),
  string: leaves(strings),
  network: leaves(networks),
  crypto: leaves('uuid4 md5 sha1 sha256'),
  datetime: leaves('timestamp'),
};

/** Members of `timestamp` offered as hints. */
const TIMESTAMP_NAMES = [
  'year month day hour minute second microsecond tzinfo isoformat strftime timestamp date time replace',
  'astimezone utctimetuple timetuple weekday isoweekday isocalendar utcoffset tzname toordinal ctime',
].flatMap((names) => names.split(' '));

const neverRuns = (): never => raise('RuntimeError', 'nothing is rendered while templates are checked');

/** The `module` object. `hosted` names the modules beyond the engine's own; null stands for unknown members. */
const moduleObject = (hosted: NameTree): KnownObject => {
  const own = makeModules({ random: neverRuns, now: () => 0, digest: neverRuns });
  const label = 'module';
  return {
    kind: 'host',
    label,
    names: [...Object.keys(hosted), ...own.keys()],
    has: (name) => own.has(name) || Object.hasOwn(hosted, name),
    inner: (name) => {
      const value = own.get(name);
      return value === undefined
        ? treeObject(label, hosted).inner(name)
        : valueObject(`${label}.${name}`, value);
    },
  };
};

export const HOSTED_MODULES: NameTree = { rand: RAND_NAMES, faker: null, mimesis: null };

export const hostObjects = (hosted: NameTree): ReadonlyMap<string, KnownObject> =>
  new Map([
    ['module', moduleObject(hosted)],
    ['dispatch', treeObject('dispatch', leaves('drop next exhaust'))],
    ['partition', treeObject('partition', leaves('index count'))],
    ['subprocess', treeObject('subprocess', leaves('run'))],
    ['timestamp', valueObject('timestamp', dateTimeAt(0, UTC_ZONE), TIMESTAMP_NAMES)],
  ]);

export const paramsObject = (params: JsonObject): KnownObject => configObject('params', 'params', [params]);

export const varsObject = (vars: readonly JsonObject[]): KnownObject => configObject('vars', 'vars', vars);

const namesOnly = (names: Iterable<string>): NameTree =>
  Object.fromEntries([...names].map((name) => [name, null]));

export const knownSamples = (names: Iterable<string>): KnownObject =>
  treeObject('samples', namesOnly(names), 'samples');

export const templateObject = (name: string, exported: Iterable<string>): KnownObject =>
  treeObject(name, namesOnly(exported), 'template');
