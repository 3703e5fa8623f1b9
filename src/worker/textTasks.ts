import * as E from 'fp-ts/lib/Either.js';
import { readBackConfig } from '../config/generator/config.js';
import { newConfigText, replaceConfigText, updateConfigText } from '../config/generator/configText.js';
import { readGeneratorTexts } from '../config/generator/texts.js';
import { readPack } from '../config/library/pack.js';
import {
  loadSettings,
  type Settings,
  settingsReadBack,
  updateSettingsText,
} from '../config/settings/settings.js';
import { loadStartup } from '../config/startup/startup.js';
import { changeStartup, openStartup } from '../config/startup/text.js';
import { type Expanded, readDocument } from '../config/yaml/document.js';
import { locateIssues } from '../config/yaml/source.js';
import type { Issue, Result } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import { installed } from '../plugins/installed.js';
import { globalsUsage } from '../template/globalsUsage.js';

/** Settings as decoded, and as the API shows them. */
export interface SettingsRead {
  readonly settings: Settings;
  readonly inForce: Json;
}

const readSettings = (text: string, file: string): Result<SettingsRead> =>
  E.flatMap((settings: Settings) =>
    E.map((inForce: Json): SettingsRead => ({ settings, inForce }))(settingsReadBack(text, file)),
  )(loadSettings(text, file));

/** With the plugins that this thread knows. */
const generatorShape = () => installed().shapes.generator;

/** Pure work on plain data, so a thread can do it: reading YAML takes a second per megabyte, ten for a hostile one. */
export const TEXT_TASKS = {
  'config.read': (text: string, file: string) => readBackConfig(text, file, generatorShape()),
  'config.create': (config: Json): Result<string> => E.right(newConfigText(config)),
  'config.update': (text: string, config: Json) => updateConfigText(text, config, generatorShape()),
  'config.replace': (text: string, config: Json) => replaceConfigText(text, config, generatorShape()),
  /** Value of a config with its dotted keys written out. */
  'config.value': (text: string, file: string) =>
    E.map(({ value }: Expanded): Json => value)(readDocument(text, file, generatorShape())),
  /** Problems of that value with their lines and columns. */
  'config.locate': (text: string, file: string, issues: readonly Issue[]) =>
    E.map(({ source }: Expanded): readonly Issue[] => locateIssues(source, issues))(
      readDocument(text, file, generatorShape()),
    ),
  /** The files of a whole generator. */
  'generator.texts': (json: string, config_file: string) =>
    readGeneratorTexts(json, config_file, generatorShape()),
  'library.read': readPack,
  'settings.read': readSettings,
  'settings.update': updateSettingsText,
  'startup.load': loadStartup,
  'startup.open': openStartup,
  'startup.change': changeStartup,
  'template.usage': (text: string): Result<ReturnType<typeof globalsUsage>> => E.right(globalsUsage(text)),
} as const;

export type TextTasks = typeof TEXT_TASKS;
export type TextTask = keyof TextTasks;
