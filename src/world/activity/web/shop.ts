import { type KeyedDraws, textNumber, weighted } from '../../draw.js';
import type { WebItem } from './webVisit.js';

/** What a shop for homes sells, by category: each in four styles. */
const THINGS: Readonly<Record<string, readonly string[]>> = {
  lamps: ['desk lamp', 'floor lamp', 'reading light', 'lantern', 'string lights'],
  chairs: ['stool', 'armchair', 'office chair', 'rocking chair', 'bench'],
  kitchen: ['kettle', 'bread knife', 'teapot', 'salad bowl', 'pepper mill'],
  garden: ['watering can', 'trowel', 'planter', 'hose reel', 'bird house'],
  textiles: ['wool blanket', 'cushion', 'curtain', 'rug', 'bath towel'],
};
const STYLES = ['amber', 'slate', 'copper', 'nordic', 'linen', 'classic', 'compact', 'oak'];
const STYLES_EACH = 4;
const FIRST_ITEM = 104;

const capitals = (words: string): string => words.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());

export const ITEMS: readonly WebItem[] = Object.entries(THINGS).flatMap(([category, things], first) =>
  things.flatMap((thing, second) =>
    Array.from({ length: STYLES_EACH }, (_, third): WebItem => {
      const style =
        STYLES[(first * 3 + second * 5 + third * 2 + ((third + second) % 2)) % STYLES.length] ?? '';
      const slug = `${style} ${thing}`.replaceAll(' ', '-');
      const id = FIRST_ITEM + 4 * ((first * things.length + second) * STYLES_EACH + third);
      const price = 9.5 + (textNumber(slug, 31) % 38_000) / 100;
      return {
        id,
        name: capitals(`${style} ${thing}`),
        slug,
        category,
        price: Math.round(price * 100) / 100,
      };
    }),
  ),
);

/** Few things are looked at often. */
export const someItem = (own: KeyedDraws): WebItem => {
  const place = Math.floor(ITEMS.length * own.next() ** 1.6);
  return ITEMS[(place * 37) % ITEMS.length] as WebItem;
};

export const itemPath = ({ id, slug }: WebItem): string => `/products/${id}-${slug}`;

/** Size of the page of a thing, before compression differs a little. */
export const itemBytes = ({ slug }: WebItem): number => 18_000 + (textNumber(slug, 33) % 16_000);

/** Pages other than those of things: path, size, whether it is a list with several pages. */
export const pageAt = weighted<readonly [path: string, from: number, to: number, isList: boolean]>([
  [18, ['/', 24_000, 38_000, false]],
  [14, ['/c/lamps', 30_000, 52_000, true]],
  [11, ['/c/chairs', 30_000, 50_000, true]],
  [13, ['/c/kitchen', 30_000, 58_000, true]],
  [9, ['/c/garden', 26_000, 44_000, true]],
  [9, ['/c/textiles', 28_000, 47_000, true]],
  [14, ['/sale', 40_000, 64_000, true]],
  [5, ['/magazine', 18_000, 29_000, false]],
  [3, ['/stores', 11_000, 16_000, false]],
  [3, ['/help/returns', 8_000, 9_500, false]],
  [4, ['/help/delivery', 8_000, 9_900, false]],
  [1, ['/about', 7_000, 8_000, false]],
  [1, ['/legal/privacy', 21_000, 21_400, false]],
]);

export const ARTICLES = ['small-rooms', 'balcony-in-march', 'lamp-guide', 'wool-care', 'table-for-eight'];

/** Where visitors come from, with what campaigns call it. Null is by hand or from a bookmark. */
export const referrerAt = weighted<readonly [url: string | null, kind: string]>([
  [34, [null, 'direct']],
  [30, ['https://search.example/', 'search']],
  [10, ['https://www.search.example/results', 'search']],
  [6, ['https://findit.example/', 'search']],
  [9, ['https://social.example/', 'social']],
  [3, ['https://video.example/watch', 'social']],
  [3, ['https://news.example/living/2026/home', 'link']],
  [4, ['https://blog.example/small-rooms', 'link']],
  [5, ['https://compare.example/lamps', 'compare']],
  [4, ['https://compare.example/kitchen', 'compare']],
  [6, ['https://mail.example/', 'mail']],
  [3, ['https://coupons.example/shop', 'coupon']],
]);

type Hole = readonly [kind: string, status: number, path: string, query?: string];

const inKind = (kind: string, status: number, paths: string): readonly Hole[] =>
  paths
    .trim()
    .split(/\s+/)
    .map((path) => [kind, status, path] as const);

/** What strangers ask for who look for holes. */
export const HOLES: readonly Hole[] = [
  ...inKind(
    'secret',
    404,
    `/.env /.git/config /.git/HEAD /actuator/heapdump /backup.zip /backup.sql /dump.rdb /.aws/credentials /.ssh/id_rsa
     /.DS_Store /.svn/entries /.htpasswd /config.php.bak /db.sql.gz`,
  ),
  ...inKind(
    'panel',
    404,
    `/wp-login.php /wp-admin/setup-config.php /phpmyadmin/index.php /pma/index.php /admin/login.jsp /manager/html
     /server-status /actuator/env /solr/admin/info/system /config.json /web.config /debug/pprof/ /console/ /jenkins/login
     /remote/login /cgi-bin/test.cgi /cgi-bin/status /shell.php /upload.php /api/v1/pods /v2/_catalog /telescope/requests
     /vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php /_ignition/execute-solution /HNAP1/ /boaform/admin/formLogin
     /struts/index.action /invoker/readonly /graphql /crossdomain.xml /login.action /nacos/v1/auth/users /geoserver/web/
     /druid/index.html`,
  ),
  ...inKind('panel', 403, '/xmlrpc.php /owa/auth/logon.aspx /setup.cgi /hudson/script /swagger.json'),
  ...inKind('panel', 200, '/openapi.json /robots.txt /sitemap.xml'),
  ['traversal', 400, '/static/../../../etc/passwd'],
  ['injection', 404, '/cart', 'id=1%27%20OR%20%271%27=%271'],
  ['injection', 404, '/search', 'q=%3Cscript%3Ealert(1)%3C/script%3E'],
  ['injection', 403, '/products/1%20UNION%20SELECT%20NULL'],
  ['injection', 400, '/download', 'file=..%2f..%2f..%2fetc%2fpasswd'],
  ['injection', 403, '/index.php', 'page=http://scanner.example/x.txt'],
];
