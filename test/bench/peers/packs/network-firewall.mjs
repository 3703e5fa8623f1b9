/** The library generator network-firewall by hand: CEF lines, without its attacks. */
import { endsOf } from './draws.mjs';
import { isoOf, json } from './texts.mjs';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const SECOND = 1_000_000;
const UPTIME_AT_START = (41 * 24 + 7) * 3_600 * SECOND;

const END_REASONS = [
  ['tcp-fin', 'aged-out', 'tcp-rst-from-client', 'tcp-rst-from-server'],
  endsOf([70, 18, 7, 5]),
];
const OUTSIDE = ['198.51.100.', '192.0.2.'];
const INSIDE_RULES = [['block-legacy-protocols', 'guest-web-only', 'block-unsanctioned'], endsOf([5, 3, 2])];
const POLICIES = {
  'default-deny': 99,
  'block-legacy-protocols': 40,
  'guest-web-only': 41,
  'block-unsanctioned': 42,
};
const DENY_ACTIONS = [['drop', 'deny', 'reset-both'], endsOf([80, 15, 5])];
const COUNTRIES = [['US', 'NL', 'DE', 'BR', 'SG', 'IN', 'FR', 'GB'], endsOf([20, 14, 18, 9, 8, 11, 9, 11])];
const DENIED_BYTES = [40, 44, 60, 64, 74];
const URL_ACTIONS = [['alert', 'continue', 'block-url', 'override'], endsOf([900, 30, 60, 10])];
const RISKS = [['low-risk', 'medium-risk', 'high-risk'], endsOf([86, 11, 3])];
const AGENTS = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) ExampleBrowser/142.0',
    'Mozilla/5.0 (X11; Linux x86_64) ExampleBrowser/141.0',
    'ExampleUpdater/7.2',
    'example-client/3.11',
  ],
  endsOf([70, 14, 9, 7]),
];
const PROFILES = [['strict', 'default', 'servers'], endsOf([6, 3, 1])];
const EXTENSIONS = [
  ['pdf', 'docx', 'zip', 'exe', 'msi', 'xlsx', 'js', 'iso'],
  endsOf([30, 18, 16, 12, 5, 12, 5, 2]),
];
const STEMS = [
  'invoice',
  'report',
  'setup',
  'update',
  'contract',
  'photos',
  'budget',
  'minutes',
  'order',
  'client',
];
const VERDICTS = [['benign', 'grayware', 'malware', 'phishing'], endsOf([930, 40, 22, 8])];
const FILE_ACTIONS = [['block', 'alert'], endsOf([9, 1])];
const FILE_SEVERITIES = { benign: 1, grayware: 2, malware: 4, phishing: 4 };
const NAT_KINDS = [['dynamic-ip-and-port', 'static-ip', 'persistent'], endsOf([90, 6, 4])];
const MAPPING_SOURCES = [
  ['directory-agent', 'vpn', 'captive-portal', 'syslog-listener'],
  endsOf([70, 14, 8, 8]),
];
const MAPPING_TIMEOUTS = [2_700, 3_600, 28_800];
const UNMAP_REASONS = [['timeout', 'logoff', 'replaced'], endsOf([6, 3, 1])];
const VERBS = [['set', 'edit', 'move', 'delete', 'rename'], endsOf([50, 30, 9, 7, 4])];
const ADMIN_TYPES = {
  'admin-login': 'start',
  'admin-logout': 'end',
  'config-view': 'access',
  'config-commit': 'change',
  'config-change': 'change',
};
const STATES = [['resources', 'cluster', 'update', 'license', 'certificate'], endsOf([70, 16, 9, 3, 2])];
const STATE_TEXTS = {
  resources: 'Load of the last minute',
  cluster: 'Cluster member answers, state is in sync',
  update: 'Signature update checked, no newer version',
  license: 'License server reached, all features licensed',
  certificate: 'Revocation list loaded',
};
const STATE_CODES = { resources: 70001, cluster: 70002, update: 70003, license: 70004, certificate: 70005 };

const LABEL = 'flexString1Label=anomaly flexString1=none';
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
/** A number between limits with one digit; a limit itself has none. */
const oneDigit = (value, low, high) =>
  value < low || value > high ? `${clamp(value, low, high)}` : value.toFixed(1);

export const make = ({ draws, samples, params }) => {
  const { integer, choice, chance, one, uuid4, hex, lognormal, gauss, sha256 } = draws;
  const { vendor, product, version, firewall, serial, address, nat_prefix } = params;
  const weighted = ([items, ends]) => draws.weighted(items, ends);
  const withEnds = (rows) => [rows, endsOf(rows.map(({ weight }) => weight))];
  const hosts = withEnds(samples.hosts);
  const sites = withEnds(samples.destinations);
  const threats = withEnds(samples.threats);
  const pages = withEnds(samples.pages);
  const services = withEnds(samples.services);
  const admins = withEnds(samples.admins);

  const connections = [];
  const mappings = [];
  const adminSessions = [];
  let sessionId = 481_200;
  let sequence = 7_204_000;
  let config = 1_480;
  let upSince = null;

  /** `Nov 23 08:00:00` from ISO text. */
  const syslogTime = (iso) => `${MONTHS[iso.slice(5, 7) - 1]} ${iso.slice(8, 10)} ${iso.slice(11, 19)}`;
  const msOf = (micros) => Math.trunc((micros / SECOND) * 1_000);
  const secondsBetween = (from, to) => Math.trunc((to - from) / SECOND);

  const cef = (iso, ms, code, title, severity, rest) =>
    `${syslogTime(iso)} ${firewall} CEF:0|${vendor}|${product}|${version}|${code}|${title}|${severity}|rt=${ms} deviceExternalId=${serial} externalId=${sequence} ${rest} ${LABEL}`;

  const head = (iso, event, original) =>
    `{"@timestamp": "${iso}", "ecs": {"version": "8.17.0"}, "event": {${event}, "id": "${uuid4()}", "sequence": ${sequence}, "original": ${json(original)}}, `;

  const device = `"observer": {"type": "firewall", "vendor": "${vendor}", "product": "${product}", "version": "${version}", "name": "${firewall}", `;
  const observer = `${device}"serial_number": "${serial}", `;
  const observerWithIp = `${device}"ip": ["${address}"], "serial_number": "${serial}"}, `;
  const egress = '"egress": {"interface": {"name": "ethernet1/1"}, "zone": "internet"}}, ';
  const observed = (host) =>
    `${observer}"ingress": {"interface": {"name": "${host.interface}"}, "zone": "${host.zone}"}, ${egress}`;
  const observedWithVlan = (host) =>
    `${observer}"ingress": {"interface": {"name": "${host.interface}"}, "vlan": {"id": "${host.vlan}"}, "zone": "${host.zone}"}, ${egress}`;
  const ruleOf = (site, ruleset = 'edge') =>
    `"rule": {"id": "${site.policy}", "name": "${site.rule}", "ruleset": "${ruleset}"}, `;
  const userOf = (host) => `"user": {"name": "${host.user}", "group": {"name": "${host.group}"}}`;
  const natOf = (connection) => `"nat": {"ip": "${connection.natIp}", "port": ${connection.natPort}}`;
  const labels = '"labels": {"anomaly": "none"}, ';
  const relatedOf = (host, connection, site) =>
    `"related": {"ip": ["${host.ip}", "${connection.natIp}", "${site.ip}"], "user": ["${host.user}"], "hosts": ["${host.name}"]}}`;
  const networkOf = (site, direction, transport = site.protocol, iana = site.iana) =>
    `"network": {"type": "ipv4", "transport": "${transport}", "iana_number": "${iana}", "protocol": "${site.service}", "application": "${site.app}", "direction": "${direction}"`;

  const sessionStart = (iso, micros) => {
    if (connections.length >= params.max_sessions) return null;
    const host = weighted(hosts);
    const site = weighted(sites);
    sessionId += integer(1, 7);
    sequence++;
    const sent = Math.trunc(clamp(lognormal(site.sent_mu, 0.7), 60, 40_000_000));
    const received = Math.trunc(clamp(lognormal(site.received_mu, 0.9), 60, 400_000_000));
    const connection = {
      id: sessionId,
      event: uuid4(),
      host,
      site,
      port: integer(49_152, 65_535),
      natIp: `${nat_prefix}.${integer(16, 23)}`,
      natPort: integer(1_024, 65_535),
      started: micros,
      sent,
      received,
      reason: site.protocol === 'tcp' ? weighted(END_REASONS) : 'aged-out',
    };
    connections.push(connection);
    const ms = msOf(micros);
    const syn = site.protocol === 'tcp' ? 66 : 78;
    const original = cef(
      iso,
      ms,
      10001,
      'Session start',
      2,
      `cat=traffic act=allow outcome=success proto=${site.protocol.toUpperCase()} app=${site.app} src=${host.ip} shost=${host.name} smac=${host.mac} spt=${connection.port} suser=${host.user} sourceTranslatedAddress=${connection.natIp} sourceTranslatedPort=${connection.natPort} dst=${site.ip} dpt=${site.port} deviceInboundInterface=${host.interface} deviceOutboundInterface=ethernet1/1 out=${syn} in=0 cn1Label=sessionId cn1=${sessionId} cs1Label=rule cs1=${site.rule} cs2Label=sourceZone cs2=${host.zone} cs3Label=destinationZone cs3=internet start=${ms}`,
    );
    return `{"@timestamp": "${iso}", "ecs": {"version": "8.17.0"}, "event": {"kind": "event", "category": ["network", "session"], "type": ["connection", "start", "allowed"], "action": "session-start", "outcome": "success", "code": "10001", "dataset": "firewall.traffic", "id": "${connection.event}", "sequence": ${sequence}, "start": "${iso}", "original": ${json(original)}}, ${observedWithVlan(host)}${ruleOf(site)}"source": {"ip": "${host.ip}", "port": ${connection.port}, "mac": "${host.mac}", "domain": "${host.name}", ${natOf(connection)}, ${userOf(host)}, "bytes": ${syn}, "packets": 1}, "destination": {"ip": "${site.ip}", "port": ${site.port}, "geo": {"country_iso_code": "${site.country}"}, "as": {"number": ${site.asn}, "organization": {"name": "${site.as_name}"}}}, ${networkOf(site, 'outbound')}}, "firewall": {"session_id": ${sessionId}, "open_sessions": ${connections.length}}, ${labels}${relatedOf(host, connection, site)}`;
  };

  const sessionEnd = (iso, micros) => {
    if (connections.length < 12) return null;
    const [connection] = connections.splice(integer(0, connections.length - 1), 1);
    const { host, site, sent, received, reason } = connection;
    sequence++;
    const isUdp = site.protocol === 'udp';
    const sentPackets = isUdp
      ? Math.floor(sent / 1_100) + integer(1, 3)
      : Math.floor(sent / 900) + integer(5, 12);
    const receivedPackets = isUdp
      ? Math.floor(received / 1_300) + integer(1, 2)
      : Math.floor(received / 1_380) + integer(4, 9);
    const seconds = secondsBetween(connection.started, micros);
    const start = isoOf(connection.started);
    const ms = msOf(micros);
    const original = cef(
      iso,
      ms,
      10002,
      'Session end',
      2,
      `cat=traffic act=allow reason=${reason} proto=${site.protocol.toUpperCase()} app=${site.app} src=${host.ip} shost=${host.name} spt=${connection.port} suser=${host.user} sourceTranslatedAddress=${connection.natIp} sourceTranslatedPort=${connection.natPort} dst=${site.ip} dpt=${site.port} deviceInboundInterface=${host.interface} deviceOutboundInterface=ethernet1/1 out=${sent} in=${received} cn1Label=sessionId cn1=${connection.id} cn2Label=packets cn2=${sentPackets + receivedPackets} cn3Label=seconds cn3=${seconds} cs1Label=rule cs1=${site.rule} cs2Label=sourceZone cs2=${host.zone} cs3Label=destinationZone cs3=internet cs4Label=urlCategory cs4=${site.category} start=${ms - seconds * 1_000} end=${ms}`,
    );
    return `{"@timestamp": "${iso}", "ecs": {"version": "8.17.0"}, "event": {"kind": "event", "category": ["network", "session"], "type": ["connection", "end"], "action": "session-end", "outcome": "success", "reason": "${reason}", "code": "10002", "dataset": "firewall.traffic", "id": "${uuid4()}", "sequence": ${sequence}, "start": "${start}", "end": "${iso}", "duration": ${seconds * 1_000_000_000}, "original": ${json(original)}}, ${observedWithVlan(host)}${ruleOf(site)}"source": {"ip": "${host.ip}", "port": ${connection.port}, "mac": "${host.mac}", "domain": "${host.name}", ${natOf(connection)}, ${userOf(host)}, "bytes": ${sent}, "packets": ${sentPackets}}, "destination": {"ip": "${site.ip}", "port": ${site.port}, "geo": {"country_iso_code": "${site.country}"}, "as": {"number": ${site.asn}, "organization": {"name": "${site.as_name}"}}, "bytes": ${received}, "packets": ${receivedPackets}}, ${networkOf(site, 'outbound')}, "bytes": ${sent + received}, "packets": ${sentPackets + receivedPackets}}, "firewall": {"session_id": ${connection.id}, "start_event": "${connection.event}", "url_category": "${site.category}"}, ${labels}${relatedOf(host, connection, site)}`;
  };

  const sessionDenied = (iso, micros) => {
    const service = weighted(services);
    const isOutside = chance(0.8);
    const host = one(samples.hosts);
    const site = one(samples.destinations);
    const sourceIp = isOutside ? choice(OUTSIDE) + integer(1, 254) : host.ip;
    const targetIp = isOutside ? `${nat_prefix}.${integer(16, 31)}` : site.ip;
    const sourceZone = isOutside ? 'internet' : host.zone;
    const targetZone = isOutside ? 'servers' : 'internet';
    const ingress = isOutside ? 'ethernet1/1' : host.interface;
    const egressName = isOutside ? 'ethernet1/4' : 'ethernet1/1';
    const rule = isOutside ? 'default-deny' : weighted(INSIDE_RULES);
    const action = weighted(DENY_ACTIONS);
    const country = isOutside ? weighted(COUNTRIES) : site.country;
    const port = integer(1_024, 65_535);
    const bytes = choice(DENIED_BYTES);
    sessionId += integer(1, 7);
    sequence++;
    const ms = msOf(micros);
    const original = cef(
      iso,
      ms,
      10003,
      'Session denied',
      4,
      `cat=traffic act=${action} outcome=failure reason=policy-deny proto=${service.protocol.toUpperCase()} app=not-applicable src=${sourceIp} spt=${port} dst=${targetIp} dpt=${service.port} deviceInboundInterface=${ingress} deviceOutboundInterface=${egressName} out=${bytes} in=0 cn1Label=sessionId cn1=${sessionId} cn2Label=packets cn2=1 cs1Label=rule cs1=${rule} cs2Label=sourceZone cs2=${sourceZone} cs3Label=destinationZone cs3=${targetZone} cs5Label=country cs5=${country} start=${ms} end=${ms}`,
    );
    const who = isOutside
      ? `"geo": {"country_iso_code": "${country}"}`
      : `"domain": "${host.name}", ${userOf(host)}`;
    return `${head(iso, '"kind": "event", "category": ["network"], "type": ["connection", "denied"], "action": "session-denied", "outcome": "failure", "reason": "policy-deny", "code": "10003", "dataset": "firewall.traffic"', original)}${observer}"ingress": {"interface": {"name": "${ingress}"}, "zone": "${sourceZone}"}, "egress": {"interface": {"name": "${egressName}"}, "zone": "${targetZone}"}}, "rule": {"id": "${POLICIES[rule]}", "name": "${rule}", "ruleset": "edge"}, "source": {"ip": "${sourceIp}", "port": ${port}, ${who}, "bytes": ${bytes}, "packets": 1}, "destination": {"ip": "${targetIp}", "port": ${service.port}, "bytes": 0, "packets": 0}, "network": {"type": "ipv4", "transport": "${service.protocol}", "iana_number": "${service.iana}", "protocol": "${service.service}", "direction": "${isOutside ? 'inbound' : 'outbound'}", "bytes": ${bytes}, "packets": 1}, "firewall": {"session_id": ${sessionId}, "action": "${action}"}, ${labels}"related": {"ip": ["${sourceIp}", "${targetIp}"]}}`;
  };

  const url = (iso, micros) => {
    if (connections.length < 8) return null;
    const connection = choice(connections);
    const { host, site } = connection;
    if (!site.web) return null;
    const page = weighted(pages);
    const action = weighted(URL_ACTIONS);
    const isBlocked = action === 'block-url';
    const outcome = isBlocked ? 'failure' : 'success';
    const risk = weighted(RISKS);
    const agent = weighted(AGENTS);
    const scheme = site.service === 'http' ? 'http' : 'https';
    const full = `${scheme}://${site.domain}${page.path}`;
    const bytes = Math.trunc(clamp(lognormal(9.2, 1.1), 120, 900_000));
    sequence++;
    const original = cef(
      iso,
      msOf(micros),
      20001,
      'URL filtering',
      isBlocked ? 5 : 2,
      `cat=url act=${action} outcome=${outcome} proto=TCP app=${site.app} src=${host.ip} spt=${connection.port} suser=${host.user} dst=${site.ip} dpt=${site.port} dhost=${site.domain} request=${full} requestMethod=${page.method} requestClientApplication=${agent} fileType=${page.type} in=${bytes} cn1Label=sessionId cn1=${connection.id} cs1Label=rule cs1=${site.rule} cs2Label=sourceZone cs2=${host.zone} cs3Label=destinationZone cs3=internet cs4Label=urlCategory cs4=${site.category} cs5Label=urlRisk cs5=${risk}`,
    );
    return `${head(iso, `"kind": "event", "category": ["web", "network"], "type": ["access", "${isBlocked ? 'denied' : 'allowed'}"], "action": "url-filtering", "outcome": "${outcome}", "code": "20001", "dataset": "firewall.url"`, original)}${observed(host)}${ruleOf(site)}"source": {"ip": "${host.ip}", "port": ${connection.port}, ${userOf(host)}}, "destination": {"ip": "${site.ip}", "port": ${site.port}, "domain": "${site.domain}"}, ${networkOf(site, 'outbound', 'tcp', 6)}}, "http": {"request": {"method": "${page.method}"}, "response": {"status_code": ${isBlocked ? 503 : 200}, "mime_type": "${page.type}", "body": {"bytes": ${bytes}}}}, "url": {"full": "${full}", "scheme": "${scheme}", "domain": "${site.domain}", "path": "${page.path}"}, "user_agent": {"original": "${agent}"}, "firewall": {"session_id": ${connection.id}, "action": "${action}", "url_category": "${site.category}", "url_risk": "${risk}"}, ${labels}"related": {"ip": ["${host.ip}", "${site.ip}"], "user": ["${host.user}"], "hosts": ["${site.domain}"]}}`;
  };

  const threat = (iso, micros) => {
    if (connections.length < 8) return null;
    const connection = choice(connections);
    const { host, site } = connection;
    const found = weighted(threats);
    const isToServer = chance(0.65);
    const isAlert = found.action === 'alert';
    if (!isAlert && site.protocol === 'tcp') connection.reason = 'threat';
    const page = one(samples.pages);
    const packet = integer(1, 400);
    const outcome = isAlert ? 'success' : 'failure';
    const profile = weighted(PROFILES);
    sequence++;
    const original = cef(
      iso,
      msOf(micros),
      found.id,
      found.name,
      found.cef,
      `cat=threat act=${found.action} outcome=${outcome} proto=${site.protocol.toUpperCase()} app=${site.app} src=${host.ip} spt=${connection.port} suser=${host.user} sourceTranslatedAddress=${connection.natIp} dst=${site.ip} dpt=${site.port} dhost=${site.domain} request=${page.path} deviceInboundInterface=${host.interface} deviceOutboundInterface=ethernet1/1 deviceDirection=${isToServer ? 1 : 0} cn1Label=sessionId cn1=${connection.id} cs1Label=rule cs1=${site.rule} cs2Label=sourceZone cs2=${host.zone} cs3Label=destinationZone cs3=internet cs4Label=threatCategory cs4=${found.category} cs5Label=technique cs5=${found.technique} cs6Label=profile cs6=${profile}`,
    );
    return `${head(iso, `"kind": "alert", "category": ["intrusion_detection", "network"], "type": ["info", "${isAlert ? 'allowed' : 'denied'}"], "action": "threat-detected", "outcome": "${outcome}", "code": "${found.id}", "severity": ${found.level}, "dataset": "firewall.threat"`, original)}${observed(host)}"rule": {"id": "${found.id}", "name": "${found.name}", "category": "${found.category}", "ruleset": "${profile}"}, "source": {"ip": "${host.ip}", "port": ${connection.port}, ${natOf(connection)}, ${userOf(host)}}, "destination": {"ip": "${site.ip}", "port": ${site.port}, "domain": "${site.domain}", "geo": {"country_iso_code": "${site.country}"}}, ${networkOf(site, isToServer ? 'outbound' : 'inbound')}}, "url": {"domain": "${site.domain}", "path": "${page.path}"}, "threat": {"framework": "MITRE ATT&CK", "technique": {"id": ["${found.technique}"]}}, "firewall": {"session_id": ${connection.id}, "action": "${found.action}", "severity": "${found.severity}", "direction": "${isToServer ? 'client-to-server' : 'server-to-client'}", "packet": ${packet}}, ${labels}"related": {"ip": ["${host.ip}", "${site.ip}"], "user": ["${host.user}"], "hosts": ["${site.domain}"]}}`;
  };

  const file = (iso, micros) => {
    if (connections.length < 8) return null;
    const connection = choice(connections);
    const { host, site } = connection;
    if (!site.web) return null;
    const extension = weighted(EXTENSIONS);
    const stem = choice(STEMS);
    const name = `${stem}-${String(integer(1, 9_999)).padStart(4, '0')}.${extension}`;
    const verdict = weighted(VERDICTS);
    const action = verdict === 'benign' || verdict === 'grayware' ? 'allow' : weighted(FILE_ACTIONS);
    const severity = FILE_SEVERITIES[verdict];
    const size = Math.trunc(clamp(lognormal(12.4, 1.6), 900, 90_000_000));
    const digest = sha256();
    const isUpload = chance(0.2);
    const isBlocked = action === 'block';
    const outcome = isBlocked ? 'failure' : 'success';
    sequence++;
    const original = cef(
      iso,
      msOf(micros),
      30001,
      'File analysis',
      severity * 2,
      `cat=file act=${action} outcome=${outcome} proto=TCP app=${site.app} src=${host.ip} spt=${connection.port} suser=${host.user} dst=${site.ip} dpt=${site.port} dhost=${site.domain} fname=${name} fsize=${size} fileType=${extension} fileHash=${digest} deviceDirection=${isUpload ? 1 : 0} cn1Label=sessionId cn1=${connection.id} cs1Label=rule cs1=${site.rule} cs2Label=sourceZone cs2=${host.zone} cs3Label=destinationZone cs3=internet cs4Label=verdict cs4=${verdict}`,
    );
    return `${head(iso, `"kind": "event", "category": ["file", "network"], "type": ["info", "${isBlocked ? 'denied' : 'allowed'}"], "action": "file-analysed", "outcome": "${outcome}", "code": "30001", "severity": ${severity}, "dataset": "firewall.file"`, original)}${observed(host)}${ruleOf(site)}"file": {"name": "${name}", "extension": "${extension}", "size": ${size}, "hash": {"sha256": "${digest}"}}, "source": {"ip": "${host.ip}", "port": ${connection.port}, "domain": "${host.name}", ${userOf(host)}}, "destination": {"ip": "${site.ip}", "port": ${site.port}, "domain": "${site.domain}", "geo": {"country_iso_code": "${site.country}"}}, ${networkOf(site, isUpload ? 'outbound' : 'inbound', 'tcp', 6)}}, "firewall": {"session_id": ${connection.id}, "action": "${action}", "verdict": "${verdict}", "profile": "file-strict"}, ${labels}"related": {"ip": ["${host.ip}", "${site.ip}"], "user": ["${host.user}"], "hash": ["${digest}"]}}`;
  };

  const nat = (iso, micros) => {
    if (connections.length < 8) return null;
    const connection = choice(connections);
    const { host, site } = connection;
    const kind = weighted(NAT_KINDS);
    const block = Math.floor(connection.natPort / 512) * 512;
    const used = Math.trunc(clamp(gauss(180, 60), 1, 512));
    const pool = `pool-${site.rule.replaceAll('allow-', '')}`;
    const age = secondsBetween(connection.started, micros);
    const timeout = site.protocol === 'tcp' ? 3_600 : 30;
    sequence++;
    const original = cef(
      iso,
      msOf(micros),
      40001,
      'NAT translation',
      1,
      `cat=nat act=translate outcome=success proto=${site.protocol.toUpperCase()} src=${host.ip} spt=${connection.port} suser=${host.user} sourceTranslatedAddress=${connection.natIp} sourceTranslatedPort=${connection.natPort} dst=${site.ip} dpt=${site.port} deviceInboundInterface=${host.interface} deviceOutboundInterface=ethernet1/1 cn1Label=sessionId cn1=${connection.id} cn2Label=usedPorts cn2=${used} cn3Label=seconds cn3=${age} cs1Label=natPool cs1=${pool} cs2Label=sourceZone cs2=${host.zone} cs3Label=destinationZone cs3=internet cs4Label=natType cs4=${kind} cs5Label=portBlock cs5=${block}-${block + 511}`,
    );
    return `${head(iso, `"kind": "event", "category": ["network"], "type": ["connection", "info"], "action": "nat-translation", "outcome": "success", "code": "40001", "start": "${isoOf(connection.started)}", "duration": ${age * 1_000_000_000}, "dataset": "firewall.nat"`, original)}${observed(host)}${ruleOf(site, 'nat')}"source": {"ip": "${host.ip}", "port": ${connection.port}, "domain": "${host.name}", ${natOf(connection)}, ${userOf(host)}}, "destination": {"ip": "${site.ip}", "port": ${site.port}}, "network": {"type": "ipv4", "transport": "${site.protocol}", "iana_number": "${site.iana}", "direction": "outbound"}, "firewall": {"session_id": ${connection.id}, "nat": {"pool": "${pool}", "type": "${kind}", "timeout": ${timeout}, "ports": {"first": ${block}, "last": ${block + 511}, "used": ${used}}}}, ${labels}"related": {"ip": ["${host.ip}", "${connection.natIp}", "${site.ip}"], "user": ["${host.user}"]}}`;
  };

  const userMapping = (iso, micros) => {
    const isEnd = mappings.length >= 40 || (mappings.length > 10 && chance(0.5));
    let mapping;
    if (isEnd) [mapping] = mappings.splice(integer(0, mappings.length - 1), 1);
    else {
      const host = one(samples.hosts);
      mapping = {
        id: hex(12),
        host,
        source: weighted(MAPPING_SOURCES),
        since: micros,
        timeout: choice(MAPPING_TIMEOUTS),
      };
      mappings.push(mapping);
    }
    const { host, id, source, timeout } = mapping;
    const action = isEnd ? 'user-unmapped' : 'user-mapped';
    const reason = isEnd ? weighted(UNMAP_REASONS) : 'logon';
    const seconds = secondsBetween(mapping.since, micros);
    const agent = `agent-${integer(1, 3)}`;
    sequence++;
    const ms = msOf(micros);
    const original = cef(
      iso,
      ms,
      50001,
      'User mapping',
      2,
      `cat=userid act=${action} outcome=success reason=${reason} src=${host.ip} shost=${host.name} smac=${host.mac} suser=${host.user} spriv=${host.group} deviceInboundInterface=${host.interface} cn2Label=entries cn2=${mappings.length} cn3Label=seconds cn3=${seconds} cs1Label=mapping cs1=${id} cs2Label=sourceZone cs2=${host.zone} cs4Label=mappingSource cs4=${source} cs5Label=agent cs5=${agent} cs6Label=timeout cs6=${timeout} start=${ms - seconds * 1_000} msg=User ${host.user} at ${host.ip}: ${reason}`,
    );
    return `${head(iso, `"kind": "event", "category": ["authentication", "session"], "type": ["${isEnd ? 'end' : 'start'}", "info"], "action": "${action}", "outcome": "success", "reason": "${reason}", "code": "50001", "dataset": "firewall.userid", "start": "${isoOf(mapping.since)}", "duration": ${seconds * 1_000_000_000}`, original)}${observerWithIp}"source": {"ip": "${host.ip}", "mac": "${host.mac}", "domain": "${host.name}", ${userOf(host)}}, "user": {"name": "${host.user}", "domain": "example.internal", "group": {"name": "${host.group}"}}, "host": {"name": "${host.name}", "ip": ["${host.ip}"], "mac": ["${host.mac}"]}, "firewall": {"mapping": {"id": "${id}", "source": "${source}", "agent": "${agent}", "timeout": ${timeout}, "entries": ${mappings.length}}, "zone": "${host.zone}", "vlan": ${host.vlan}}, ${labels}"related": {"ip": ["${host.ip}"], "user": ["${host.user}"], "hosts": ["${host.name}"]}}`;
  };

  const admin = (iso, micros) => {
    let session;
    let action;
    if (adminSessions.length === 0 || (adminSessions.length < 4 && chance(0.2))) {
      session = {
        admin: weighted(admins),
        id: hex(16),
        since: micros,
        left: integer(2, 8),
        changes: 0,
      };
      adminSessions.push(session);
      action = 'admin-login';
    } else {
      session = one(adminSessions);
      session.left--;
      if (session.left <= 0) {
        adminSessions.splice(adminSessions.indexOf(session), 1);
        action = 'admin-logout';
      } else if (session.admin.role === 'auditor') action = 'config-view';
      else if (session.left === 1 && session.changes > 0) action = 'config-commit';
      else {
        session.changes++;
        action = 'config-change';
      }
    }
    const { name, role, ip, client } = session.admin;
    const site = one(samples.destinations);
    const verb =
      action === 'config-change'
        ? weighted(VERBS)
        : action.replaceAll('admin-', '').replaceAll('config-', '');
    const path =
      action === 'config-change' || action === 'config-view'
        ? `policy security rules ${site.rule}`
        : 'management';
    if (action === 'config-commit') config++;
    const category =
      action === 'admin-login' || action === 'admin-logout' ? 'authentication' : 'configuration';
    const text = `Administrator ${name} from ${ip}: ${verb} ${path}`;
    sequence++;
    const port = client === 'ssh' ? 22 : 443;
    const original = cef(
      iso,
      msOf(micros),
      60001,
      'Administrator activity',
      category === 'configuration' ? 4 : 3,
      `cat=admin act=${action} outcome=success src=${ip} dst=${address} dhost=${firewall} dpt=${port} suser=${name} spriv=${role} sourceServiceName=${client} cn1Label=configVersion cn1=${config} cn2Label=changes cn2=${session.changes} cs1Label=adminSession cs1=${session.id} cs4Label=command cs4=${verb} cs5Label=path cs5=${path} msg=${text}`,
    );
    return `${head(iso, `"kind": "event", "category": ["${category}"], "type": ["admin", "${ADMIN_TYPES[action]}"], "action": "${action}", "outcome": "success", "code": "60001", "dataset": "firewall.admin"`, original)}${observerWithIp}"message": "${text}", "source": {"ip": "${ip}", "user": {"name": "${name}", "roles": ["${role}"]}}, "destination": {"ip": "${address}", "port": ${port}, "domain": "${firewall}"}, "user": {"name": "${name}", "roles": ["${role}"]}, "host": {"name": "${firewall}", "ip": ["${address}"], "type": "firewall"}, "firewall": {"admin": {"session": "${session.id}", "since": "${isoOf(session.since)}", "client": "${client}", "changes": ${session.changes}}, "config": {"version": ${config}, "command": "${verb}", "path": "${path}"}}, ${labels}"related": {"ip": ["${ip}", "${address}"], "user": ["${name}"], "hosts": ["${firewall}"]}}`;
  };

  const system = (iso, micros) => {
    const kind = weighted(STATES);
    const open = connections.length;
    const cpu = oneDigit(gauss(18 + open / 10, 6), 1, 99);
    const memory = oneDigit(gauss(52, 2), 30, 95);
    const disk = integer(31, 44);
    const temperature = gauss(41, 1.5).toFixed(1);
    upSince ??= micros - UPTIME_AT_START;
    const seconds = secondsBetween(upSince, micros);
    const text = STATE_TEXTS[kind];
    const code = STATE_CODES[kind];
    const severity = Number(cpu) > 60 ? 3 : 1;
    sequence++;
    const day = iso.slice(0, 10).replaceAll('-', '');
    const original = cef(
      iso,
      msOf(micros),
      code,
      'System state',
      severity,
      `cat=system act=${kind} outcome=success dhost=${firewall} dst=${address} cfp1Label=cpu cfp1=${cpu} cfp2Label=memory cfp2=${memory} cfp3Label=temperature cfp3=${temperature} cn1Label=openSessions cn1=${open} cn2Label=disk cn2=${disk} cn3Label=uptime cn3=${seconds} cs1Label=clusterState cs1=active cs2Label=peer cs2=${firewall}-peer cs4Label=signatures cs4=${day}-01 cs5Label=power cs5=ok cs6Label=fans cs6=4200,4180 msg=${text}`,
    );
    return `${head(iso, `"kind": "event", "category": ["host"], "type": ["info"], "action": "${kind}", "outcome": "success", "code": "${code}", "severity": ${severity}, "dataset": "firewall.system"`, original)}${observerWithIp}"message": "${text}", "host": {"name": "${firewall}", "ip": ["${address}"], "type": "firewall", "uptime": ${seconds}, "cpu": {"usage": ${cpu}}, "os": {"name": "${product}", "version": "${version}"}}, "firewall": {"open_sessions": ${open}, "max_sessions": ${params.max_sessions}, "memory": {"used": {"pct": ${memory}}}, "disk": {"used": {"pct": ${disk}}}, "temperature": {"celsius": ${temperature}}, "fans": [{"name": "fan1", "rpm": 4200}, {"name": "fan2", "rpm": 4180}], "power": [{"name": "power1", "status": "ok"}, {"name": "power2", "status": "ok"}], "cluster": {"state": "active", "peer": "${firewall}-peer", "sync": "complete"}, "signatures": {"version": "${day}-01"}}, ${labels}"related": {"ip": ["${address}"], "hosts": ["${firewall}", "${firewall}-peer"]}}`;
  };

  const nothing = () => null;
  return {
    'session-start': sessionStart,
    'session-end': sessionEnd,
    'session-denied': sessionDenied,
    url,
    threat,
    file,
    nat,
    'user-mapping': userMapping,
    admin,
    system,
    'port-scan': nothing,
    beaconing: nothing,
    'data-theft': nothing,
  };
};
