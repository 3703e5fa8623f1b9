import type { PluginKind } from './kit.js';

/**
 * Behavior by kind and name, loaded on first use. Apart from the declarations (`specs.ts`): a thread loads those of the
 * plugins that its generators use, and no others.
 */
export const LOADERS = {
  input: {
    cron: async () => (await import('./inputs/cron/plugin.js')).cronPlugin,
    timer: async () => (await import('./inputs/timer/plugin.js')).timerPlugin,
    static: async () => (await import('./inputs/static/plugin.js')).staticPlugin,
    linspace: async () => (await import('./inputs/linspace/plugin.js')).linspacePlugin,
    timestamps: async () => (await import('./inputs/timestamps/plugin.js')).timestampsPlugin,
    time_patterns: async () => (await import('./inputs/time_patterns/plugin.js')).timePatternsPlugin,
    recorded: async () => (await import('./inputs/recorded/plugin.js')).recordedPlugin,
    rate: async () => (await import('./inputs/rate/plugin.js')).ratePlugin,
    http: async () => (await import('./inputs/http/plugin.js')).httpPlugin,
    world: async () => (await import('./inputs/world/plugin.js')).worldPlugin,
  },
  event: {
    template: async () => (await import('./events/template/plugin.js')).templatePlugin,
    replay: async () => (await import('./events/replay/plugin.js')).replayPlugin,
    script: async () => (await import('./events/script/plugin.js')).scriptPlugin,
  },
  output: {
    stdout: async () => (await import('./outputs/stdout/plugin.js')).stdoutPlugin,
    file: async () => (await import('./outputs/file/plugin.js')).filePlugin,
    tcp: async () => (await import('./outputs/tcp/plugin.js')).tcpPlugin,
    udp: async () => (await import('./outputs/udp/plugin.js')).udpPlugin,
    syslog: async () => (await import('./outputs/syslog/plugin.js')).syslogOutputPlugin,
    clickhouse: async () => (await import('./outputs/clickhouse/plugin.js')).clickhousePlugin,
    http: async () => (await import('./outputs/http/plugin.js')).httpOutputPlugin,
    opensearch: async () => (await import('./outputs/opensearch/plugin.js')).opensearchPlugin,
    kafka: async () => (await import('./outputs/kafka/plugin.js')).kafkaPlugin,
    nats: async () => (await import('./outputs/nats/plugin.js')).natsPlugin,
    mqtt: async () => (await import('./outputs/mqtt/plugin.js')).mqttPlugin,
    postgresql: async () => (await import('./outputs/postgresql/plugin.js')).postgresqlPlugin,
    redis: async () => (await import('./outputs/redis/plugin.js')).redisPlugin,
    loki: async () => (await import('./outputs/loki/plugin.js')).lokiPlugin,
    otlp: async () => (await import('./outputs/otlp/plugin.js')).otlpPlugin,
    s3: async () => (await import('./outputs/s3/plugin.js')).s3Plugin,
    splunk_hec: async () => (await import('./outputs/splunk_hec/plugin.js')).hecPlugin,
  },
  formatter: {
    plain: async () => (await import('./formatters/plain/plugin.js')).plainPlugin,
    json: async () => (await import('./formatters/json/plugin.js')).jsonPlugin,
    'json-batch': async () => (await import('./formatters/json-batch/plugin.js')).jsonBatchPlugin,
    ndjson: async () => (await import('./formatters/ndjson/plugin.js')).ndjsonPlugin,
    csv: async () => (await import('./formatters/csv/plugin.js')).csvPlugin,
    logfmt: async () => (await import('./formatters/logfmt/plugin.js')).logfmtPlugin,
    cef: async () => (await import('./formatters/cef/plugin.js')).cefPlugin,
    leef: async () => (await import('./formatters/leef/plugin.js')).leefPlugin,
    syslog: async () => (await import('./formatters/syslog/plugin.js')).syslogFormatterPlugin,
    avro: async () => (await import('./formatters/avro/plugin.js')).avroPlugin,
    template: async () => (await import('./formatters/template/plugin.js')).templateFormatterPlugin,
    'template-batch': async () => (await import('./formatters/template-batch/plugin.js')).templateBatchPlugin,
    'spate-http-input': async () => (await import('./formatters/spate-http-input/plugin.js')).httpInputPlugin,
  },
};

/** Other names of plugins, as their declarations have them. */
export const ALIASES: Readonly<Record<PluginKind, Readonly<Record<string, string>>>> = {
  input: {},
  event: {},
  output: { columnar_db: 'clickhouse', elasticsearch: 'opensearch', postgres: 'postgresql' },
  formatter: { 'eventum-http-input': 'spate-http-input' },
};
