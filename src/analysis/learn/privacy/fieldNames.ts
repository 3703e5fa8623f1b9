import type { PrivateKind } from './pseudonyms.js';

/** `/user/firstName` and `User-Name` become `user_first_name` and `user_name`. */
const normal = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/^_|_$/g, '');

const WHO =
  'user|login|account|acct|owner|member|customer|author|actor|principal|employee|person|patient|subscriber';
const USER = new RegExp(
  `(?:^|_)(?:(?:${WHO})(?:_(?:name|id|login))?|u?name_of_user|s_?user|d_?user|remote_user|usr_?name|uname|full_?name|first_?name|last_?name|given_?name|family_?name|surname|display_?name|nick_?name|realname)$`,
);
const HOST =
  /(?:^|_)(?:host|host_?name|node|node_?name|server_?name|machine|machine_?name|computer|computer_?name|workstation|device_?name|[sd]host|dvchost|rhost|vhost|domain|domain_name|fqdn|instance_?id)$/;
const SECRET =
  /(?:^|_)(?:session|session_?id|sid|ses_?id|token|access_?token|id_?token|cookie|secret|password|passwd|pwd|api_?key|access_?key|authorization|ssn|phone|phone_?number|mobile|iban|card|card_?number|pan|serial_?number|licen[cs]e|passport|query_?id|request_?id|trace_?id|span_?id|transaction_?id|correlation_?id|machine_?id|boot_?id|tenant_?id|fingerprint)$/;
/** Numbers with many digits that say how much, not who. */
const MEASURE =
  /(?:^|_)(?:bytes?|size|length|len|duration|time|elapsed|latency|ns|us|ms|nanos|micros|millis|count|total|offset|rss|memory|mem|position|lsn|seq|sequence|rows|delay|timestamp|ts)$/;

/** What the name of a field says about its values; null: nothing. */
export const kindOfField = (name: string): PrivateKind | null => {
  const text = normal(name);
  if (USER.test(text)) return 'user';
  if (HOST.test(text)) return 'host';
  return SECRET.test(text) ? 'token' : null;
};

/** Numbers with many digits that are the same in the logs of others. */
const SHARED =
  /(?:^|_)(?:keywords?|flags?|mask|op_?code|level|task|version|severity|priority|facility|code|status|errno|arch|syscall|type|kind|category|event_id|qualifiers)$/;
/** Texts such as `6.1.1.2` that are no addresses. */
const VERSION = /(?:^|_)(?:version|ver|build|release|revision|firmware)(?:_|$)/;

export const isShared = (name: string): boolean => SHARED.test(normal(name));

export const isVersion = (name: string): boolean => VERSION.test(normal(name));

export const isMeasure = (name: string): boolean => MEASURE.test(normal(name));
