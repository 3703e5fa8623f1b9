import type { Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import { compileDatedText } from '../../shared/text/compile.js';
import { placeholderDefect } from '../../shared/text/field.js';

/** Placeholder of the unique part of a key. */
export const ID = '{id}';

/** Stands for it in the compiled text. */
const MARK = '\0';

const SUFFIX = '.gz';
const DIGITS = 6;

/** What is wrong with a template of keys; `null`: nothing. */
export const keyProblem = (template: string): { readonly message: string; readonly hint?: string } | null => {
  const defect = placeholderDefect(template.replaceAll(ID, ''), ['generator', 'date']);
  if (defect !== null) {
    return { ...defect, hint: 'Placeholders are {id}, {date}, {generator}, and dates such as {yyyy-MM-dd}.' };
  }
  if (!template.includes(ID)) {
    return { message: 'must contain {id}', hint: 'Without it, objects would replace each other.' };
  }
  if (template.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return { message: 'must not start or end with a slash, or have an empty part, `.` or `..` between two' };
  }
  return null;
};

interface KeyOptions {
  readonly template: string;
  readonly generator: string;
  readonly zone: Zone;
  readonly isCompressed: boolean;
  /** Of this output since it was opened: no other has it. */
  readonly run: string;
}

/** Makes a key that no other object has. Numbers count up within a run, so its keys sort by time. */
export const keyMaker = (options: KeyOptions): ((now: Micros) => string) => {
  const { template, generator, zone, isCompressed, run } = options;
  const named = isCompressed && !template.endsWith(SUFFIX) ? `${template}${SUFFIX}` : template;
  const dated = compileDatedText(named.replaceAll(ID, MARK), { generator, zone });
  let made = 0;
  return (now) => {
    made++;
    const id = `${run}-${String(made).padStart(DIGITS, '0')}`;
    return (dated(now).constant ?? '').replaceAll(MARK, id);
  };
};
