import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languageReference, moduleParams } from '../../../../.ci/language.mjs';
import { makeModules } from '../../../../src/template/index.js';
import type { Dialect } from '../../../../src/ui/pages/workbench/language/cursor.js';
import { declaredIn, sampleColumns } from '../../../../src/ui/pages/workbench/language/declared.js';
import { localNames } from '../../../../src/ui/pages/workbench/language/locals.js';
import type { FileNames } from '../../../../src/ui/pages/workbench/language/names.js';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** The reference that the build gives the editor. */
export const REFERENCE = languageReference(
  (path) => readFileSync(join(ROOT, path), 'utf8'),
  moduleParams(makeModules),
);

export const CONFIG = `input:
  - world: {kinds: [logon]}
event:
  template:
    mode: all
    templates:
      - login: {template: login.jinja, vars: {level: warn}}
      - logoff: {template: parts/logoff.jinja, kinds: [logoff]}
    params:
      host: web-1
      limits: {bytes: 100}
    samples:
      users: {type: csv, source: data/users.csv, header: true}
      "roles": {type: items, source: [{name: admin, weight: 1}]}
output:
  - stdout: {}
`;

const FILES: Readonly<Record<string, string>> = {
  'data/users.csv': '"name",weight,"a ""b"""\nann,5,x\n',
  'macros.jinja': '{% macro greet(name, mark="!") %}hello {{ name }}{% endmacro %}\n',
};

/** The position of `|` in a text, and the text without it. */
export const cut = (marked: string): { readonly text: string; readonly at: number } => {
  const at = marked.indexOf('¦');
  return { text: marked.replace('¦', ''), at };
};

/** What is known in a file with this text, beside the config above. */
export const namesIn = (
  text: string,
  file = 'login.jinja',
  dialect: Dialect = 'jinja',
  config = CONFIG,
): FileNames => ({
  dialect,
  reference: REFERENCE,
  file,
  configPath: 'generator.yml',
  paths: ['generator.yml', 'login.jinja', 'parts/logoff.jinja', ...Object.keys(FILES)],
  declared: declaredIn(config, 'generator.yml'),
  locals: dialect === 'jinja' ? localNames(text) : [],
  sampleColumns: (sample) => sampleColumns(sample, FILES[sample.file ?? ''] ?? null),
  exportsOf: (path) => localNames(FILES[path] ?? ''),
});

export const textOf = (path: string): string | null => FILES[path] ?? null;
