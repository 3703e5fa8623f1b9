import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { systemClock } from '../../src/adapters/systemClock.js';
import type { SetUp, TestSubject } from '../../src/plugins/conformance/rule.js';
import { CONFORMANCE_RULES, DECLARATION_RULES } from '../../src/plugins/conformance/rules.js';
import type { PluginKind, PluginSpec } from '../../src/plugins/kit.js';
import { registry } from '../../src/plugins/registry.js';
import { PLUGIN_SPECS } from '../../src/plugins/specs.js';
import type { RealServer } from '../plugins/outputs/realServers.js';

export type { Prepare, StartDestination, TestDestination } from '../../src/plugins/conformance/rule.js';
export { decoded, NOW } from '../../src/plugins/conformance/rule.js';
export { right } from '../support/either.js';

/** `test/plugins/<kind>s/<name>/conformance.ts` of a plugin, if there is one. */
const setUpOf = async (kind: PluginKind, name: string): Promise<SetUp> => {
  const path = `../plugins/${kind}s/${name}/conformance`;
  const exists = existsSync(join(import.meta.dirname, `${path}.ts`));
  return exists ? ((await import(`${path}.js`)) as SetUp) : {};
};

interface ConformanceOptions {
  readonly testedElsewhere?: ReadonlySet<string>;
  /** Programs that the set-ups of some plugins start, by plugin. */
  readonly servers?: Readonly<Record<string, RealServer>>;
}

/** Tests every plugin of a kind by the rules of `src/plugins/conformance`; all have something to check. */
export const conformanceTests = <K extends PluginKind>(kind: K, options: ConformanceOptions = {}): void => {
  const rows: readonly (readonly [name: string, spec: PluginSpec])[] = Object.entries(PLUGIN_SPECS[kind]);
  describe.each(rows)(`${kind} %s`, (name, spec) => {
    const subject = async (): Promise<TestSubject<K>> => ({
      kind,
      name,
      spec,
      load: () => registry[kind](name) as ReturnType<TestSubject<K>['load']>,
      setUp: await setUpOf(kind, name),
      tries: spec.examples.map(({ params }) => params),
      clock: systemClock,
    });
    test.each(DECLARATION_RULES)('$title', async ({ check }) => {
      expect(await check(await subject())).toBeNull();
    });
    if (options.testedElsewhere?.has(name) === true) return;
    const { isThere = true, needs = '' } = options.servers?.[name] ?? {};
    const here = isThere ? test : test.skip;
    here.each(CONFORMANCE_RULES[kind])(`$title ${needs}`.trimEnd(), async ({ check }) => {
      expect(await check(await subject())).toBeNull();
    });
  });
};
