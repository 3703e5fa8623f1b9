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
import { syslogFormatterSpec } from './formatters/syslog/spec.js';
import { templateFormatterSpec } from './formatters/template/spec.js';
import { templateBatchSpec } from './formatters/template-batch/spec.js';
import { checkedCronSpec } from './inputs/cron/spec.js';
import { httpRequestsSpec } from './inputs/http/spec.js';
import { linspaceSpec } from './inputs/linspace/spec.js';
import { rateSpec } from './inputs/rate/spec.js';
import { recordedSpec } from './inputs/recorded/spec.js';
import { staticSpec } from './inputs/static/spec.js';
import { timePatternsSpec } from './inputs/time_patterns/spec.js';
import { timerSpec } from './inputs/timer/spec.js';
import { timestampsSpec } from './inputs/timestamps/spec.js';
import { worldSpec } from './inputs/world/spec.js';
import type { FormatterSpec, OutputSpec, PluginKind, PluginSpec } from './kit.js';
import { LOADERS } from './loaders.js';
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
import { hecSpec } from './outputs/splunk_hec/spec.js';
import { stdoutSpec } from './outputs/stdout/spec.js';
import { syslogOutputSpec } from './outputs/syslog/spec.js';
import { tcpSpec } from './outputs/tcp/spec.js';
import { udpSpec } from './outputs/udp/spec.js';
import { formatterShapeOf, type SpecTable, withOutputFields } from './shapes.js';

/**
 * The one table of plugins, in the order of lists and docs. Declarations are browser-safe; behavior loads on
 * first use.
 */
export const PLUGINS = {
  input: [
    row(checkedCronSpec, LOADERS.input.cron),
    row(timerSpec, LOADERS.input.timer),
    row(staticSpec, LOADERS.input.static),
    row(linspaceSpec, LOADERS.input.linspace),
    row(timestampsSpec, LOADERS.input.timestamps),
    row(timePatternsSpec, LOADERS.input.time_patterns),
    row(recordedSpec, LOADERS.input.recorded),
    row(rateSpec, LOADERS.input.rate),
    row(httpRequestsSpec, LOADERS.input.http),
    row(worldSpec, LOADERS.input.world),
  ],
  event: [
    row(templateSpec, LOADERS.event.template),
    row(replaySpec, LOADERS.event.replay),
    row(scriptSpec, LOADERS.event.script),
  ],
  output: [
    row(stdoutSpec, LOADERS.output.stdout),
    row(fileSpec, LOADERS.output.file),
    row(tcpSpec, LOADERS.output.tcp),
    row(udpSpec, LOADERS.output.udp),
    row(syslogOutputSpec, LOADERS.output.syslog),
    row(clickhouseSpec, LOADERS.output.clickhouse),
    row(httpSpec, LOADERS.output.http),
    row(opensearchSpec, LOADERS.output.opensearch),
    row(kafkaSpec, LOADERS.output.kafka),
    row(natsSpec, LOADERS.output.nats),
    row(mqttSpec, LOADERS.output.mqtt),
    row(postgresqlSpec, LOADERS.output.postgresql),
    row(redisSpec, LOADERS.output.redis),
    row(lokiSpec, LOADERS.output.loki),
    row(otlpSpec, LOADERS.output.otlp),
    row(s3Spec, LOADERS.output.s3),
    row(hecSpec, LOADERS.output.splunk_hec),
  ],
  formatter: [
    row(plainSpec, LOADERS.formatter.plain),
    row(jsonSpec, LOADERS.formatter.json),
    row(jsonBatchSpec, LOADERS.formatter['json-batch']),
    row(ndjsonSpec, LOADERS.formatter.ndjson),
    row(csvSpec, LOADERS.formatter.csv),
    row(logfmtSpec, LOADERS.formatter.logfmt),
    row(cefSpec, LOADERS.formatter.cef),
    row(leefSpec, LOADERS.formatter.leef),
    row(syslogFormatterSpec, LOADERS.formatter.syslog),
    row(avroSpec, LOADERS.formatter.avro),
    row(templateFormatterSpec, LOADERS.formatter.template),
    row(templateBatchSpec, LOADERS.formatter['template-batch']),
    row(httpInputSpec, LOADERS.formatter['spate-http-input']),
  ],
};

type Rows = readonly { readonly spec: PluginSpec }[];

type SpecsOf<R extends Rows> = { readonly [X in R[number] as X['spec']['name']]: X['spec'] };

const specsOf = <const R extends Rows>(rows: R): SpecsOf<R> =>
  Object.fromEntries(rows.map(({ spec }) => [spec.name, spec])) as SpecsOf<R>;

const formatters = specsOf(PLUGINS.formatter);

/** A formatter: its name in `format`, its options beside it. */
export const formatterShape = formatterShapeOf(formatters);

const builtIn = { shape: formatterShape, specs: formatters };

export const PLUGIN_SPECS = {
  input: specsOf(PLUGINS.input),
  event: specsOf(PLUGINS.event),
  output: withOutputFields(specsOf(PLUGINS.output), builtIn),
  formatter: formatters,
} satisfies SpecTable;

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
    output: withOutputFields(specsOf(of('output')) as Readonly<Record<string, OutputSpec>>, {
      shape: formatterShapeOf(all),
      specs: all as Readonly<Record<string, FormatterSpec>>,
    }),
    formatter: all,
  };
};

/** Declarations of a table, by kind. */
export const allSpecs = (table: SpecTable = PLUGIN_SPECS): readonly PluginSpec[] =>
  Object.values(table).flatMap((specs): readonly PluginSpec[] => Object.values(specs));
