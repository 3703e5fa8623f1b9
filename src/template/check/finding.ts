import { literalPattern } from '../../domain/text/pattern.js';
import { didYouMean } from '../../domain/text/shown.js';
import { type ErrorLocation, Fault, templateError } from '../errors.js';

/** `error`: sure to fail or to mean something else. `warning`: probably wrong. `note`: informational. */
export type Severity = 'error' | 'warning' | 'note';

/** Stable codes, for programs. */
export type FindingCode =
  | 'syntax'
  | 'unreadable'
  | 'template_not_found'
  | 'unknown_filter'
  | 'unknown_test'
  | 'unknown_name'
  | 'name_out_of_scope'
  | 'unknown_attribute'
  | 'unknown_column'
  | 'unknown_export'
  | 'unused_sample'
  | 'unused_import'
  | 'too_many';

/** Keys and indexes from the root of a generator config. */
export type ConfigPath = readonly (string | number)[];

export interface TemplateFinding {
  readonly severity: Severity;
  readonly code: FindingCode;
  readonly message: string;
  readonly hint: string | null;
  /** `null` for findings in the config. Inline templates have the name of their root. */
  readonly location: ErrorLocation | null;
  /** The line and a mark under the column; empty without a position. */
  readonly shown: string;
  /** Path in the config: names of files, samples, inline templates. */
  readonly path: ConfigPath | null;
}

/** A checked template. `path`: position of an inline template in the config. */
export interface FindingSubject {
  readonly name: string;
  readonly source: string;
  readonly path: ConfigPath | null;
}

export type Complaint = Pick<TemplateFinding, 'severity' | 'code' | 'message'> & {
  readonly hint?: string | null;
};

const MAX_FINDINGS_PER_TEMPLATE = 200;

const findingAt = (
  { name, source, path }: FindingSubject,
  at: number,
  complaint: Complaint,
): TemplateFinding => {
  const { locations, message } = templateError(new Fault('', ''), [{ template: { name, source }, at }]);
  return {
    ...complaint,
    hint: complaint.hint ?? null,
    location: locations[0] ?? null,
    // The message ends with the line and its mark.
    shown: message.split('\n').slice(-2).join('\n'),
    path,
  };
};

export class Findings {
  private readonly ofConfig: TemplateFinding[] = [];
  private readonly ofTemplates = new Map<
    FindingSubject,
    (readonly [at: number, complain: () => Complaint])[]
  >();

  inConfig(path: ConfigPath, complaint: Complaint): void {
    this.ofConfig.push({ ...complaint, hint: complaint.hint ?? null, location: null, shown: '', path });
  }

  /** Adds a finding at an offset. `complain` runs only for listed findings. */
  add(template: FindingSubject, at: number, complain: () => Complaint): void {
    const known = this.ofTemplates.get(template);
    if (known === undefined) this.ofTemplates.set(template, [[at, complain]]);
    else known.push([at, complain]);
  }

  /** Findings of the config, then of each template in source order. */
  all(): readonly TemplateFinding[] {
    const found = [...this.ofTemplates].flatMap(([template, known]) => {
      const sorted = known.toSorted(([a], [b]) => a - b);
      const listed = sorted.slice(0, MAX_FINDINGS_PER_TEMPLATE);
      const findings = listed.map(([at, complain]) => findingAt(template, at, complain()));
      const [next] = sorted[MAX_FINDINGS_PER_TEMPLATE] ?? [];
      if (next === undefined) return findings;
      const message = `${sorted.length - listed.length} more findings are not listed`;
      return [...findings, findingAt(template, next, { severity: 'error', code: 'too_many', message })];
    });
    return [...this.ofConfig, ...found];
  }
}

/** Names listed in a hint without a near one. */
const MAX_LISTED = 20;

/** Shorter names are near to every short name. */
const MIN_LENGTH = 3;

/** `Did you mean 'x'?` if a known name is near; `null` otherwise. */
export const nearName = (name: string, known: readonly string[]): string | null =>
  name.length < MIN_LENGTH ? null : didYouMean(name, known);

/** A near name, else a short list of the known ones, else `null`. */
export const nearOrAll = (name: string, known: readonly string[]): string | null =>
  nearName(name, known) ??
  (known.length === 0 || known.length > MAX_LISTED ? null : `Known: ${known.join(', ')}.`);

const IDENTIFIER = '[\\p{L}\\p{N}\\p{Pc}\\p{M}]';

/** Offset of the next whole word from `from`; `from` if there is none. */
export const wordFrom = (source: string, word: string, from: number): number => {
  const escaped = literalPattern(word);
  const pattern = new RegExp(`(?<!${IDENTIFIER})${escaped}(?!${IDENTIFIER})`, 'gu');
  pattern.lastIndex = from;
  return pattern.exec(source)?.index ?? from;
};
