import { expect, test } from '@jest/globals';
import { seededRandom } from '../../src/domain/random.js';
import { dispatchModule } from '../../src/plugins/events/template/context/dispatch.js';
import { randModule } from '../../src/plugins/events/template/context/rand/module.js';
import { hostObjects, type NameTree, RAND_NAMES } from '../../src/template/check/known.js';
import { HostModule } from '../../src/template/index.js';

/** Names of what a module of the plugin really has. */
const namesOf = (module: HostModule): NameTree =>
  Object.fromEntries(
    module.memberNames.map((name) => {
      const value = module.attribute(name);
      return [name, value instanceof HostModule ? namesOf(value) : null];
    }),
  );

test('the check knows exactly the members of module.rand', () => {
  expect(RAND_NAMES).toEqual(namesOf(randModule(seededRandom(1))));
});

test('and of dispatch', () => {
  const known = hostObjects({}).get('dispatch');
  expect([...(known?.names ?? [])].sort()).toEqual(Object.keys(namesOf(dispatchModule())).sort());
});

test('every timestamp member in hints exists', () => {
  const known = hostObjects({}).get('timestamp');
  expect(known?.names.length).toBeGreaterThan(20);
  expect(known?.names.filter((name) => !known.has(name))).toEqual([]);
});
