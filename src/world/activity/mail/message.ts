import { type KeyedDraws, textNumber, weighted } from '../../draw.js';
import type { Activity } from '../kinds.js';
import type { Surroundings } from '../scribe.js';
import type { MailMessage, MailStep } from './mailMessage.js';
import { anyContact, attachmentName, isOfCustomer, type MailSort, relayAddress } from './senders.js';

/** A sender in good order, and one that is not. */
const SPF = {
  good: weighted([
    [90, 'pass'],
    [3, 'softfail'],
    [2, 'neutral'],
    [3, 'none'],
    [2, 'temperror'],
  ] as const),
  bad: weighted([
    [38, 'pass'],
    [20, 'softfail'],
    [16, 'fail'],
    [21, 'none'],
    [5, 'neutral'],
  ] as const),
};
const DKIM = {
  good: weighted([
    [89, 'pass'],
    [7, 'none'],
    [2, 'fail'],
    [2, 'temperror'],
  ] as const),
  bad: weighted([
    [30, 'pass'],
    [60, 'none'],
    [10, 'fail'],
  ] as const),
};
const POLICIES = ['none', 'none', 'quarantine', 'reject'];
const VIRUSES = ['Doc.Loader.Sample-1001', 'Zip.Trojan.Sample-1044', 'Pdf.Phish.Sample-1093'];

const HAM_SYMBOLS = [
  ...['RCVD_TLS_ALL', 'MIME_GOOD', 'TO_MATCH_ENVRCPT', 'FROM_HAS_NAME', 'RCPT_COUNT_ONE'],
  ...['KNOWN_SENDER', 'REPLY_IN_THREAD', 'LIST_UNSUBSCRIBE'],
];
const SPAM_SYMBOLS = [
  ...['NO_REVERSE_NAME', 'HELO_IS_ADDRESS', 'BLOCKLISTED_SOURCE', 'URL_IN_BLOCKLIST', 'BODY_MOSTLY_IMAGE'],
  ...['SUBJECT_ALL_CAPS', 'BAYES_SPAM_HIGH', 'FUZZY_BULK', 'DATE_IN_FUTURE', 'FORGED_SENDER'],
  ...['HTML_HIDDEN_TEXT', 'FREE_HOST_URL'],
];
const OF_SPF: Readonly<Record<string, string>> = {
  ...{ pass: 'SPF_ALLOW', softfail: 'SPF_SOFTFAIL', fail: 'SPF_FAIL' },
};

const symbolsOf = (
  own: KeyedDraws,
  { spf, dkim, dmarc }: Pick<MailMessage, 'spf' | 'dkim' | 'dmarc'>,
  names: readonly string[],
): readonly string[] => {
  const found = [
    OF_SPF[spf],
    dkim === 'pass' ? 'DKIM_ALLOW' : dkim === 'none' ? 'DKIM_NONE' : undefined,
    dmarc === 'pass' ? 'DMARC_ALLOW' : undefined,
  ].filter((one) => one !== undefined);
  const first = own.integer(0, names.length - 1);
  const step = own.pick([1, 3, 5]);
  for (let count = own.integer(2, 5), index = 0; index < count; index++)
    found.push(names[(first + index * step) % names.length] as string);
  return [...new Set(found)];
};

const countOf = weighted([
  [78, 1],
  [13, 2],
  [6, 3],
  [3, 5],
] as const);

const customerIn = (address: string): number => Number(/@customer-(\d+)\./.exec(address)?.[1] ?? 0);

/** More of those to whom the first recipient belongs. */
const recipientsOf = (
  world: Surroundings,
  own: KeyedDraws,
  first: string,
  most: number,
): readonly string[] => {
  const { population, spec } = world;
  const all = new Set([first]);
  const isInside = first.endsWith(`@${spec.organization.domain}`);
  for (let index = 1; index < most; index++)
    if (isOfCustomer(first)) all.add(anyContact(world, own, customerIn(first)));
    else if (isInside) all.add(population.person(own.integer(0, population.size - 1)).email);
  return [...all];
};

const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

const TROUBLES = ['4.4.1', '4.2.2', '4.7.1', '4.3.2'];
const BOUNCES = ['5.1.1', '5.1.1', '5.7.1', '5.2.2', '5.4.4'];
const DEFER_SHARE = 0.04;
const BOUNCE_SHARE = 0.012;

const deliveries = (
  own: KeyedDraws,
  to: readonly string[],
  canBounce: boolean,
): { readonly steps: readonly MailStep[]; readonly trouble: string | null } => {
  if (canBounce && own.chance(BOUNCE_SHARE))
    return { steps: ['bounce', 'remove'], trouble: own.pick(BOUNCES) };
  const isSlow = own.chance(DEFER_SHARE);
  const steps: MailStep[] = to.map(() => 'deliver');
  return {
    steps: isSlow ? ['defer', ...steps, 'remove'] : [...steps, 'remove'],
    trouble: isSlow ? own.pick(TROUBLES) : null,
  };
};

const BEFORE: readonly MailStep[] = ['connect', 'queue', 'authenticate', 'filter'];

const SMALLEST_FILE = 24_000;
/** Files are written in base 64. */
const ENCODED = 1.37;

const uncut = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

const scoreOf = (
  own: KeyedDraws,
  verdict: string,
  isWanted: boolean,
  isOut: boolean,
  dmarc: string,
): number => {
  if (verdict === 'spam') return uncut(1.55 + 0.4 * own.normal(), 1, 2.49);
  if (verdict === 'rejected') return 2.5 + own.exponential(0.9);
  if (isOut) return -0.25 + 0.13 * own.normal();
  const mean = (isWanted ? -0.08 : 0.12) + (dmarc === 'fail' ? 0.3 : 0);
  return uncut(mean + 0.3 * own.normal(), -1.3, 0.98);
};

const verdictOf = (score: number): MailMessage['verdict'] =>
  score >= 2.5 ? 'reject' : score >= 1 ? 'quarantine' : score >= 0.7 ? 'tag' : 'deliver';

/** Why a message is not taken, by the way in which its sender writes. */
const REFUSALS = {
  unwanted: weighted([
    [50, 'blocklist'],
    [22, 'greylist'],
    [28, 'filter'],
  ] as const),
  stray: weighted([
    [62, 'unknown-mailbox'],
    [22, 'relay'],
    [16, 'sender-domain'],
  ] as const),
};

const heloOf = (own: KeyedDraws, ip: string, name: string, isWanted: boolean): string => {
  if (isWanted || (name !== 'unknown' && own.chance(0.5))) return name;
  return own.chance(0.3) ? `[${ip}]` : `pc${own.integer(1, 90)}.local.example`;
};

/** What the gateway learns of a message: follows from what is known of it in the world. */
export const mailMessage = (cause: Activity, world: Surroundings, own: KeyedDraws): MailMessage => {
  const { facts, person } = cause;
  const [from, first, ip, name] = [facts['from'], facts['to'], facts['ip'], facts['name']] as string[] as [
    string,
    string,
    string,
    string,
  ];
  const bytes = facts['bytes'] as number;
  const isOut = facts['direction'] === 'outbound';
  const sort = facts['sort'] as MailSort | null;
  const isWanted = isOut || sort === 'business' || sort === 'notice' || sort === 'bulk';
  const domain = from.slice(from.indexOf('@') + 1);
  const id = own.hex(32);
  const quality = isWanted ? 'good' : 'bad';
  const spf = isOut ? 'none' : SPF[quality](own.next());
  const dkim = isOut ? 'signed' : DKIM[quality](own.next());
  const isAligned = isWanted || own.chance(0.7);
  const dmarc = isOut ? 'none' : isAligned && (spf === 'pass' || dkim === 'pass') ? 'pass' : 'fail';
  const isRejected = facts['verdict'] === 'rejected';
  const why = !isRejected
    ? null
    : sort === 'stray'
      ? REFUSALS.stray(own.next())
      : REFUSALS.unwanted(own.next());
  const score = scoreOf(own, String(facts['verdict']), isWanted, isOut, dmarc);
  const verdict = verdictOf(score);
  const isLarge = bytes > SMALLEST_FILE && (isOut || own.chance(isWanted ? 0.7 : 0.4));
  const virus = facts['verdict'] === 'virus' ? own.pick(VIRUSES) : null;
  const to = recipientsOf(world, own, first, isOut || sort === 'business' ? countOf(own.next()) : 1);
  const isOutside = isOut && !first.endsWith(`@${world.spec.organization.domain}`);
  const rest = deliveries(own, to, isOutside);
  const isNotTaken = why !== null && why !== 'filter';
  const steps: readonly MailStep[] = isNotTaken
    ? ['connect', why === 'greylist' ? 'greylist' : 'refuse', 'disconnect']
    : verdict === 'reject'
      ? [...BEFORE, 'disconnect']
      : verdict === 'quarantine'
        ? [...BEFORE, 'disconnect', 'remove']
        : virus !== null
          ? [...BEFORE, 'scan', 'disconnect', 'remove']
          : [...BEFORE, 'scan', 'activate', 'disconnect', ...rest.steps];
  return {
    queue_id: own.hex(10).toUpperCase(),
    message_id: `${uuidOf(id)}@${domain}`,
    direction: isOut ? 'outbound' : 'inbound',
    login: isOut ? (person?.user ?? null) : null,
    ...{ from, to, subject: facts['subject'] as string, bytes },
    file: isLarge || virus !== null ? attachmentName(own) : null,
    file_bytes: Math.round(uncut(bytes - 4_000, 1_200, bytes) / ENCODED),
    file_hash: isLarge || virus !== null ? own.hex(64) : '',
    ...{
      ip,
      name,
      helo: isOut ? `[${ip}]` : heloOf(own, ip, name, isWanted),
      port: own.integer(1_025, 65_535),
    },
    is_encrypted: isOut || own.chance(isWanted ? 0.97 : 0.55),
    pid: own.integer(300, 32_767),
    ...{ spf, dkim, dmarc },
    policy: isOut ? 'reject' : (POLICIES[textNumber(domain, 31) % POLICIES.length] as string),
    ...{ score, verdict },
    symbols: symbolsOf(
      own,
      { spf, dkim, dmarc },
      isWanted || verdict === 'deliver' ? HAM_SYMBOLS : SPAM_SYMBOLS,
    ),
    virus,
    refusal: isNotTaken && why !== 'greylist' ? why : null,
    trouble: rest.trouble,
    relay_ip: isOutside
      ? relayAddress(world, textNumber(first.slice(first.indexOf('@')), 33))
      : (world.population.serversOf('mail_server')[0]?.ip ?? ''),
    steps,
  };
};
