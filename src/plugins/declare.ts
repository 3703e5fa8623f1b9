import { MARK_MODES } from '../domain/marks/mark.js';
import { defaulted, freeObject, lazily, listOf, oneOf, optional, text } from '../schema/index.js';
import type { Fields, Rule } from '../schema/shape.js';
import type {
  EventPlugin,
  FormatterPlugin,
  FormatterSpec,
  InputPlugin,
  MayBlock,
  OutputPlugin,
  OutputSpec,
  PluginKind,
  PluginSpec,
} from './kit.js';
import type { DeliveryParams } from './outputs/shared/delivery.js';

const INPUT_FIELDS = {
  tags: defaulted(listOf(text()), [], {
    help: 'Tags that event plugins receive with each timestamp of this input.',
    example: ['web', 'eu'],
  }),
  globals: defaulted(
    freeObject(),
    {},
    {
      help: 'Values that events of this input read from `globals`, in place of those of the scenario.',
      extension: true,
      example: { campaign: 'spring' },
    },
  ),
};

const EVENT_FIELDS = {
  marks: optional(oneOf(MARK_MODES), {
    help:
      'Adds a mark to every event, for `spate verify` to find loss, duplicates, order and latency: `text` appends ` spate=<mark>`, ' +
      '`tsv` a column, `json` a last member `spate`. Default: no marks.',
    extension: true,
  }),
};

const MARKS_NOTE =
  'A mark is `<stream>:<sequence>:<micros>:<crc>`: 8 hex digits of the run (equal for equal seeds), a number from 1 without gaps, ' +
  'the timestamp in epoch microseconds, and a CRC-32 over the event and the mark up to it. With `marks: json`, an event that is ' +
  'not a JSON object, or already has a member `spate`, is a failed event; white space may change in transit.';

/** Declaration of a plugin with its own fields; `Taken` are the field names that its kind adds. */
interface Declaration<N extends string, F extends Fields, Taken extends string = never>
  extends Omit<PluginSpec<F>, 'kind' | 'name' | 'fields' | 'rules'> {
  readonly name: N;
  readonly fields: F & { readonly [K in Taken]?: never };
  readonly rules?: readonly Rule<F>[];
}

/** Declares an input and adds `tags` and `globals`. */
export const inputPlugin = <const N extends string, F extends Fields>(
  own: Declaration<N, F, keyof typeof INPUT_FIELDS> & MayBlock,
) => ({ ...own, kind: 'input' as const, fields: lazily(() => ({ ...(own.fields as F), ...INPUT_FIELDS })) });

/** Declares an event plugin and adds `marks`. Its producer applies them with `makeMarker`. */
export const eventPlugin = <const N extends string, F extends Fields>(
  own: Declaration<N, F, keyof typeof EVENT_FIELDS> & MayBlock,
) => ({
  ...own,
  kind: 'event' as const,
  fields: lazily(() => ({ ...(own.fields as F), ...EVENT_FIELDS })),
  notes: [...(own.notes ?? []), MARKS_NOTE],
});

/** Declares an output. The table (`specs.ts`) adds the formatter and the fields of delivery, which the pipeline applies. */
export const outputPlugin = <const N extends string, F extends Fields>(
  own: Declaration<N, F, 'formatter' | keyof DeliveryParams> & Pick<OutputSpec, 'formatter' | 'takesBytes'>,
) => ({ ...own, kind: 'output' as const, fields: own.fields as F });

export const formatterPlugin = <const N extends string, F extends Fields>(
  own: Declaration<N, F, 'format'> & Pick<FormatterSpec<F>, 'bytes' | 'joins'>,
) => ({ ...own, kind: 'formatter' as const, fields: own.fields as F });

export interface PluginOf<F extends Fields> {
  readonly input: InputPlugin<F>;
  readonly event: EventPlugin<F>;
  readonly output: OutputPlugin<F>;
  readonly formatter: FormatterPlugin<F>;
}

/** A plugin in the table: its declaration, and its behavior, loaded on first use. */
export interface TableRow<K extends PluginKind, F extends Fields, S> {
  readonly spec: S;
  readonly load: () => Promise<PluginOf<F>[K]>;
}

/** A row of the table. The behavior must be that of the declared kind and fields. */
export const row = <K extends PluginKind, F extends Fields, S extends PluginSpec<F> & { readonly kind: K }>(
  spec: S & { readonly kind: K; readonly fields: F },
  load: () => Promise<PluginOf<F>[K]>,
): TableRow<K, F, S> => ({ spec, load });
