import { replaySpec } from './events/replay/spec.js';
import { scriptSpec } from './events/script/spec.js';
import { templateSpec } from './events/template/spec.js';
import { FORMATTER_SPECS } from './formatters/specs.js';
import { cronSpec } from './inputs/cron/spec.js';
import { linspaceSpec } from './inputs/linspace/spec.js';
import { staticSpec } from './inputs/static/spec.js';
import { timerSpec } from './inputs/timer/spec.js';
import { timestampsSpec } from './inputs/timestamps/spec.js';
import type { PluginKind, PluginSpec } from './kit.js';
import { clickhouseSpec } from './outputs/clickhouse/spec.js';
import { fileSpec } from './outputs/file/spec.js';
import { stdoutSpec } from './outputs/stdout/spec.js';

/** Every plugin by kind and name: pure declarations, safe in a browser. Order is that of lists and docs. */
export const PLUGIN_SPECS = {
  input: {
    cron: cronSpec,
    timer: timerSpec,
    static: staticSpec,
    linspace: linspaceSpec,
    timestamps: timestampsSpec,
  },
  event: { template: templateSpec, replay: replaySpec, script: scriptSpec },
  output: { stdout: stdoutSpec, file: fileSpec, clickhouse: clickhouseSpec },
  formatter: FORMATTER_SPECS,
} satisfies Readonly<Record<PluginKind, Readonly<Record<string, PluginSpec>>>>;

/** Type of the table, for code that needs the exact names. */
export type PluginSpecs = typeof PLUGIN_SPECS;

/** All declarations in a row, for lists and docs. */
export const allSpecs = (): readonly PluginSpec[] =>
  Object.values(PLUGIN_SPECS).flatMap((specs): readonly PluginSpec[] => Object.values(specs));
