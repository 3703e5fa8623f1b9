import { dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Edit } from '../../../config/yaml/edit.js';
import { parseYaml, type YamlSource } from '../../../config/yaml/source.js';
import { editedText } from '../../../config/yaml/textEdit.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { hasPlaceholder, placeholdersIn } from '../../../domain/placeholder.js';
import { parseCron } from '../../../plugins/inputs/cron/expression.js';
import { installed } from '../../../plugins/installed.js';
import { expandDotted } from '../../../schema/index.js';
import { cronExpressions, IMPORTED_LINE, withSecondsFirst } from '../../files/eventumCron.js';
import { type Difference, differenceAt } from './installation.js';

export interface ImportedConfig {
  readonly text: string;
  readonly differences: readonly Difference[];
  /** Files that the generator writes: they are not part of it. */
  readonly written: readonly string[];
}

type Path = readonly (string | number)[];
type Params = Readonly<Record<string, unknown>>;

/** Collects what is to be said and changed. */
interface Notes {
  readonly say: (path: Path, message: string) => void;
  readonly set: (path: Path, value: Json) => void;
}

const rotateCron = (config: Json, { say, set }: Notes): void => {
  for (const { path, expression } of cronExpressions(config)) {
    const fields = expression.trim().split(/\s+/).length;
    const rotated = withSecondsFirst(expression);
    if (hasPlaceholder(expression))
      say(path, 'begins with seconds here if the parameter gives it six fields');
    else if (rotated !== null && rotated !== expression && E.isRight(parseCron(rotated))) {
      set(path, rotated);
      say(path, `has the seconds first here: "${expression}" became "${rotated}"`);
    } else if (fields === 6 && rotated !== expression && E.isRight(parseCron(expression)))
      say(path, `makes sense with the seconds first only, as here, and stays "${expression}"`);
    else if (fields === 7) say(path, 'has a year, which has no counterpart. Use start and end');
  }
};

/** A date or date-time without an offset. */
const NAIVE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?)?$/;

const IN_ZONE = 'has no offset: it is in the time zone of the generator here, not of the machine';

const aboutInput = (kind: string, params: Params, path: Path, { say }: Notes): void => {
  for (const key of ['start', 'end']) {
    const value = params[key];
    if (typeof value === 'string' && NAIVE.test(value.trim())) say([...path, key], IN_ZONE);
  }
  const { source } = params;
  if (kind === 'timestamps' && Array.isArray(source)) {
    const naive = source.findIndex((one) => typeof one === 'string' && NAIVE.test(one.trim()));
    if (naive !== -1) say([...path, 'source', naive], IN_ZONE);
  }
  if (kind === 'timer' && (params['repeat'] ?? null) !== null)
    say([...path, 'repeat'], 'counts every tick: the first comes one interval after the start');
  if (kind === 'http' && params['host'] === undefined)
    say(
      [...path, 'port'],
      'is open on 127.0.0.1 unless host says otherwise. For other machines add host: 0.0.0.0',
    );
};

const aboutOutput = (kind: string, params: Params, path: Path, { say, set }: Notes): void => {
  const { verify, url, hosts } = params;
  const isHttps = JSON.stringify(url ?? hosts ?? '').includes('https://');
  if ((kind === 'http' || kind === 'opensearch') && isHttps && verify === undefined)
    say(path, 'checks the certificate of the server unless it has verify: false');
  if (kind === 'http' && params['success_code'] === undefined)
    say(path, 'takes every status 2xx for success unless success_code names others');
  if (kind !== 'clickhouse') return;
  if (typeof params['dsn'] === 'string')
    say([...path, 'dsn'], 'also sets host, port, user and database where no other field does');
  const defaults: readonly (readonly [string, Json])[] = [
    ['input_format', 'JSONEachRow'],
    ['formatter', { format: 'json' }],
    ...(typeof params['client_cert'] === 'string' ? [['tls_mode', 'mutual'] as const] : []),
  ];
  for (const [key, value] of defaults) {
    if (params[key] !== undefined) continue;
    set([...path, key], value);
    say(path, `has another default of ${key} here: ${JSON.stringify(value)} is written now`);
  }
};

/** Entries of a section with the kind of the plugin and its parameters. */
const pluginsOf = (config: Json, section: string): readonly (readonly [kind: string, Params, Path])[] => {
  const entries = isJsonObject(config) && Array.isArray(config[section]) ? config[section] : [];
  return (entries as readonly Json[]).flatMap((entry, index) =>
    isJsonObject(entry)
      ? Object.entries(entry).flatMap(([kind, params]) =>
          isJsonObject(params) ? [[kind, params, [section, index, kind]] as const] : [],
        )
      : [],
  );
};

const OTHER_TOKEN = /\$\{(?![ \t]*(?:params|secrets)\.)|\{%|\{#/;

/** Lines with secrets to enter, and with text that Eventum would have replaced. */
const aboutTokens = (text: string, file: string): readonly Difference[] => {
  const named = new Set<string>();
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*#/.test(line)) return [];
    const at = (column: number, message: string): Difference => ({
      file,
      issue: { path: [], type: 'not_allowed', message, line: index + 1, column: column + 1 },
    });
    const other = line.search(OTHER_TOKEN);
    const secrets = placeholdersIn(line).filter(
      ({ source, name }) => source === 'secrets' && !named.has(name),
    );
    for (const { name } of secrets) named.add(name);
    return [
      ...(other === -1
        ? []
        : [at(other, 'only ${params.name} and ${secrets.name} are replaced here; other tokens stay text')]),
      ...secrets.map(({ name }) =>
        at(
          line.indexOf('${'),
          `the secret ${name} is not imported. Enter it with \`spate keyring set ${name} -c spate.yml\``,
        ),
      ),
    ];
  });
};

/** Texts that are paths into the old folder. The parser limits the depth. */
const aboutPaths = (value: Json, folders: readonly string[], path: Path, notes: Notes): void => {
  if (typeof value === 'string') {
    if (folders.some((folder) => value.startsWith(`${folder}/`)))
      notes.say(path, 'leads into the old folder. Make it relative to the folder of the generator');
    return;
  }
  const items = Array.isArray(value) ? value.entries() : isJsonObject(value) ? Object.entries(value) : [];
  for (const [key, item] of items) aboutPaths(item as Json, folders, [...path, key], notes);
};

/** Whether a parsed file is the config of a generator. */
export const isGeneratorConfig = ({ value }: YamlSource): boolean =>
  isJsonObject(value) && ['input', 'event', 'output'].every((key) => Object.hasOwn(value, key));

/**
 * A config as it behaves the same here, as far as that can be, with a first line that tells where it is from. `folders` are
 * the old ones of the generators: as they are, and as the settings name them.
 */
export const importConfig = (
  text: string,
  source: YamlSource,
  path: string,
  folders: readonly string[],
): ImportedConfig => {
  const { file } = source;
  const expanded = expandDotted(source.value, installed().shapes.generator);
  const config = E.isRight(expanded) ? expanded.right : source.value;
  const differences: Difference[] = [];
  const edits: Edit[] = [];
  const notes: Notes = {
    say: (at, message) => void differences.push(differenceAt(source, at, message)),
    set: (at, value) => void edits.push({ op: 'set', path: at, value }),
  };
  rotateCron(config, notes);
  for (const [kind, params, at] of pluginsOf(config, 'input')) aboutInput(kind, params, at, notes);
  const outputs = pluginsOf(config, 'output');
  for (const [kind, params, at] of outputs) aboutOutput(kind, params, at, notes);
  aboutPaths(config, folders, [], notes);
  const edited =
    edits.length === 0
      ? text
      : editedText(
          text,
          () => edits,
          (next) => (E.isRight(parseYaml(next, file)) ? next : null),
        );
  if (edited === null)
    notes.say([], 'could not be changed as the lines about this file say. Do so in the copy');
  const written = outputs.flatMap(([kind, params]) => {
    const to = kind === 'file' ? params['path'] : null;
    return typeof to === 'string' && !hasPlaceholder(to) ? [join(dirname(path), to)] : [];
  });
  return {
    text: `${IMPORTED_LINE}\n${edited ?? text}`,
    differences: [...differences, ...aboutTokens(text, file)],
    written,
  };
};
