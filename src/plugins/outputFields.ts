import { defaulted, lazily, taggedBy } from '../schema/index.js';
import type { AnyShape, Fields, Rule } from '../schema/shape.js';
import type { FormatterSpec, OutputSpec, PluginSpec, TakesBytes } from './kit.js';
import { DELIVERY_FIELDS } from './outputs/shared/delivery.js';
import { variantsOf } from './paramsShape.js';

/** Formatters that outputs can have: their shape and declarations. */
export interface Formatters<S extends AnyShape = AnyShape> {
  readonly shape: S;
  readonly specs: Readonly<Record<string, FormatterSpec>>;
}

/** A formatter: its name in `format`, its options beside it. */
export const formatterShapeOf = <T extends Readonly<Record<string, PluginSpec>>>(specs: T) =>
  taggedBy('format', variantsOf(specs));

const DEFAULT_FORMATTERS = {
  plain: { kind: 'plain', alias: 'plain', params: {} },
  json: { kind: 'json', alias: 'json', params: { indent: 0 } },
  'json-batch': { kind: 'json-batch', alias: 'json-batch', params: { indent: 0 } },
} as const;

/** Fields that every output gets. */
const outputFields = <S extends AnyShape>(formatter: keyof typeof DEFAULT_FORMATTERS, shape: S) => ({
  formatter: defaulted(shape, DEFAULT_FORMATTERS[formatter], {
    help: 'Formatter of the events; `format` selects the kind.',
    example: { format: formatter },
  }),
  ...DELIVERY_FIELDS,
});

/** Names of the fields that every output gets. */
export const outputFieldNames = (): readonly string[] => ['formatter', ...Object.keys(DELIVERY_FIELDS)];

/** Refuses a formatter that makes bytes where the output would not send them unchanged. */
const bytesRule = (takes: TakesBytes | undefined, { specs }: Formatters): Rule<Fields> => ({
  fields: ['formatter', ...(takes?.fields ?? [])],
  check: (value) => {
    const { kind, params } = value['formatter'] as { readonly kind: string; readonly params: never };
    const form = specs[kind]?.bytes?.(params);
    if (form === undefined) return null;
    const why = takes === undefined ? 'this output writes text' : takes.whyNot(value, form);
    return why === null
      ? null
      : {
          at: 'formatter',
          type: 'not_allowed',
          message: `\`${kind}\` makes bytes, but ${why}`,
          ...(takes === undefined
            ? { hint: 'Choose another formatter, or an output that sends bytes.' }
            : {}),
        };
  },
});

/** Refuses imperfections of items that are bytes or hold many events. */
const imperfectionsRule = ({ specs }: Formatters): Rule<Fields> => ({
  fields: ['formatter', 'imperfections'],
  check: (value) => {
    if (value['imperfections'] === null) return null;
    const { kind, params } = value['formatter'] as { readonly kind: string; readonly params: never };
    const isJoined = specs[kind]?.joins === true;
    if (!isJoined && specs[kind]?.bytes?.(params) === undefined) return null;
    return {
      at: 'imperfections',
      type: 'not_allowed',
      message: `\`${kind}\` ${isJoined ? 'joins events' : 'makes bytes'}, and imperfections are of single texts`,
      hint: 'Choose a formatter that makes a text of each event, such as `plain` or `json`.',
    };
  },
});

type WithOutputFields<O extends OutputSpec, S extends AnyShape> = Omit<O, 'fields' | 'rules'> & {
  readonly rules: readonly Rule<Fields>[];
  readonly fields: O['fields'] & ReturnType<typeof outputFields<S>>;
};

/** Declarations of outputs with what every output gets. */
export const withOutputFields = <T extends Readonly<Record<string, OutputSpec>>, S extends AnyShape>(
  specs: T,
  formatters: Formatters<S>,
) =>
  Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      {
        ...spec,
        fields: lazily(() => ({
          ...spec.fields,
          ...outputFields(spec.formatter ?? 'plain', formatters.shape),
        })),
        rules: [...(spec.rules ?? []), bytesRule(spec.takesBytes, formatters), imperfectionsRule(formatters)],
      },
    ]),
  ) as unknown as { readonly [N in keyof T]: WithOutputFields<T[N], S> };
