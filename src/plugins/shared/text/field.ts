import { text } from '../../../schema/index.js';
import type { Shape } from '../../../schema/shape.js';
import { isOfEvent, type Placeholder, partsOf } from './placeholders.js';

interface Defect {
  readonly type: 'bad_format' | 'not_allowed';
  readonly message: string;
  readonly hint?: string;
}

const SPELLINGS: Readonly<Record<Placeholder, string>> = {
  pointer: '{/json/pointer}',
  event: '{event}',
  generator: '{generator}',
  partition: '{partition}',
  id: '{id}',
  date: '{date} and dates such as {yyyy-MM-dd}',
};

/**
 * Returns what is wrong with the placeholders of a text, or null when nothing is. The message does not contain
 * the text.
 */
export const placeholderDefect = (written: string, allowed: readonly Placeholder[]): Defect | null => {
  const parts = partsOf(written);
  if (parts?.every(({ kind }) => kind === 'text' || allowed.includes(kind)) === true) return null;
  return {
    type: 'bad_format',
    message: 'has a brace without a placeholder of this option',
    hint: `Placeholders are ${allowed.map((kind) => SPELLINGS[kind]).join(', ')}. Write a brace as {{ or }}.`,
  };
};

interface EventTextOptions {
  /** Placeholders of this option; default: values of the event. */
  readonly allowed?: readonly Placeholder[];
  /** A constant makes no sense. */
  readonly isOfEvent?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Sees the text with an `x` for each placeholder. */
  readonly check?: (sample: string) => Defect | null;
}

/** What the schema can say of `isOfEvent`. */
const OF_EVENT = /\{(?:\/|event\})/u;

const CONSTANT: Defect = {
  type: 'bad_format',
  message: 'has no value of the event',
  hint: 'Write it as {/json/pointer}.',
};

const sampleOf = (written: string): string =>
  (partsOf(written) ?? []).map((part) => (part.kind === 'text' ? part.text : 'x')).join('');

/** A text with placeholders. */
export const eventText = (options: EventTextOptions = {}): Shape<string> => {
  const { allowed = ['pointer'], check, minLength, maxLength } = options;
  return text({
    label: options.isOfEvent === true ? 'text with {/json/pointer}' : 'text with placeholders',
    ...(options.isOfEvent === true ? { pattern: OF_EVENT } : {}),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    check: (written) => {
      const defect = placeholderDefect(written, allowed);
      if (defect !== null) return defect;
      if (options.isOfEvent === true && !isOfEvent(written)) return CONSTANT;
      return check?.(sampleOf(written)) ?? null;
    },
  });
};
