import type { Comparison } from './compare/compare.js';
import { undatedText } from './emit/words.js';
import type { FormatName } from './formats/detect.js';
import type { Model } from './model.js';

export interface TemplateReport {
  readonly name: string;
  readonly count: number;
  readonly format: FormatName;
  readonly fields: readonly string[];
}

/** What was learned, and how close it is; without values of the log. */
export interface LearnReport extends Omit<Model, 'shapes'> {
  readonly generator: string;
  readonly templates: readonly TemplateReport[];
  /** Tables of values that are drawn together. */
  readonly relations: number;
  /** What is wrong with the generator, as sentences. */
  readonly warnings: readonly string[];
  readonly comparison: Comparison;
}

/** Records of a template, beside events that were generated from it. */
export interface LearnedExample {
  readonly template: string;
  /** Records of the log in this template. */
  readonly count: number;
  /** As they were, with private values. */
  readonly records: readonly string[];
  readonly events: readonly string[];
}

/** A generator that was learned, but not stored. */
export interface LearnedLog extends LearnReport {
  /** Key of the pseudonyms. */
  readonly seed: string;
  /** Whether only the first records were read. */
  readonly is_cut: boolean;
  readonly examples: readonly LearnedExample[];
  /** Text of the config file. */
  readonly config: string;
  /** Texts of the other files by relative path. */
  readonly files: Readonly<Record<string, string>>;
}

export const relationsOf = ({ shapes }: Model): number =>
  shapes.flatMap(({ tables }) => tables.filter(({ columns }) => columns.length > 1)).length;

export const reportOf = (generator: string, model: Model, comparison: Comparison): LearnReport => {
  const { shapes, ...found } = model;
  const templates = shapes.map(({ name, count, format, names }) => ({ name, count, format, fields: names }));
  const undated = undatedText(model);
  const warnings = undated === null ? [] : [undated];
  return { generator, ...found, templates, relations: relationsOf(model), warnings, comparison };
};
