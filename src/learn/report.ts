import type { Comparison } from './compare/compare.js';
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
  readonly comparison: Comparison;
}

export const reportOf = (generator: string, model: Model, comparison: Comparison): LearnReport => {
  const { shapes, ...found } = model;
  const templates = shapes.map(({ name, count, format, names }) => ({ name, count, format, fields: names }));
  return { generator, ...found, templates, comparison };
};
