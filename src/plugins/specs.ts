import { defaulted, lazily, taggedBy } from '../schema/index.js';
import { row } from './declare.js';
import { replaySpec } from './events/replay/spec.js';
import { scriptSpec } from './events/script/spec.js';
import { templateSpec } from './events/template/spec.js';
import { cefSpec } from './formatters/cef/spec.js';
import { csvSpec } from './formatters/csv/spec.js';
import { jsonSpec } from './formatters/json/spec.js';
import { jsonBatchSpec } from './formatters/json-batch/spec.js';
import { leefSpec } from './formatters/leef/spec.js';
import { logfmtSpec } from './formatters/logfmt/spec.js';
import { ndjsonSpec } from './formatters/ndjson/spec.js';
import { plainSpec } from './formatters/plain/spec.js';
import { httpInputSpec } from './formatters/spate-http-input/spec.js';
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
import type { OutputSpec, PluginKind, PluginSpec } from './kit.js';
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
    row(templateFormatterSpec, async () => (await import('./formatters/template/plugin.js')).templatePlugin),
    row(
      templateBatchSpec,
      async () => (await import('./formatters/template-batch/plugin.js')).templateBatchPlugin,
    ),
    row(httpInputSpec, async () => (await import('./formatters/spate-http-input/plugin.js')).httpInputPlugin),
  ],
};

type Rows = readonly { readonly spec: PluginSpec }[];

type SpecsOf<R extends Rows> = { readonly [X in R[number] as X['spec']['name']]: X['spec'] };

const specsOf = <const R extends Rows>(rows: R): SpecsOf<R> =>
  Object.fromEntries(rows.map(({ spec }) => [spec.name, spec])) as SpecsOf<R>;

const formatters = specsOf(PLUGINS.formatter);

/** A formatter: its name in `format`, its options beside it. */
export const formatterShape = taggedBy('format', variantsOf(formatters));

const DEFAULT_FORMATTERS = {
  plain: { kind: 'plain', alias: 'plain', params: {} },
  json: { kind: 'json', alias: 'json', params: { indent: 0 } },
  'json-batch': { kind: 'json-batch', alias: 'json-batch', params: { indent: 0 } },
} as const;

/** Fields that every output gets. */
const outputFields = (formatter: NonNullable<OutputSpec['formatter']>) => ({
  formatter: defaulted(formatterShape, DEFAULT_FORMATTERS[formatter], {
    help: 'Formatter of the events; `format` selects the kind.',
    example: { format: formatter },
  }),
  ...DELIVERY_FIELDS,
});

type WithCommonFields<S extends OutputSpec> = Omit<S, 'fields'> & {
  readonly fields: S['fields'] & ReturnType<typeof outputFields>;
};

const withCommonFields = <T extends Readonly<Record<string, OutputSpec>>>(specs: T) =>
  Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      { ...spec, fields: lazily(() => ({ ...spec.fields, ...outputFields(spec.formatter ?? 'plain') })) },
    ]),
  ) as { readonly [N in keyof T]: WithCommonFields<T[N]> };

export const PLUGIN_SPECS = {
  input: specsOf(PLUGINS.input),
  event: specsOf(PLUGINS.event),
  output: withCommonFields(specsOf(PLUGINS.output)),
  formatter: formatters,
} satisfies Readonly<Record<PluginKind, Readonly<Record<string, PluginSpec>>>>;

export const allSpecs = (): readonly PluginSpec[] =>
  Object.values(PLUGIN_SPECS).flatMap((specs): readonly PluginSpec[] => Object.values(specs));
