import { isJsonObject, type Json, type JsonObject } from '../../../src/domain/json.js';

/**
 * Keys that the API documents name, by hand from the documents themselves: settings and configs from the service API,
 * the rest from its extension and the papers on configuration, plugins and templates. `true`: a value without keys of ours.
 */
export interface Keys {
  readonly [key: string]: Keys | true;
}

const keys = (text: string): Keys => Object.fromEntries(text.split(' ').map((key) => [key, true]));

const GENERATION: Keys = keys('timezone batch queue keep_order max_concurrency write_timeout');

export const SETTINGS_KEYS: Keys = {
  server: keys('ui_enabled api_enabled host port ssl auth'),
  generation: GENERATION,
  log: keys('level format max_bytes backups'),
  path: keys('logs startup generators_dir keyring_cryptfile generator_config_filename'),
};

export const GENERATOR_KEYS: Keys = { ...keys('id path live_mode skip_past params'), ...GENERATION };

export const STARTUP_KEYS: Keys = { ...GENERATOR_KEYS, ...keys('autostart scenarios') };

const FILE = 'encoding separator flush_interval formatter';

const TLS = 'verify ca_cert client_cert client_cert_key';
const HTTP = `connect_timeout request_timeout username password proxy_url formatter ${TLS}`;

/** Plugins by kind and name. */
export const PLUGIN_KEYS = {
  input: {
    cron: keys('expression count tags start end'),
    timer: keys('seconds count start repeat tags'),
    static: keys('count tags'),
    linspace: keys('start end count endpoint tags'),
    timestamps: keys('source tags'),
    time_patterns: keys('patterns tags'),
    http: keys('host port max_pending_requests tags'),
  },
  event: {
    template: keys('mode templates chain params samples'),
    replay: keys('path timestamp_pattern timestamp_format repeat chunk_size encoding'),
    script: keys('path'),
  },
  output: {
    stdout: keys(`stream ${FILE}`),
    file: keys(`path cleanup_interval file_mode write_mode ${FILE}`),
    http: keys(`url method success_code headers ${HTTP}`),
    tcp: keys(`host port encoding separator connect_timeout ssl formatter ${TLS}`),
    udp: keys('host port encoding separator formatter'),
    opensearch: keys(`hosts index ${HTTP}`),
    kafka: keys(
      'bootstrap_servers topic key encoding client_id metadata_max_age_ms request_timeout_ms connections_max_idle_ms ' +
        'acks compression_type max_batch_size max_request_size linger_ms retry_backoff_ms enable_idempotence ' +
        'transactional_id transaction_timeout_ms security_protocol sasl_mechanism sasl_plain_username ' +
        'sasl_plain_password sasl_kerberos_service_name sasl_kerberos_domain_name ssl_cafile ssl_certfile ' +
        'ssl_keyfile formatter',
    ),
    clickhouse: keys(
      'formatter host port protocol database table username password dsn connect_timeout request_timeout client_name ' +
        'verify ca_cert client_cert client_cert_key server_host_name tls_mode proxy_url input_format header footer ' +
        'separator pool_maxsize',
    ),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Keys>>>>;

type Kind = keyof typeof PLUGIN_KEYS;

/** The keys of a plugin that the documents know; `undefined`: the plugin is ours. */
export const pluginKeys = (kind: Kind, name: string): Keys | undefined =>
  (PLUGIN_KEYS[kind] as Readonly<Record<string, Keys>>)[name];

/** A plugin of a config as the documents have it. Plugins that they do not know stay whole. */
const documentPlugin =
  (kind: Kind) =>
  (entry: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(entry).map(([name, params]) => [
        name,
        documentOnly(pluginKeys(kind, name) ?? true, params),
      ]),
    );

/** What a client that knows only the documents would send back of a value that it was shown. */
export const documentOnly = (known: Keys | true, value: Json): Json => {
  if (known === true || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
      const below = known[key];
      return below === undefined ? [] : [[key, documentOnly(below, inner)]];
    }),
  );
};

/** The same for a generator config. */
export const documentConfig = (config: JsonObject): JsonObject => ({
  input: (config['input'] as readonly JsonObject[]).map(documentPlugin('input')),
  event: documentPlugin('event')(config['event'] as JsonObject),
  output: (config['output'] as readonly JsonObject[]).map(documentPlugin('output')),
});
