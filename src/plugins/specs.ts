import { defaulted, lazily, taggedBy } from '../schema/index.js';
import type { Fields, Rule } from '../schema/shape.js';
import { row } from './declare.js';
import { replaySpec } from './events/replay/spec.js';
import { scriptSpec } from './events/script/spec.js';
import { templateSpec } from './events/template/spec.js';
import { avroSpec } from './formatters/avro/spec.js';
import { cefSpec } from './formatters/cef/spec.js';
import { csvSpec } from './formatters/csv/spec.js';
import { jsonSpec } from './formatters/json/spec.js';
import { jsonBatchSpec } from './formatters/json-batch/spec.js';
import { leefSpec } from './formatters/leef/spec.js';
import { logfmtSpec } from './formatters/logfmt/spec.js';
import { ndjsonSpec } from './formatters/ndjson/spec.js';
import { plainSpec } from './formatters/plain/spec.js';
import { httpInputSpec } from './formatters/spate-http-input/spec.js';
import { syslogSpec as syslogFormatterSpec } from './formatters/syslog/spec.js';
import { templateSpec as templateFormatterSpec } from './formatters/template/spec.js';
import { templateBatchSpec } from './formatters/template-batch/spec.js';
import { cronSpec } from './inputs/cron/spec.js';
import { httpRequestsSpec } from './inputs/http/spec.js';
import { linspaceSpec } from './inputs/linspace/spec.js';
import { rateSpec } from './inputs/rate/spec.js';
import { staticSpec } from './inputs/static/spec.js';
import { timePatternsSpec } from './inputs/time_patterns/spec.js';
import { timerSpec } from './inputs/timer/spec.js';
import { timestampsSpec } from './inputs/timestamps/spec.js';
import type { FormatterSpec, OutputSpec, PluginKind, PluginSpec, TakesBytes } from './kit.js';
import { clickhouseSpec } from './outputs/clickhouse/spec.js';
import { fileSpec } from './outputs/file/spec.js';
import { httpSpec } from './outputs/http/spec.js';
import { kafkaSpec } from './outputs/kafka/spec.js';
import { lokiSpec } from './outputs/loki/spec.js';
import { mqttSpec } from './outputs/mqtt/spec.js';
import { natsSpec } from './outputs/nats/spec.js';
import { opensearchSpec } from './outputs/opensearch/spec.js';
import { otlpSpec } from './outputs/otlp/spec.js';
import { postgresqlSpec } from './outputs/postgresql/spec.js';
import { redisSpec } from './outputs/redis/spec.js';
import { s3Spec } from './outputs/s3/spec.js';
import { DELIVERY_FIELDS } from './outputs/shared/delivery.js';
import { hecSpec } from './outputs/splunk_hec/spec.js';
import { stdoutSpec } from './outputs/stdout/spec.js';
import { syslogSpec } from './outputs/syslog/spec.js';
import { tcpSpec } from './outputs/tcp/spec.js';
import { udpSpec } from './outputs/udp/spec.js';
import { variantsOf } from './paramsShape.js';

/**
 * The one table of plugins, in the order of lists and docs. Declarations are browser-safe; behavior loads on
 * first use.
 */
export const PLUGINS = {
  input: [
    row(cronSpec, async () => (await import('./inputs/cron/plugin.js')).cronPlugin),
    row(timerSpec, async () => (await import('./inputs/timer/plugin.js')).timerPlugin),
    row(staticSpec, async () => (await import('./inputs/static/plugin.js')).staticPlugin),
    row(linspaceSpec, async () => (await import('./inputs/linspace/plugin.js')).linspacePlugin),
    row(timestampsSpec, async () => (await import('./inputs/timestamps/plugin.js')).timestampsPlugin),
    row(timePatternsSpec, async () => (await import('./inputs/time_patterns/plugin.js')).timePatternsPlugin),
    row(rateSpec, async () => (await import('./inputs/rate/plugin.js')).ratePlugin),
    row(httpRequestsSpec, async () => (await import('./inputs/http/plugin.js')).httpPlugin),
  ],
  event: [
    row(templateSpec, async () => (await import('./events/template/plugin.js')).templatePlugin),
    row(replaySpec, async () => (await import('./events/replay/plugin.js')).replayPlugin),
    row(scriptSpec, async () => (await import('./events/script/plugin.js')).scriptPlugin),
  ],
  output: [
    row(stdoutSpec, async () => (await import('./outputs/stdout/plugin.js')).stdoutPlugin),
    row(fileSpec, async () => (await import('./outputs/file/plugin.js')).filePlugin),
    row(tcpSpec, async () => (await import('./outputs/tcp/plugin.js')).tcpPlugin),
    row(udpSpec, async () => (await import('./outputs/udp/plugin.js')).udpPlugin),
    row(syslogSpec, async () => (await import('./outputs/syslog/plugin.js')).syslogPlugin),
    row(clickhouseSpec, async () => (await import('./outputs/clickhouse/plugin.js')).clickhousePlugin),
    row(httpSpec, async () => (await import('./outputs/http/plugin.js')).httpPlugin),
    row(opensearchSpec, async () => (await import('./outputs/opensearch/plugin.js')).opensearchPlugin),
    row(kafkaSpec, async () => (await import('./outputs/kafka/plugin.js')).kafkaPlugin),
    row(natsSpec, async () => (await import('./outputs/nats/plugin.js')).natsPlugin),
    row(mqttSpec, async () => (await import('./outputs/mqtt/plugin.js')).mqttPlugin),
    row(postgresqlSpec, async () => (await import('./outputs/postgresql/plugin.js')).postgresqlPlugin),
    row(redisSpec, async () => (await import('./outputs/redis/plugin.js')).redisPlugin),
    row(lokiSpec, async () => (await import('./outputs/loki/plugin.js')).lokiPlugin),
    row(otlpSpec, async () => (await import('./outputs/otlp/plugin.js')).otlpPlugin),
    row(s3Spec, async () => (await import('./outputs/s3/plugin.js')).s3Plugin),
    row(hecSpec, async () => (await import('./outputs/splunk_hec/plugin.js')).hecPlugin),
  ],
  formatter: [
    row(plainSpec, async () => (await import('./formatters/plain/plugin.js')).plainPlugin),
    row(jsonSpec, async () => (await import('./formatters/json/plugin.js')).jsonPlugin),
    row(jsonBatchSpec, async () => (await import('./formatters/json-batch/plugin.js')).jsonBatchPlugin),
    row(ndjsonSpec, async () => (await import('./formatters/ndjson/plugin.js')).ndjsonPlugin),
    row(csvSpec, async () => (await import('./formatters/csv/plugin.js')).csvPlugin),
    row(logfmtSpec, async () => (await import('./formatters/logfmt/plugin.js')).logfmtPlugin),
    row(cefSpec, async () => (await import('./formatters/cef/plugin.js')).cefPlugin),
    row(leefSpec, async () => (await import('./formatters/leef/plugin.js')).leefPlugin),
    row(syslogFormatterSpec, async () => (await import('./formatters/syslog/plugin.js')).syslogPlugin),
    row(avroSpec, async () => (await import('./formatters/avro/plugin.js')).avroPlugin),
    row(templateFormatterSpec, async () => (await import('./formatters/template/plugin.js')).templatePlugin),
    row(
      templateBatchSpec,
      async () => (await import('./formatters/template-batch/plugin.js')).templateBatchPlugin,
    ),
    row(httpInputSpec, async () => (await import('./formatters/spate-http-input/plugin.js')).httpInputPlugin),
  ],
};

/** Declarations by kind and name. */
export type SpecTable = Readonly<Record<PluginKind, Readonly<Record<string, PluginSpec>>>>;

type Rows = readonly { readonly spec: PluginSpec }[];

type SpecsOf<R extends Rows> = { readonly [X in R[number] as X['spec']['name']]: X['spec'] };

const specsOf = <const R extends Rows>(rows: R): SpecsOf<R> =>
  Object.fromEntries(rows.map(({ spec }) => [spec.name, spec])) as SpecsOf<R>;

const formatters = specsOf(PLUGINS.formatter);

/** A formatter: its name in `format`, its options beside it. */
export const formatterShape = taggedBy('format', variantsOf(formatters));

/** The shape over other declarations. Its type knows those of this table. */
export const formatterShapeOf = (specs: Readonly<Record<string, PluginSpec>>): typeof formatterShape =>
  taggedBy('format', variantsOf(specs)) as unknown as typeof formatterShape;

const DEFAULT_FORMATTERS = {
  plain: { kind: 'plain', alias: 'plain', params: {} },
  json: { kind: 'json', alias: 'json', params: { indent: 0 } },
  'json-batch': { kind: 'json-batch', alias: 'json-batch', params: { indent: 0 } },
} as const;

/** Fields that every output gets. */
const outputFields = (
  formatter: NonNullable<OutputSpec['formatter']>,
  shape: typeof formatterShape = formatterShape,
) => ({
  formatter: defaulted(shape, DEFAULT_FORMATTERS[formatter], {
    help: 'Formatter of the events; `format` selects the kind.',
    example: { format: formatter },
  }),
  ...DELIVERY_FIELDS,
});

/** Refuses a formatter that makes bytes where the output would not send them unchanged. */
const bytesRule = (takes: TakesBytes | undefined): Rule<Fields> => ({
  fields: ['formatter', ...(takes?.fields ?? [])],
  check: (value) => {
    const { kind, params } = value['formatter'] as { readonly kind: string; readonly params: never };
    const spec: FormatterSpec | undefined = (formatters as Readonly<Record<string, FormatterSpec>>)[kind];
    const form = spec?.bytes?.(params);
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

type WithCommonFields<S extends OutputSpec> = Omit<S, 'fields' | 'rules'> & {
  readonly rules: readonly Rule<Fields>[];
  readonly fields: S['fields'] & ReturnType<typeof outputFields>;
};

const withCommonFields = <T extends Readonly<Record<string, OutputSpec>>>(
  specs: T,
  formatter?: typeof formatterShape,
) =>
  Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      {
        ...spec,
        fields: lazily(() => ({ ...spec.fields, ...outputFields(spec.formatter ?? 'plain', formatter) })),
        rules: [...(spec.rules ?? []), bytesRule(spec.takesBytes)],
      },
    ]),
  ) as unknown as { readonly [N in keyof T]: WithCommonFields<T[N]> };

export const PLUGIN_SPECS = {
  input: specsOf(PLUGINS.input),
  event: specsOf(PLUGINS.event),
  output: withCommonFields(specsOf(PLUGINS.output)),
  formatter: formatters,
} satisfies SpecTable;

/** Names of the fields that every output gets. */
export const outputFieldNames = (): readonly string[] => Object.keys(outputFields('plain'));

/** The table with declarations of others behind its own: their formatters are for all outputs. */
export const specsWith = (others: readonly PluginSpec[]): SpecTable => {
  const of = (kind: PluginKind): Rows => [
    ...PLUGINS[kind],
    ...others.filter((spec) => spec.kind === kind).map((spec) => ({ spec })),
  ];
  const all = specsOf(of('formatter'));
  return {
    input: specsOf(of('input')),
    event: specsOf(of('event')),
    output: withCommonFields(
      specsOf(of('output')) as Readonly<Record<string, OutputSpec>>,
      formatterShapeOf(all),
    ),
    formatter: all,
  };
};

/** Declarations of a table, by kind. */
export const allSpecs = (table: SpecTable = PLUGIN_SPECS): readonly PluginSpec[] =>
  Object.values(table).flatMap((specs): readonly PluginSpec[] => Object.values(specs));
