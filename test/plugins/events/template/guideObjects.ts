import * as E from 'fp-ts/lib/Either.js';
import { globalsView, makeOwnedGlobals } from '../../../../src/domain/globals/owned.js';
import { seededRandom } from '../../../../src/domain/random.js';
import { dispatchModule } from '../../../../src/plugins/events/template/context/dispatch.js';
import { loadModules } from '../../../../src/plugins/events/template/context/modules.js';
import { Sample, sampleOf } from '../../../../src/plugins/events/template/context/samples/sample.js';
import { tableOfItems } from '../../../../src/plugins/events/template/context/samples/table.js';
import { subprocessModule } from '../../../../src/plugins/events/template/context/subprocess.js';
import { dictStore, StateObject, templateGlobals } from '../../../../src/plugins/events/template/state.js';
import {
  fromJson,
  iterate,
  PyDict,
  TemplateObject,
  UTC_ZONE,
  type Value,
} from '../../../../src/template/index.js';
import { START } from './support.js';

const random = seededRandom('guide');

/** Ports of the template modules. */
export const ports = { random, now: () => START, zone: UTC_ZONE };
/** Paths of the locales on the pages. */
export const FAKER = "module.faker.locale['en_US']";
export const MIMESIS = "module.mimesis.locale['en']";
const { object: moduleObject } = await loadModules({ ...ports, sources: [`{{ ${FAKER} }}{{ ${MIMESIS} }}`] });

const sample = (): Sample => {
  const table = tableOfItems([fromJson({ name: 'ann', weight: 5 })]);
  if (E.isLeft(table)) throw new Error(table.left);
  return sampleOf('users', table.right, random);
};

/** Objects that headings name. */
const ROOTS: Readonly<Record<string, Value>> = {
  module: moduleObject,
  dispatch: dispatchModule(),
  subprocess: subprocessModule(null),
  shared: new StateObject('shared', dictStore(new PyDict())),
  globals: templateGlobals(globalsView(makeOwnedGlobals('guide', {}, 0), [])).object,
  samples: new PyDict().set('users', sample()),
};

/** The object at a path such as `module.faker.locale['en_US']`. */
export const objectAt = (path: string): TemplateObject => {
  const [root = '', ...names] = [...path.matchAll(/\w+/g)].map(([name]) => name);
  let value = ROOTS[root];
  for (const name of names)
    value =
      value instanceof TemplateObject ? (value.attribute(name) ?? value.item(name) ?? undefined) : undefined;
  if (value instanceof TemplateObject) return value;
  throw new Error(`${path} does not exist`);
};

/** Member names of an object. */
export const namesOf = (value: TemplateObject): readonly string[] => {
  if (value instanceof StateObject || value instanceof Sample) return value.methodNames;
  if ('memberNames' in value && Array.isArray(value.memberNames)) return value.memberNames.map(String);
  return [...iterate(value)].map((member) =>
    member instanceof TemplateObject ? String(member.attribute('name')) : String(member),
  );
};

const isGroup = (owner: TemplateObject, name: string): boolean =>
  owner.attribute(name) instanceof TemplateObject;

const RAND_GROUPS = namesOf(objectAt('module.rand'))
  .filter((name) => isGroup(objectAt('module.rand'), name))
  .map((name) => `module.rand.${name}`);

/** Objects with a table of functions. */
export const LISTED = [
  'module.rand',
  ...RAND_GROUPS,
  'module.mimesis.random',
  'dispatch',
  'subprocess',
  'shared',
  'globals',
  'samples.users',
];

/** Functions of an object, as its section should list them. */
export const functionsOf = (path: string): readonly string[] => {
  const owner = objectAt(path);
  const inherited = path === 'globals' ? namesOf(objectAt('shared')) : [];
  return namesOf(owner).filter((name) => !inherited.includes(name) && !isGroup(owner, name));
};
