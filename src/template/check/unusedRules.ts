import type { ConfigPath, Findings } from './finding.js';
import { wordFrom } from './hints.js';
import type { LoadedTemplate } from './load.js';
import type { SampleUse } from './memberRules.js';

/** True if other templates see its imports. */
const exposesImports = ({ links }: LoadedTemplate): boolean =>
  links.some(({ link: { node } }) => node.kind === 'extends' || node.withContext);

/** Unused imports. Skips templates that others load: they may import for them. */
export const checkImports = (
  template: LoadedTemplate,
  loadedByOthers: ReadonlySet<LoadedTemplate>,
  findings: Findings,
): void => {
  if (loadedByOthers.has(template) || exposesImports(template)) return;
  const { names, subject } = template;
  for (const { name, at, from } of names.stores) {
    if (from === null || names.reads.has(name)) continue;
    const behind = wordFrom(subject.source, from.kind === 'import' ? 'as' : 'import', from.template.at);
    findings.add(subject, wordFrom(subject.source, name, Math.max(at, behind)), () => ({
      severity: 'note',
      code: 'unused_import',
      message: `'${name}' is imported and never used`,
    }));
  }
};

/** Unused samples. Call only if all templates are known. */
export const checkSamples = (
  samples: readonly string[],
  path: ConfigPath,
  use: SampleUse,
  findings: Findings,
): void => {
  if (use.isAny) return;
  for (const name of samples) {
    if (use.names.has(name)) continue;
    findings.inConfig([...path, name], {
      severity: 'warning',
      code: 'unused_sample',
      message: `no template uses the sample '${name}'`,
      hint: 'Remove it: Spate loads it at every start.',
    });
  }
};
