import type { Json, JsonObject } from '../../../domain/json.js';
import type { AnswerOf } from '../../api/routes.js';

type Declared = AnswerOf<'readGlobalsUsage'>['knobs'][number];
type Reports = readonly {
  readonly member: string;
  readonly report: Pick<AnswerOf<'readGlobalsUsage'>, 'knobs'>;
}[];

/** A knob with the members that declare it. */
export interface DeclaredKnob extends Declared {
  /** By name; the declaration is that of the first. */
  readonly members: readonly string[];
  /** Members that declare it in another way, which does not count. */
  readonly others: readonly string[];
}

/** The knobs that members declare, by name: of several declarations of a key, that of the first member by name holds. */
export const declaredKnobs = (reports: Reports): readonly DeclaredKnob[] => {
  const found = new Map<
    string,
    { readonly knob: Declared; readonly members: string[]; readonly others: string[] }
  >();
  for (const { member, report } of reports.toSorted((a, b) => a.member.localeCompare(b.member)))
    for (const knob of report.knobs) {
      const known = found.get(knob.key);
      if (known === undefined) found.set(knob.key, { knob, members: [member], others: [] });
      else known[JSON.stringify(knob) === JSON.stringify(known.knob) ? 'members' : 'others'].push(member);
    }
  return [...found.values()]
    .map(({ knob, members, others }) => ({ ...knob, members, others }))
    .toSorted((a, b) => titleOfKnob(a).localeCompare(titleOfKnob(b)));
};

export const titleOfKnob = ({ label, key }: Pick<Declared, 'label' | 'key'>): string => label ?? key;

/** What a declared knob is turned with. */
type KnobKind =
  | { readonly kind: 'slider'; readonly min: number; readonly max: number; readonly step: number }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'switch' };

/** Positions of a slider whose step is not declared. */
const POSITIONS = 100;

export const kindOfKnob = ({ min, max, step, choices }: Declared): KnobKind => {
  if (choices !== null) return { kind: 'choice', choices };
  if (min === null || max === null) return { kind: 'switch' };
  const about = Number(((max - min) / POSITIONS).toPrecision(1));
  const isWhole = Number.isInteger(min) && Number.isInteger(max) && max - min > 1;
  return { kind: 'slider', min, max, step: step ?? (isWhole ? Math.max(1, Math.round(about)) : about) };
};

/** Where a knob stands. */
export interface KnobState {
  /** What the control shows. Null when nothing is known. */
  readonly shown: Json;
  readonly isSet: boolean;
  /** Why the value that is set cannot be shown. Null when it can. */
  readonly flaw: string | null;
}

const fits = (value: Json, kind: KnobKind): boolean => {
  if (kind.kind === 'slider') return typeof value === 'number';
  return kind.kind === 'choice' ? typeof value === 'string' : typeof value === 'boolean';
};

const WANTED = { slider: 'a number', choice: 'a text', switch: 'true or false' } as const;

/** A knob that is not set stands at its default: that is what members use. */
export const stateOfKnob = (knob: Declared, globals: JsonObject): KnobState => {
  const kind = kindOfKnob(knob);
  const fallback = knob.default ?? null;
  if (!Object.hasOwn(globals, knob.key)) return { shown: fallback, isSet: false, flaw: null };
  const value = globals[knob.key] ?? null;
  if (!fits(value, kind))
    return {
      shown: fallback,
      isSet: true,
      flaw: `Its value is ${JSON.stringify(value).slice(0, 60)}, not ${WANTED[kind.kind]}.`,
    };
  const isOutside =
    (kind.kind === 'slider' && ((value as number) < kind.min || (value as number) > kind.max)) ||
    (kind.kind === 'choice' && !kind.choices.includes(value as string));
  return {
    shown: value,
    isSet: true,
    flaw: isOutside ? 'Its value is none that the author has declared.' : null,
  };
};

/** What stands below a control: whether it is set, and from where to where it goes. */
export const noteOfKnob = (knob: Declared, { isSet }: KnobState): string => {
  const { default: fallback, unit } = knob;
  if (fallback === null) return isSet ? '' : 'Not set.';
  const text = `${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}${unit === null ? '' : ` ${unit}`}`;
  return isSet ? `Default ${text}.` : `Not set: members use ${text}.`;
};
