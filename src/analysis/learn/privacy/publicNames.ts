/** Identifiers of Windows that are the same on all machines: accounts, groups, logon sessions, services, levels. */
const KNOWN_SID =
  /^S-1-(?:[0-3]|1[0-1]|1[5-6]|18)-|^S-1-5-(?:[1-9]|1[0-9]|20|32|33|64|65|80|82|83|90|96|1000)(?:-|$)/;
/** Accounts and groups of a domain have these numbers everywhere. */
const FIRST_OWN_RID = 1_000;

/** The parts of a security identifier. */
export interface SidParts {
  readonly head: string;
  /** Three numbers of a machine or domain, or all of another authority. */
  readonly domain: string;
  /** The number of an account; null when there is none. */
  readonly account: string | null;
}

/** Null when the identifier is the same everywhere. */
export const privateSid = (sid: string): SidParts | null => {
  const [, head = '', rest = ''] = /^(S-1-\d+-(?:21-|1-)?)(\d+(?:-\d+)*)$/.exec(sid) ?? [];
  if (rest === '' || KNOWN_SID.test(sid)) return null;
  const numbers = rest.split('-');
  const isDomain = head === 'S-1-5-21-' && numbers.length > 3;
  return {
    head,
    domain: (isDomain ? numbers.slice(0, 3) : numbers).join('-'),
    account: isDomain ? numbers.slice(3).join('-') : null,
  };
};

export const isOwnRid = (rid: string): boolean => !/^\d+$/.test(rid) || Number(rid) >= FIRST_OWN_RID;

const AUTHORITY =
  '(?:NT AUTHORITY|NT SERVICE|NT VIRTUAL MACHINE|BUILTIN|Window Manager|Font Driver Host|IIS APPPOOL)';

/** Accounts of Windows that every machine has, with their authority. */
export const KNOWN_ACCOUNT_SOURCE = `(?<![\\w])${AUTHORITY}(?:\\\\{1,2}[\\w$.-]+(?: (?:SERVICE|LOGON|Users|Operators)\\b)?)?`;
const KNOWN_ACCOUNT = new RegExp(
  `^(?:${AUTHORITY}(?:\\\\.*)?|SYSTEM|LOCAL SERVICE|NETWORK SERVICE|ANONYMOUS LOGON|(?:DWM|UMFD)-\\d+)$`,
  'i',
);

export const isKnownAccount = (value: string): boolean => KNOWN_ACCOUNT.test(value);

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Domains of clouds and vendors, whose services are known to all. */
const VENDORS =
  words(`amazonaws.com amazonaws.com.cn api.aws amazon.com googleapis.com gserviceaccount.com google.com
gstatic.com googlebot.com azure.com azure.net windows.net windows.com windowsupdate.com microsoft.com microsoftonline.com
office.com office365.com bing.com apple.com icloud.com mozilla.org mozilla.com w3.org apache.org debian.org ubuntu.com
kernel.org github.com githubusercontent.com gnu.org ietf.org openssh.com libssh.org python.org npmjs.org docker.io docker.com
kubernetes.io k8s.io cloudflare.com akamai.net letsencrypt.org digicert.com xmlsoap.org oasis-open.org cloudfront.net
yandex.com baidu.com semrush.com ahrefs.com schema.org json-schema.org purl.org nginx.org nginx.com postgresql.org elastic.co`);

/** Labels below the domain of a vendor that name a service. */
const SERVICES =
  words(`www api s3 ec2 iam sts lambda rds dynamodb sqs sns kms logs monitoring cloudtrail cloudwatch events
autoscaling application-autoscaling elasticloadbalancing elb ecs eks ecr dkr ssm config guardduty signin console health
support redshift route53 cloudformation secretsmanager elasticache es kinesis firehose states batch glue athena backup
organizations servicecatalog cloudfront apigateway execute-api email ses inspector securityhub access-analyzer compute
storage bigquery pubsub container cloudresourcemanager cloudkms run cloudfunctions logging cloudbuild
blob core table queue file dfs database vault servicebus management login graph portal cloudapp aadcdn schemas docs
download update sls fe2 ctldl settings-win data v10 events telemetry outlook dualstack`);

const REGION =
  /^(?:[a-z]{2}(?:-gov)?-(?:north|south|east|west|central)[a-z]*-\d|(?:east|west|north|south|central|us|europe|asia)[a-z]*-?[a-z]*\d?|compute-1)$/;

/** For each label of a domain name whether it is known to all; null when the whole name is private. */
export const knownLabels = (labels: readonly string[]): readonly boolean[] | null => {
  for (let at = Math.max(0, labels.length - 3); at < labels.length - 1; at++) {
    if (!VENDORS.has(labels.slice(at).join('.').toLowerCase())) continue;
    return labels.map((label, index) => {
      const text = label.toLowerCase();
      return index >= at - 1 || SERVICES.has(text) || REGION.test(text);
    });
  }
  return null;
};

/** Whether a domain name says nothing about who has the log. */
export const isKnownDomain = (name: string): boolean => knownLabels(name.split('.'))?.every(Boolean) === true;

/** Labels before a country that belong to the registry, as in `co.uk`. */
const REGISTRIES = words('co com org net gov gob gouv go ac edu or ne mil sch ltd plc nom');

export const isRegistry = (labels: readonly string[], at: number): boolean =>
  at === labels.length - 2 &&
  at > 0 &&
  labels.at(-1)?.length === 2 &&
  REGISTRIES.has(labels[at]?.toLowerCase() ?? '');

/** Top-level domains that are no endings of files. */
export const TLDS =
  `com|net|org|edu|gov|mil|int|io|dev|app|cloud|info|biz|local|lan|internal|intern|corp|home|localdomain|arpa|test|example|invalid|xyz|online|site|shop|tech|store|
ac|ad|ae|af|ag|al|am|ao|aq|ar|at|au|aw|az|ba|bb|bd|be|bf|bg|bh|bi|bj|bm|bn|bo|br|bs|bt|bw|by|bz|ca|cd|cf|cg|ch|ci|ck|cl|cm|cn|co|cr|cu|cv|cy|cz|de|dj|dk|dm|
do|dz|ec|ee|eg|er|es|et|eu|fi|fj|fk|fm|fo|fr|ga|gb|gd|ge|gf|gg|gh|gi|gl|gm|gn|gp|gq|gr|gt|gu|gy|hk|hn|hr|ht|hu|id|ie|il|in|iq|ir|is|it|je|jm|jo|jp|ke|kg|kh|
ki|km|kn|kp|kr|kw|ky|kz|lb|lc|li|lk|lr|ls|lt|lu|lv|ly|ma|mc|me|mg|mh|mm|mn|mo|mp|mq|mr|mt|mu|mv|mw|mx|my|mz|na|nc|ne|nf|ng|ni|nl|no|np|nu|nz|om|pa|pe|pf|pg|
ph|pk|pl|pn|pr|pt|pw|qa|re|ro|ru|rw|sa|sb|sc|sd|se|sg|si|sk|sl|sm|sn|sr|sv|sy|sz|tc|td|tf|tg|th|tj|tl|tm|tn|tr|tt|tv|tw|tz|ua|ug|uk|us|uy|uz|va|vc|ve|vg|vi|
vn|vu|wf|ws|ye|yt|za|zm|zw`.replaceAll(/\s/g, '');

/** Countries whose domains look like files, such as `main.py`: domains only with a registry before or a URL around. */
export const FILE_LIKE_TLDS = 'cc|mk|md|ml|ps|py|rs|sh|so|st|gz|ai|as|la|ms';

/** Numbers at the edge of their type, and masks whose low half is zero, identify nothing. */
export const isFlagNumber = (digits: string): boolean => {
  if (!/^-?\d{9,20}$/.test(digits)) return false;
  const value = BigInt(digits);
  const size = value < 0n ? -value : value;
  const isEdge = [31n, 32n, 63n, 64n].some((bits) => {
    const apart = size - (1n << bits);
    return apart >= -2n && apart <= 0n;
  });
  return isEdge || (size >= 1n << 48n && size % (1n << 32n) === 0n);
};

/** Keys that sign public programs, and texts that stand for no one. */
export const KNOWN_WORDS = '(?:31bf3856ad364e35|b77a5c561934e089|b03f5f7f11d50a3a|nonode@nohost)';

/** Versions in four parts look like addresses. */
export const VERSION_SOURCE =
  '(?=\\d)(?<=(?:[Vv]er(?:sion)?|[Rr]elease|[Bb]uild|[Rr]ev(?:ision)?)["\']?[ =:/]{1,2}["\']?|(?<![\\w.])[vV]|~|(?:Chrome|Chromium|Edg[eA]?|OPR|Version|CriOS|Safari|Firefox|Electron|Vivaldi|YaBrowser|SamsungBrowser|Mozilla|WebKit)/)\\d{1,5}(?:\\.\\d{1,6}){1,4}(?![\\w.]|:\\d)';

/** Whether letters are words that begin with capitals, such as names of classes, and not a key. */
export const isCamelCase = (word: string): boolean => {
  const parts = word.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
  const spoken = parts.filter((part) => part.length >= 3 && /[aeiouyAEIOUY]/.test(part));
  return spoken.reduce((sum, { length }) => sum + length, 0) >= word.length * 0.7;
};

/** Whether `a@b` is a class and a line or an instance, not a mailbox. */
export const isInstance = (local: string, host: string): boolean =>
  /^\d+$/.test(host) || (/^[\da-f]{5,8}$/.test(host) && /\d/.test(host) && /[A-Z]/.test(local));
