import type { PluginKind } from '../kit.js';
import { DECLARATION_RULES } from './declarations.js';
import { EVENT_RULES } from './events.js';
import { FORMATTER_RULES } from './formatters.js';
import { INPUT_RULES } from './inputs.js';
import { OUTPUT_RULES } from './outputs.js';
import type { Rule } from './rule.js';
import type { Subject } from './subject.js';

/** Rules of behavior by kind. */
export const RULES: { readonly [K in PluginKind]: readonly Rule<Subject<K>>[] } = {
  input: INPUT_RULES,
  event: EVENT_RULES,
  output: OUTPUT_RULES,
  formatter: FORMATTER_RULES,
};

/** All rules of a kind: its declaration first. */
export const rulesOf = <K extends PluginKind>(kind: K): readonly Rule<Subject<K>>[] => [
  ...(DECLARATION_RULES as readonly Rule<Subject<K>>[]),
  ...RULES[kind],
];
