import { type ErrorPlace, templateError } from '../errors.js';
import { Fault } from '../values/fault.js';

/**
 * `error`: sure to fail, or to mean something else than what stands there. `warning`: very likely wrong.
 * `note`: worth knowing, no reason to change anything.
 */
export type Severity = 'error' | 'warning' | 'note';

/** Stable kind of a finding, for programs. */
export type FindingCode =
  | 'syntax'
  | 'unreadable'
  | 'template_not_found'
  | 'unknown_filter'
  | 'unknown_test'
  | 'unknown_name'
  | 'name_out_of_scope'
  | 'unknown_attribute'
  | 'unknown_export'
  | 'unused_sample'
  | 'unused_import'
  | 'too_many';

/** Keys and list positions from the root of a generator config. */
export type ConfigPath = readonly (string | number)[];

/** One thing that is wrong, or looks so. */
export interface Finding {
  readonly severity: Severity;
  readonly code: FindingCode;
  /** What is wrong, in one sentence without the place. */
  readonly message: string;
  /** What to do about it, a sentence. */
  readonly hint: string | null;
  /** Where in which template; `null` for what stands in the config. Inline templates are named by their root. */
  readonly place: ErrorPlace | null;
  /** The line with a mark below the column, two lines; empty without a place. */
  readonly shown: string;
  /** Where in the config, for what stands there: names of files, samples, inline templates. */
  readonly path: ConfigPath | null;
}

/** A template that findings are about. `path` is that of its text in the config, for inline templates. */
export interface Subject {
  readonly name: string;
  /** The normalised text. */
  readonly source: string;
  readonly path: ConfigPath | null;
}

export type Complaint = Pick<Finding, 'severity' | 'code' | 'message'> & { readonly hint?: string | null };

/** Findings of one template that are listed. */
const MAX_FINDINGS_PER_TEMPLATE = 200;

/** A complaint with its place as errors of the engine show it. */
const placed = ({ name, source, path }: Subject, at: number, complaint: Complaint): Finding => {
  const { places, message } = templateError(new Fault('', ''), [{ template: { name, source }, at }]);
  return {
    ...complaint,
    hint: complaint.hint ?? null,
    place: places[0] ?? null,
    // The message ends with the line and its mark, each behind a line feed of its own.
    shown: message.split('\n').slice(-2).join('\n'),
    path,
  };
};

/** Collects findings. */
export class Findings {
  private readonly ofConfig: Finding[] = [];
  private readonly ofTemplates = new Map<Subject, (readonly [at: number, complain: () => Complaint])[]>();

  /** About something in the config. */
  inConfig(path: ConfigPath, complaint: Complaint): void {
    this.ofConfig.push({ ...complaint, hint: complaint.hint ?? null, place: null, shown: '', path });
  }

  /** About the text of a template at an offset. Only of those that are listed the words are made. */
  add(template: Subject, at: number, complain: () => Complaint): void {
    const known = this.ofTemplates.get(template);
    if (known === undefined) this.ofTemplates.set(template, [[at, complain]]);
    else known.push([at, complain]);
  }

  /** Those of the config first, then template by template in the order of the text. */
  all(): readonly Finding[] {
    const found = [...this.ofTemplates].flatMap(([template, known]) => {
      const sorted = known.toSorted(([a], [b]) => a - b);
      const listed = sorted.slice(0, MAX_FINDINGS_PER_TEMPLATE);
      const findings = listed.map(([at, complain]) => placed(template, at, complain()));
      const [next] = sorted[MAX_FINDINGS_PER_TEMPLATE] ?? [];
      if (next === undefined) return findings;
      const message = `${sorted.length - listed.length} more are not listed`;
      return [...findings, placed(template, next, { severity: 'error', code: 'too_many', message })];
    });
    return [...this.ofConfig, ...found];
  }
}
