/** Names that programs ask a resolver for, beside those of pages. */

/** Zones of networks for content, of telemetry and of clouds: each file or client has a host name of its own. */
export const EDGE_ZONES = [
  ...['static-edge', 'stream-house', 'page-stats', 'os-vendor', 'code-forge', 'mailsuite', 'big-files'],
  ...['cloud-house', 'object-store', 'edge-net', 'pixel-count', 'push-relay', 'font-depot', 'app-insight'],
  ...['crash-reports', 'media-cache', 'map-tiles', 'cdn-north', 'cdn-south', 'blob-house', 'queue-hub'],
  ...['function-host', 'game-mirror', 'package-mirror', 'image-mill', 'search-boost'],
].map((label) => `${label}.example`);

/** Zones that answer what is known of a file or an address whose number is in the name. */
export const REPUTATION_ZONES = [
  'files.av-vendor.example',
  'hashes.scan-cloud.example',
  'list.block-house.example',
  'rep.mail-guard.example',
  'query.url-rating.example',
  'sums.safe-list.example',
];

/** Zones in which anybody gets a name, for pages and for machines at home. */
export const HOSTED_ZONES = [
  ...['home-dyn', 'my-dyn', 'free-dns', 'pages-host', 'blog-host', 'shop-host', 'app-host', 'site-maker'],
  ...['wiki-host', 'forum-host', 'cam-link', 'nas-link', 'my-folio', 'try-apps', 'mini-site', 'dev-box'],
].map((label) => `${label}.example`);

/** Words of which small sites make their names. */
export const NAME_WORDS = [
  ...['green', 'harbor', 'north', 'stone', 'river', 'field', 'cedar', 'bright', 'silver', 'garden', 'tool'],
  ...['bike', 'book', 'school', 'music', 'home', 'travel', 'kitchen', 'photo', 'city', 'union', 'craft'],
  ...['smith', 'klein', 'martin', 'novak', 'rossi', 'lind', 'office', 'studio', 'clinic', 'law', 'print'],
] as const;

/** Names on block lists, with their category and what the resolver says instead. */
export const BLOCKED_NAMES: readonly (readonly [
  weight: number,
  item: readonly [name: string, category: string, answer: 'nxdomain' | 'nodata' | 'sinkhole'],
])[] = [
  [9, ['pixel.tundra-stats.example', 'tracker', 'nxdomain']],
  [8, ['ads.harbor-deals.example', 'advertising', 'nxdomain']],
  [7, ['sync.banner-mill.example', 'advertising', 'nodata']],
  [6, ['beacon.visit-count.example', 'tracker', 'nodata']],
  [4, ['win.willow-share.example', 'gambling', 'sinkhole']],
  [3, ['track.pebble-bonus.example', 'phishing', 'sinkhole']],
  [3, ['login.mail-suite-check.example', 'phishing', 'sinkhole']],
  [2, ['free.lantern-update.example', 'malware', 'sinkhole']],
  [2, ['get.codec-pack.example', 'malware', 'nxdomain']],
  [2, ['www.fresh-registered.example', 'newly-registered', 'nxdomain']],
];

/** Services of a directory, with their ports. */
export const DIRECTORY_SERVICES: readonly (readonly [
  weight: number,
  item: readonly [label: string, port: number],
])[] = [
  [40, ['_ldap._tcp.dc._msdcs', 389]],
  [26, ['_kerberos._tcp', 88]],
  [12, ['_gc._tcp', 3268]],
  [9, ['_ntp._udp', 123]],
  [7, ['_sip._tls', 5061]],
  [6, ['_autodiscover._tcp', 443]],
];
