import type { Language } from '../compile/unit.js';
import type { Findings } from './finding.js';
import { nearName, wordFrom } from './hints.js';
import type { LoadedTemplate } from './load.js';

const INSTEAD: Readonly<Record<string, string>> = {
  'filter fromjson': 'Use module.json.loads(text).',
  'filter from_json': 'Use module.json.loads(text).',
  'filter to_json': 'Use the filter json.',
};

/** Unknown filters and tests, also in branches that never run. */
export const checkFilters = (
  template: LoadedTemplate,
  { filters, tests }: Language,
  findings: Findings,
): void => {
  const { subject, uses } = template;
  for (const { kind, name, near } of uses.named) {
    const table = kind === 'filter' ? filters : tests;
    const key = `${kind} ${name}`;
    if (table.has(name) || uses.askedFor.has(key)) continue;
    const instead = Object.hasOwn(INSTEAD, key) ? INSTEAD[key] : undefined;
    findings.add(subject, wordFrom(subject.source, name, near), () => ({
      severity: 'error',
      code: kind === 'filter' ? 'unknown_filter' : 'unknown_test',
      message: `unknown ${kind} '${name}'`,
      hint: instead ?? nearName(name, [...table.keys()]),
    }));
  }
};
