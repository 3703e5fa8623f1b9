/** The pack shop-web by hand, without its attacks. */
import { endsOf } from './draws.mjs';
import { json } from './texts.mjs';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const UPSTREAMS = ['10.30.2.11', '10.30.2.12', '10.30.2.13'];

const VERSIONS = [['2.0', '1.1', '3.0'], endsOf([78, 8, 14])];
const LANDINGS = [['home', 'product', 'category', 'article'], endsOf([45, 30, 18, 7])];
const ARTICLES = ['small-rooms', 'balcony-in-march', 'lamp-guide', 'wool-care', 'table-for-eight'];
const CAMPAIGNS = [['', 'spring', 'newsletter-09', 'retarget'], endsOf([80, 8, 8, 4])];
const LANDING_STATUSES = [[200, 304, 301, 500], endsOf([930, 40, 25, 5])];
const PAGES = [
  [
    ['/', 24000, 38000, false],
    ['/c/lamps', 30000, 52000, true],
    ['/c/chairs', 30000, 50000, true],
    ['/c/kitchen', 30000, 58000, true],
    ['/c/garden', 26000, 44000, true],
    ['/c/textiles', 28000, 47000, true],
    ['/sale', 40000, 64000, true],
    ['/magazine', 18000, 29000, false],
    ['/stores', 11000, 16000, false],
    ['/help/returns', 8000, 9500, false],
    ['/help/delivery', 8000, 9900, false],
    ['/about', 7000, 8000, false],
    ['/legal/privacy', 21000, 21400, false],
    ['/account', 9000, 15000, false],
  ],
  endsOf([18, 14, 11, 13, 9, 9, 14, 5, 3, 3, 4, 1, 1, 4]),
];
const PAGE_NUMBERS = [[1, 2, 3, 4, 5], endsOf([60, 20, 10, 6, 4])];
const ORDERS = [['', 'price', 'new', 'rating'], endsOf([70, 15, 8, 7])];
const PAGE_STATUSES = [[200, 304, 500], endsOf([940, 55, 5])];
const PRODUCT_METHODS = [['GET', 'HEAD'], endsOf([995, 5])];
const VARIANTS = [['', 'natural', 'black', 'white', 'sand'], endsOf([70, 10, 8, 7, 5])];
const PRODUCT_STATUSES = [[200, 304, 404, 500, 503], endsOf([918, 60, 14, 6, 2])];
const TERM_ENDS = endsOf([50, 20, 20, 10]);
const SEARCH_STATUSES = [[200, 429, 500, 504], endsOf([980, 8, 7, 5])];
const ASSETS = [['webp', 'js', 'css', 'woff2', 'svg', 'ico'], endsOf([55, 18, 10, 6, 9, 2])];
const WIDTHS = [320, 480, 640, 960];
const ASSET_NAMES = ['main', 'vendor', 'cart', 'gallery', 'icons', 'account'];
const ASSET_BYTES = { js: 88400, css: 21700, woff2: 31200, svg: 5200 };
const ASSET_STATUSES = [[200, 304, 206, 404], endsOf([700, 285, 9, 6])];
const HITS = [['HIT', 'MISS', 'REVALIDATED', 'STALE'], endsOf([90, 6, 3, 1])];
const CART_METHODS = [['POST', 'GET', 'PATCH', 'DELETE'], endsOf([25, 50, 15, 10])];
const COUNTS = [[1, 2, 3, 4, 6], endsOf([70, 17, 5, 5, 3])];
const CART_STATUSES = { POST: 201, GET: 200, PATCH: 200, DELETE: 204 };
const CART_ENDS = endsOf([970, 20, 10]);
const CART_ACTIONS = { POST: 'cart-add', GET: 'cart-view', PATCH: 'cart-change', DELETE: 'cart-remove' };
const LOGIN_STATUSES = [[302, 401, 429], endsOf([880, 117, 3])];
const STEPS = [['address', 'delivery', 'order'], endsOf([30, 28, 42])];
const CHECKOUT_STATUSES = [[303, 422, 402, 502], endsOf([930, 40, 22, 8])];
const PAYMENTS = [['card', 'invoice', 'wallet', 'transfer'], endsOf([50, 24, 20, 6])];
const CALLS = [
  [
    ['GET', '/v1/orders', 200, 2000, 26000],
    ['GET', '/v1/orders/{id}', 200, 700, 2600],
    ['POST', '/v1/orders', 201, 300, 900],
    ['GET', '/v1/stock', 200, 5000, 90000],
    ['PATCH', '/v1/stock/{id}', 204, 0, 0],
    ['GET', '/v1/products', 200, 9000, 60000],
    ['GET', '/v1/products/{id}', 200, 900, 4200],
    ['POST', '/v1/shipments', 201, 300, 700],
    ['PUT', '/v1/prices/{id}', 200, 200, 400],
    ['POST', '/v1/token', 200, 600, 640],
    ['DELETE', '/v1/webhooks/{id}', 204, 0, 0],
  ],
  endsOf([20, 16, 6, 18, 10, 9, 12, 5, 4, 6, 1]),
];
const LISTS = new Set(['/v1/orders', '/v1/stock', '/v1/products']);
const CALL_ENDS = endsOf([930, 12, 6, 18, 10, 14, 6, 4]);
const API_VERSIONS = [['2.0', '1.1'], endsOf([60, 40])];
const BOT_METHODS = [['GET', 'HEAD'], endsOf([94, 6])];
const BOT_PATH_ENDS = endsOf([8, 20, 66, 6]);
const BOT_STATUSES = [[200, 304, 301, 429], endsOf([80, 13, 4, 3])];
const BOT_VERSIONS = ['1.1', '2.0'];
const FAULTS = [
  [
    ['not-found', 404, 1487, 0.01],
    ['aborted', 499, 0, 2.4],
    ['too-large', 413, 585, 0.02],
    ['bad-request', 400, 157, 0.01],
    ['upstream-failed', 502, 559, 0.4],
    ['upstream-busy', 503, 197, 0.1],
    ['upstream-timeout', 504, 569, 60],
  ],
  endsOf([50, 22, 3, 7, 8, 5, 5]),
];
const OLD_PATHS = ['/shop/', '/catalog/', '/item/', '/images/'];
const PROBES = [
  [
    {
      ip: '10.30.0.5',
      name: 'lb-health',
      version: '2.8',
      original: 'lb-health/2.8',
      path: '/healthz',
      bytes: 2,
    },
    {
      ip: '10.30.0.6',
      name: 'lb-health',
      version: '2.8',
      original: 'lb-health/2.8',
      path: '/healthz',
      bytes: 2,
    },
    {
      ip: '10.30.0.40',
      name: 'Prometheus',
      version: '3.1.0',
      original: 'Prometheus/3.1.0',
      path: '/metrics',
      bytes: 41200,
    },
    {
      ip: '10.30.0.41',
      name: 'uptime-check',
      version: '1.2',
      original: 'uptime-check/1.2',
      path: '/',
      bytes: 24100,
    },
  ],
  endsOf([40, 40, 12, 8]),
];
const PROBE_STATUSES = [[200, 503], endsOf([997, 3])];
const PROBE_REGIONS = ['eu-north', 'eu-west', 'us-east'];

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
/** A float of the template language as text. */
const float = (value) => (Number.isInteger(value) ? `${value}.0` : `${value}`);

export const make = ({ draws, samples, params }) => {
  const { integer, choice, chance, one, uuid4, hex, lognormal, floating } = draws;
  const { shop_domain, api_domain, host, host_ip, build, agent_version } = params;
  const weighted = ([items, ends]) => draws.weighted(items, ends);
  const withEnds = (rows) => [rows, endsOf(rows.map(({ weight }) => weight))];
  const networks = withEnds(samples.networks);
  const agents = withEnds(samples.agents);
  const referrers = withEnds(samples.referrers);
  const products = withEnds(samples.products);
  const clients = withEnds(samples.clients);
  const bots = withEnds(samples.bots);

  const visitors = [];
  const cursors = new Map();
  const greeted = new Map();
  const failures = [];
  let lastConnection = 1_040_000;
  let offset = 0;
  let orders = 260_300_000;
  let probes = 0;

  const secondsOf = (mu, sigma, low = 0.002, high = 30) =>
    Number(clamp(lognormal(mu, sigma), low, high).toFixed(3));
  const nextConnection = () => {
    lastConnection += integer(1, 6);
    return lastConnection;
  };

  /** `23/Nov/2026:08:00:00 +0000` from ISO text. */
  const logTime = (iso) =>
    `${iso.slice(8, 10)}/${MONTHS[iso.slice(5, 7) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;

  const start = `"ecs": {"version": "8.17.0"}, "agent": {"name": "${host}", "type": "filebeat", "version": "${agent_version}"}, "host": {"name": "${host}", "ip": ["${host_ip}"]}, "labels": {"anomaly": "none"}, "log": {"file": {"path": "/var/log/nginx/access.log"}, "offset": `;

  const write = (iso, request) => {
    const { ip, login = '-', method, path, query = '', version, status, bytes, referrer, agent } = request;
    const { action, type = '"access"', seconds, domain = shop_domain, requestId, network, extra } = request;
    const { userAgent, visit = '', connection, upstream } = request;
    const target = query === '' ? path : `${path}?${query}`;
    const line = `${ip} - ${login} [${logTime(iso)}] "${method} ${target} HTTP/${version}" ${status} ${bytes} "${referrer}" "${agent}"`;
    const from = offset;
    offset += line.length + 1;
    const sent = integer(380, 1_900);
    const port = integer(1_024, 65_535);
    const shownReferrer = referrer === '-' ? '' : `"referrer": "${referrer}", `;
    const shownQuery = query === '' ? '' : `"query": "${query}", `;
    const shownUpstream =
      upstream === null
        ? ''
        : `, "upstream": {"address": "${upstream}:8080", "status": ${status}, "response_time": ${(seconds * 0.96).toFixed(3)}}`;
    return `{"@timestamp": "${iso}", ${start}${from}}, "event": {"kind": "event", "module": "nginx", "dataset": "nginx.access", "category": ["web"], "type": [${type}], "action": "${action}", "outcome": "${status < 400 ? 'success' : 'failure'}", "duration": ${Math.trunc(seconds * 1_000_000_000)}, "original": ${json(line)}}, "http": {"version": "${version}", "request": {"id": "${requestId}", "method": "${method}", ${shownReferrer}"bytes": ${sent}}, "response": {"status_code": ${status}, "body": {"bytes": ${bytes}}}}, "url": {"scheme": "https", "domain": "${domain}", "path": "${path}", ${shownQuery}"original": "${target}"}, "source": {"ip": "${ip}", "address": "${ip}", "port": ${port}, ${network}}, ${extra()}"user_agent": {${userAgent}}, "tls": {"version": "1.3", "cipher": "TLS_AES_256_GCM_SHA384"}, "nginx": {"access": {${visit}"connection": ${connection}, "request_time": ${seconds.toFixed(3)}${shownUpstream}}}}`;
  };

  const networkOf = (net) =>
    `"as": {"number": ${net.asn}, "organization": {"name": "${net.org}"}}, "geo": {"city_name": "${net.city}", "country_name": "${net.country_name}", "country_iso_code": "${net.country}"}`;
  const agentOf = ({ device, os, name, version, original }) =>
    `"device": {"name": "${device}"}, "os": {"name": "${os.name}", "version": "${os.version}", "full": "${os.name} ${os.version}"}, "name": "${name}", "version": "${version}", "original": "${original}"`;
  const simpleAgentOf = (name, version, original) =>
    `"name": "${name}", "version": "${version}", "original": "${original}"`;
  const userOf = (visitor) => (visitor.user === null ? '' : `"user": {"name": "${visitor.user}"}, `);

  const visited = (iso, visitor, request, extra = '') =>
    write(iso, {
      ip: visitor.ip,
      version: visitor.version,
      referrer: `https://${shop_domain}${visitor.last}`,
      agent: visitor.agent.original,
      network: visitor.networkText,
      userAgent: visitor.agentText,
      visit: `"visit": "${visitor.id}", `,
      connection: visitor.connection,
      extra: () => userOf(visitor) + extra,
      ...request,
    });

  const landing = (iso) => {
    const net = weighted(networks);
    const agent = weighted(agents);
    const source = weighted(referrers);
    const product = weighted(products);
    const ip = net.prefix + integer(net.low, net.high);
    const version = weighted(VERSIONS);
    const kind = weighted(LANDINGS);
    let path;
    if (kind === 'home') path = '/';
    else if (kind === 'product') path = `/products/${product.id}-${product.slug}`;
    else if (kind === 'category') path = `/c/${product.category}`;
    else path = `/magazine/${choice(ARTICLES)}`;
    const campaign = weighted(CAMPAIGNS);
    const query = campaign === '' ? '' : `utm_source=${source.kind}&utm_campaign=${campaign}`;
    const status = weighted(LANDING_STATUSES);
    const bytes = status === 200 ? integer(21_000, 64_000) : integer(0, 180);
    const requestId = hex(32);
    const seconds = secondsOf(-2.4, 0.6);
    const upstream = choice(UPSTREAMS);
    const connection = nextConnection();
    const visitor = {
      id: uuid4(),
      ip,
      agent,
      version,
      connection,
      last: path,
      cart: 0,
      user: null,
      networkText: networkOf(net),
      agentText: agentOf(agent),
    };
    visitors.push(visitor);
    if (visitors.length > params.max_visitors) visitors.shift();
    const request = { method: 'GET', path, query, status, bytes, requestId, seconds, upstream };
    return visited(iso, visitor, { ...request, referrer: source.url, action: 'visit-started' });
  };

  const page = (iso) => {
    if (visitors.length < 5) return null;
    const visitor = one(visitors);
    const requestId = hex(32);
    const [path, low, high, isList] = weighted(PAGES);
    const number = weighted(PAGE_NUMBERS);
    const order = weighted(ORDERS);
    let query = isList && number > 1 ? `page=${number}` : '';
    if (isList && order !== '') query += `${query === '' ? '' : '&'}sort=${order}`;
    let status = weighted(PAGE_STATUSES);
    if (path === '/account' && visitor.user === null) status = 302;
    const bytes = status === 200 ? integer(low, high) : 0;
    const seconds = secondsOf(-2.5, 0.5);
    const upstream = choice(UPSTREAMS);
    const request = { method: 'GET', path, query, status, bytes, requestId, seconds, upstream };
    const event = visited(iso, visitor, { ...request, action: 'page-view' });
    visitor.last = path;
    return event;
  };

  const product = (iso) => {
    if (visitors.length < 5) return null;
    const visitor = one(visitors);
    const requestId = hex(32);
    const { id, slug, name, category, price, bytes: size } = weighted(products);
    const method = weighted(PRODUCT_METHODS);
    const path = `/products/${id}-${slug}`;
    const variant = weighted(VARIANTS);
    const query = variant === '' ? '' : `variant=${variant}`;
    const status = weighted(PRODUCT_STATUSES);
    const full = size + integer(-900, 900);
    const bytes = method === 'HEAD' || status === 304 ? 0 : status === 200 ? full : 1_487;
    const seconds = secondsOf(-2.3, 0.55);
    const upstream = choice(UPSTREAMS);
    const request = { method, path, query, status, bytes, requestId, seconds, upstream };
    const extra = `"product": {"id": ${id}, "name": "${name}", "category": "${category}", "price": ${price}}, `;
    const event = visited(iso, visitor, { ...request, action: 'product-view' }, extra);
    visitor.last = path;
    return event;
  };

  const search = (iso) => {
    if (visitors.length < 5) return null;
    const visitor = one(visitors);
    const requestId = hex(32);
    const { words, category } = weighted(products);
    let term = draws.weighted([words.at(-1), words.join('+'), category, words[0]], TERM_ENDS);
    const isTypo = chance(0.08);
    if (isTypo) {
      term = term.replaceAll('er', 're').replaceAll('oo', 'o').replaceAll('ll', 'l').replaceAll('a', 'aa');
    }
    const results = isTypo ? 0 : integer(1, 38);
    const isSuggestion = chance(0.45);
    const path = isSuggestion ? '/search/suggest' : '/search';
    const query = `q=${term}${isSuggestion ? '&limit=8' : ''}`;
    const status = weighted(SEARCH_STATUSES);
    const full = isSuggestion ? 340 + results * 61 : 14_200 + results * 870;
    const bytes = status === 200 ? full : 169;
    const seconds = secondsOf(-1.9, 0.7);
    const upstream = choice(UPSTREAMS);
    const request = { method: 'GET', path, query, status, bytes, requestId, seconds, upstream };
    const extra = `"search": {"term": ${json(term.replaceAll('+', ' '))}, "results": ${results}}, `;
    const event = visited(iso, visitor, { ...request, action: 'search' }, extra);
    if (!isSuggestion) visitor.last = '/search';
    return event;
  };

  const asset = (iso) => {
    if (visitors.length < 5) return null;
    const visitor = one(visitors);
    const requestId = hex(32);
    const { id, slug } = one(samples.products);
    const kind = weighted(ASSETS);
    let path;
    let full;
    if (kind === 'webp') {
      const width = choice(WIDTHS);
      path = `/media/${id}/${slug}-${width}.webp`;
      full = width * integer(38, 75);
    } else if (kind === 'ico') {
      path = '/favicon.ico';
      full = 4_286;
    } else {
      const name = choice(ASSET_NAMES);
      path = `/assets/${name}.${build}.${kind}`;
      full = ASSET_BYTES[kind] + name.length * 1_300;
    }
    const status = weighted(ASSET_STATUSES);
    const bytes = status === 200 ? full : status === 304 ? 0 : integer(300, 9_000);
    const hit = weighted(HITS);
    const seconds = secondsOf(-5.2, 0.8, 0.001, 4);
    const request = { method: 'GET', path, status, bytes, requestId, seconds, upstream: null };
    const extra = `"cache": {"status": "${hit}", "zone": "static"}, "file": {"extension": "${kind}"}, `;
    return visited(iso, visitor, { ...request, action: 'asset' }, extra);
  };

  const cart = (iso) => {
    if (visitors.length < 5) return null;
    const visitor = one(visitors);
    const requestId = hex(32);
    const { id } = weighted(products);
    const method = visitor.cart === 0 ? 'POST' : weighted(CART_METHODS);
    const count = weighted(COUNTS);
    let path = method === 'POST' ? '/cart/items' : '/cart';
    if (method === 'PATCH' || method === 'DELETE') path = `/cart/items/${id}`;
    const status = draws.weighted([CART_STATUSES[method], 409, 500], CART_ENDS);
    const bytes = status === 204 ? 0 : integer(420, 2_900);
    if (status === 201) visitor.cart += count;
    const seconds = secondsOf(-2.6, 0.5);
    const upstream = choice(UPSTREAMS);
    const request = { method, path, status, bytes, requestId, seconds, upstream };
    const extra = `"cart": {"product": ${id}, "quantity": ${count}, "items": ${visitor.cart}}, `;
    const event = visited(iso, visitor, { ...request, action: CART_ACTIONS[method] }, extra);
    visitor.last = '/cart';
    return event;
  };

  const login = (iso) => {
    const guests = visitors.filter(({ user }) => user === null);
    if (guests.length < 5) return null;
    const visitor = one(guests);
    const requestId = hex(32);
    const name = `customer${String(integer(1, 40_000)).padStart(5, '0')}`;
    const status = weighted(LOGIN_STATUSES);
    const isGood = status === 302;
    const bytes = isGood ? 0 : integer(7_800, 8_100);
    const hasFactor = isGood && chance(0.2);
    if (isGood) visitor.user = name;
    const seconds = secondsOf(-1.4, 0.3);
    const upstream = choice(UPSTREAMS);
    const request = { method: 'POST', path: '/account/login', status, bytes, requestId, seconds, upstream };
    const event = visited(iso, visitor, {
      ...request,
      type: '"access", "start"',
      action: isGood ? 'login' : 'login-failed',
      extra: () =>
        `"user": {"name": "${name}"}, "account": {"second_factor": ${hasFactor}, "remember": ${chance(0.6)}}, `,
    });
    if (isGood) visitor.last = '/account';
    return event;
  };

  const checkout = (iso) => {
    const buyers = visitors.filter(({ cart: items }) => items > 0);
    if (buyers.length === 0) return null;
    const visitor = one(buyers);
    const requestId = hex(32);
    const step = weighted(STEPS);
    const path = `/checkout/${step}`;
    let status = weighted(CHECKOUT_STATUSES);
    if (status === 402 && step !== 'order') status = 303;
    const isDone = step === 'order' && status === 303;
    const bytes = status === 303 ? 0 : integer(900, 6_200);
    const items = visitor.cart;
    const total = Number((items * floating(9.5, 88)).toFixed(2));
    if (isDone) {
      orders++;
      visitor.cart = 0;
    }
    const seconds = secondsOf(-0.9, 0.5);
    const upstream = choice(UPSTREAMS);
    const request = { method: 'POST', path, status, bytes, requestId, seconds, upstream };
    const event = visited(iso, visitor, {
      ...request,
      action: isDone ? 'order' : 'checkout',
      extra: () =>
        `${userOf(visitor)}"order": {${isDone ? `"id": "${orders}", ` : ''}"items": ${items}, "total": ${float(total)}, "currency": "EUR", "payment": "${weighted(PAYMENTS)}"}, `,
    });
    visitor.last = isDone ? '/' : path;
    return event;
  };

  const api = (iso) => {
    const client = weighted(clients);
    const [method, pattern, good, low, high] = weighted(CALLS);
    const path = pattern.replace('{id}', integer(100, 480));
    const next = ((cursors.get(client.id) ?? 0) % 40) + 1;
    const isList = method === 'GET' && LISTS.has(path);
    if (isList) cursors.set(client.id, next);
    const query = isList ? `limit=100&page=${next}` : '';
    const status = draws.weighted([good, 401, 403, 404, 422, 429, 500, 503], CALL_ENDS);
    const bytes = status < 300 ? integer(low, high) : integer(90, 320);
    const version = weighted(API_VERSIONS);
    const requestId = hex(32);
    const trace = uuid4().replaceAll('-', '');
    const seconds = secondsOf(-3, 0.8);
    const upstream = choice(UPSTREAMS);
    const connection = nextConnection();
    return write(iso, {
      ip: client.ip,
      login: client.id,
      method,
      path,
      query,
      version,
      status,
      bytes,
      referrer: '-',
      agent: client.agent,
      action: 'api-call',
      seconds,
      domain: api_domain,
      requestId,
      network: `"as": {"number": ${client.asn}, "organization": {"name": "${client.org}"}}, "geo": {"country_iso_code": "${client.country}"}`,
      extra: () =>
        `"user": {"name": "${client.id}", "full_name": "${client.name}", "roles": ["${client.plan}"]}, "trace": {"id": "${trace}"}, "rate_limit": {"limit": ${client.plan === 'partner' ? 600 : 120}, "remaining": ${status === 429 ? 0 : integer(1, 119)}}, `,
      userAgent: simpleAgentOf(client.agent_name, client.agent_version, client.agent),
      connection,
      upstream,
    });
  };

  const bot = (iso) => {
    const { name, version: botVersion, agent, prefix, asn } = weighted(bots);
    const { id, slug, category } = one(samples.products);
    const visits = greeted.get(name) ?? 0;
    greeted.set(name, visits + 1);
    const method = weighted(BOT_METHODS);
    let path;
    if (visits % 200 === 0) path = '/robots.txt';
    else if (visits % 200 === 1) path = '/sitemap.xml';
    else
      path = draws.weighted(['/', `/c/${category}`, `/products/${id}-${slug}`, '/magazine'], BOT_PATH_ENDS);
    const isGone = chance(0.05) && visits % 200 > 1;
    if (isGone) path = `/products/${id}-old`;
    const status = isGone ? 410 : weighted(BOT_STATUSES);
    const bytes = status === 200 && method === 'GET' ? integer(9_000, 52_000) : 0;
    const ip = prefix + (210 + integer(0, 30));
    const version = choice(BOT_VERSIONS);
    const requestId = hex(32);
    const seconds = secondsOf(-2.6, 0.5);
    const upstream = choice(UPSTREAMS);
    const connection = nextConnection();
    return write(iso, {
      ip,
      method,
      path,
      version,
      status,
      bytes,
      referrer: '-',
      agent,
      action: 'bot-visit',
      seconds,
      requestId,
      network: `"as": {"number": ${asn}}`,
      extra: () =>
        `"bot": {"name": "${name}", "requests": ${visits + 1}, "verified": ${name !== 'SeoScan'}, "crawl_id": "${uuid4()}"}, "network": {"application": "crawler", "protocol": "https", "transport": "tcp", "type": "ipv4"}, `,
      userAgent: simpleAgentOf(name, botVersion, agent),
      connection,
      upstream,
    });
  };

  const error = (iso) => {
    if (visitors.length < 5) return null;
    const visitor = one(visitors);
    const requestId = hex(32);
    const [fault, status, bytes, mean] = weighted(FAULTS);
    const { slug, category } = one(samples.products);
    const old = choice(OLD_PATHS);
    let path;
    if (status === 404) path = `${old}${slug}.html`;
    else if (status === 413) path = '/account/reviews';
    else path = choice(['/search', '/cart', `/c/${category}`, '/checkout/delivery']);
    const seconds = Number((mean * floating(0.9, 1.2)).toFixed(3));
    failures.push(status);
    if (failures.length > 100) failures.shift();
    const upstream = choice(UPSTREAMS);
    const request = {
      method: status === 413 ? 'POST' : 'GET',
      path,
      status,
      bytes,
      requestId,
      seconds,
      upstream,
    };
    const event = visited(iso, visitor, {
      ...request,
      type: '"access", "error"',
      action: fault,
      extra: () =>
        `${userOf(visitor)}"error": {"type": "${fault}", "code": "${status}", "id": "${uuid4()}", "recent": ${failures.length}}, `,
    });
    return event;
  };

  const probe = (iso) => {
    const { ip, name, version, original, path, bytes: size } = weighted(PROBES);
    probes++;
    const method = name === 'uptime-check' ? 'HEAD' : 'GET';
    const status = weighted(PROBE_STATUSES);
    const bytes = method === 'HEAD' ? 0 : size;
    const requestId = hex(32);
    const check = uuid4();
    const region = choice(PROBE_REGIONS);
    const seconds = secondsOf(-5.5, 0.5, 0.001, 2);
    const upstream = choice(UPSTREAMS);
    const connection = nextConnection();
    return write(iso, {
      ip,
      method,
      path,
      version: '1.1',
      status,
      bytes,
      referrer: '-',
      agent: original,
      action: 'health-check',
      seconds,
      requestId,
      network: '"as": {"number": 64496}',
      extra: () =>
        `"network": {"application": "health-check", "protocol": "http", "transport": "tcp", "type": "ipv4", "direction": "internal"}, "service": {"name": "nginx", "type": "web", "state": "${status === 200 ? 'up' : 'down'}"}, "check": {"id": "${check}", "number": ${probes}, "region": "${region}"}, `,
      userAgent: simpleAgentOf(name, version, original),
      connection,
      upstream,
    });
  };

  const nothing = () => null;
  return {
    landing,
    page,
    product,
    search,
    asset,
    cart,
    login,
    checkout,
    api,
    bot,
    error,
    probe,
    'attack-scan': nothing,
    'attack-credential-stuffing': nothing,
    'attack-data-theft': nothing,
  };
};
