import * as E from 'fp-ts/lib/Either.js';
import { type Result, reasonOf } from '../../domain/errors.js';
import { isJsonObject, type JsonObject } from '../../domain/json.js';
import type { Clock } from '../../ports/clock.js';
import { Broken, type SetUp, type TestSubject } from '../conformance/rule.js';
import { rulesOf } from '../conformance/rules.js';
import type { PluginKind, PluginSpec } from '../kit.js';
import { PLUGIN_SPECS, specsWith } from '../specs.js';
import { clashOf } from './faults.js';
import { guardedPlugin } from './guard.js';
import { importPlugins, locatePlugin, unloadable } from './load.js';
import type { ThirdPartyPlugin } from './publicKit.js';

/** How long a rule may take. */
const RULE_LIMIT_MS = 30_000;

export interface CheckedRule {
  readonly title: string;
  readonly outcome: 'kept' | 'broken' | 'skipped';
  /** Why it is broken or was skipped; empty: it is kept. */
  readonly reason: string;
}

export interface CheckedPlugin {
  readonly kind: PluginKind;
  readonly name: string;
  readonly rules: readonly CheckedRule[];
}

interface CheckOptions {
  readonly entry: string;
  /** What `entry` is relative to. */
  readonly folder: string;
  /** Parameters to try. Null to try the examples. */
  readonly tries: readonly JsonObject[] | null;
  readonly clock: Clock;
}

/** The export `conformance` of a file: a set-up, or one for each name. */
const setUpOf = (exported: unknown, name: string): SetUp => {
  if (!isJsonObject(exported)) return {};
  const own: unknown = exported[name];
  return isJsonObject(own) ? own : exported;
};

const timed = async (clock: Clock, work: Promise<string | null>): Promise<string | null> => {
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(RULE_LIMIT_MS, () => reject(new Broken(`no end within ${RULE_LIMIT_MS / 1_000} s`)));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
};

const checkPlugin = async (
  plugin: ThirdPartyPlugin,
  spec: PluginSpec,
  setUp: SetUp,
  { entry, tries, clock }: CheckOptions,
): Promise<CheckedPlugin> => {
  const { kind, name } = plugin.spec;
  const rules: CheckedRule[] = [];
  for (const { title, check } of rulesOf(kind)) {
    const faults: string[] = [];
    const subject: TestSubject = {
      kind,
      name,
      spec,
      // Checked as Spate runs it: what the guard makes good is still a fault.
      load: async () => guardedPlugin(plugin, entry, (what) => faults.push(what)),
      setUp,
      tries: tries ?? spec.examples.map(({ params }) => params),
      clock,
    };
    let [outcome, reason]: [CheckedRule['outcome'], string] = ['kept', ''];
    try {
      const skipped = await timed(clock, check(subject));
      if (skipped !== null) [outcome, reason] = ['skipped', skipped];
    } catch (thrown) {
      [outcome, reason] = [
        'broken',
        thrown instanceof Broken ? thrown.message : `it threw: ${reasonOf(thrown)}`,
      ];
    }
    const [fault] = faults;
    rules.push(
      fault === undefined ? { title, outcome, reason } : { title, outcome: 'broken', reason: fault },
    );
  }
  return { kind, name, rules };
};

/** Runs the conformance rules on the plugins of a file or package. Returns an error when it cannot be loaded. */
export const checkPlugins = async (options: CheckOptions): Promise<Result<readonly CheckedPlugin[]>> => {
  const { entry, folder, clock } = options;
  const found = locatePlugin(entry, folder);
  if (E.isLeft(found)) return found;
  const file = await importPlugins(found.right, clock);
  if (E.isLeft(file)) return file;
  const { plugins, exports } = file.right;
  for (const [index, plugin] of plugins.entries()) {
    const others = plugins.slice(0, index).map((one) => ({ plugin: one, source: { shown: entry } }));
    const clash = clashOf(plugin, PLUGIN_SPECS, others);
    if (clash !== null) return unloadable(entry, clash);
  }
  const table = specsWith(plugins.map(({ spec }) => spec));
  const checked: CheckedPlugin[] = [];
  for (const plugin of plugins) {
    const { kind, name } = plugin.spec;
    const spec = table[kind][name] as PluginSpec;
    checked.push(await checkPlugin(plugin, spec, setUpOf(exports['conformance'], name), options));
  }
  return E.right(checked);
};
