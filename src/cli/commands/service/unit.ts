import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';

/** All paths are absolute. */
export interface UnitInput {
  readonly name: string;
  readonly mode: 'system' | 'user';
  readonly node: string;
  readonly script: string;
  readonly settingsFile: string;
  /** Path of `cluster.yml`. Null when the instance is no node of a cluster. */
  readonly clusterFile: string | null;
  /** Other files that it reads at its start. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** User that a system unit runs as. Null for root. */
  readonly user: string | null;
  readonly keyringPassword: string | null;
  /** A port below 1024 needs a capability. */
  readonly port: number;
}

/** Marks units that Spate may replace and remove. */
export const MARKER = '# Written by "spate service install"';

/** The daemon reads this credential. */
const CREDENTIAL = 'spate-keyring-password';

/** Longer than the daemon needs: 10 s for open requests, 10 s to drain, 2 s for logs. */
export const STOP_TIMEOUT_SECONDS = 60;
/** Readiness takes at most 30 s after listening. */
const START_TIMEOUT_SECONDS = 120;
const WATCHDOG_SECONDS = 60;

const edit = ({ mode, name }: UnitInput): string =>
  `systemctl${mode === 'user' ? ' --user' : ''} edit ${name}`;

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
const isBelowAny = (paths: readonly string[], folders: readonly string[]): boolean =>
  paths.some((path) => folders.some((folder) => isBelow(path, folder)));

/** Drops folders below other ones; sorted. */
export const topFolders = (folders: readonly string[]): readonly string[] => {
  const unique = [...new Set(folders)].sort();
  return unique.filter(
    (one) => !unique.some((other) => other !== one && isBelow(one, other === '/' ? '' : other)),
  );
};

/** System units only: needs a mount namespace, or root at the start. */
const sandbox = (input: UnitInput): readonly string[] => {
  const files = [input.settingsFile, ...(input.clusterFile === null ? [] : [input.clusterFile])];
  const needed = [input.node, input.script, ...files, ...input.readable, ...input.writable];
  const low = input.port < 1024 ? ['CAP_NET_BIND_SERVICE'] : [];
  // Without these even root cannot access files of other users.
  const bounds = input.user === null ? [...low, 'CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER'] : low;
  const folders = topFolders(input.writable).map((folder) => written('word', folder));
  return [
    '# Everything else is read-only: these are the folders of the settings and of file outputs.',
    `# Add more in a drop-in: ${edit(input)}`,
    'ProtectSystem=strict',
    `ReadWritePaths=${folders.join(' ')}`,
    `ProtectHome=${isBelowAny(needed, ['/home', '/root', '/run/user']) ? 'read-only' : 'yes'}`,
    `PrivateTmp=${isBelowAny(needed, ['/tmp', '/var/tmp']) ? 'no' : 'yes'}`,
    'PrivateDevices=yes',
    'ProtectKernelTunables=yes',
    'ProtectKernelModules=yes',
    'ProtectKernelLogs=yes',
    'ProtectControlGroups=yes',
    'ProtectClock=yes',
    'ProtectHostname=yes',
    'ProtectProc=invisible',
    'RemoveIPC=yes',
    `CapabilityBoundingSet=${bounds.join(' ')}`,
    `AmbientCapabilities=${input.user === null ? '' : low.join(' ')}`,
  ];
};

/** For user and system units. No MemoryDenyWriteExecute=: V8 writes machine code. */
const HARDENING: readonly string[] = [
  'NoNewPrivileges=yes',
  'LockPersonality=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictNamespaces=yes',
  '# AF_NETLINK: to list network interfaces.',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallErrorNumber=EPERM',
  'UMask=0027',
];

const START_LIMIT_SECONDS = 300;
/** A start without NATS fails after 10 s: fewer than the limit, so a node waits for NATS for as long as it takes. */
const NODE_START_LIMIT_SECONDS = 120;

const unitSection = ({ mode, clusterFile }: UnitInput): readonly string[] => [
  '[Unit]',
  'Description=Spate, generator of event streams',
  ...(mode === 'system' ? ['Wants=network-online.target', 'After=network-online.target'] : []),
  `StartLimitIntervalSec=${clusterFile === null ? START_LIMIT_SECONDS : NODE_START_LIMIT_SECONDS}`,
  'StartLimitBurst=10',
];

/** Words after the program. */
const argumentsOf = ({ script, settingsFile, clusterFile }: UnitInput): readonly string[] => [
  written('word', script),
  'run --config',
  written('word', settingsFile),
  ...(clusterFile === null ? [] : ['--cluster', written('word', clusterFile)]),
];

const serviceSection = (input: UnitInput): readonly string[] => [
  '[Service]',
  'Type=notify',
  '# The child process systemd-notify sends the messages.',
  'NotifyAccess=all',
  '# The colon disables variable substitution.',
  `ExecStart=:${[written('program', input.node), ...argumentsOf(input)].join(' ')}`,
  'ExecReload=/bin/kill -HUP $MAINPID',
  ...(input.user === null ? [] : [`User=${input.user}`]),
  ...(input.keyringPassword === null
    ? []
    : [`LoadCredential=${CREDENTIAL}:${written('rest', input.keyringPassword)}`]),
  'Restart=on-failure',
  'RestartSec=5',
  '# 2: wrong command line; a restart would not help.',
  'RestartPreventExitStatus=2',
  `WatchdogSec=${WATCHDOG_SECONDS}`,
  `TimeoutStartSec=${START_TIMEOUT_SECONDS}`,
  `TimeoutStopSec=${STOP_TIMEOUT_SECONDS}`,
  'KillMode=mixed',
];

const UNIT_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
const USER_NAME = /^(?:[A-Za-z_][A-Za-z0-9_.-]{0,30}|[1-9]\d{0,9})$/;

/** Returns why a name cannot be that of a unit, or null when it is valid. */
export const unitNameFlaw = (name: string): SpateError | null =>
  UNIT_NAME.test(name)
    ? null
    : failure(
        'invalid',
        `--name must consist of letters, digits, '_', '.' and '-', not ${JSON.stringify(name)}`,
      );

const firstFlaw = (input: UnitInput): SpateError | null => {
  const values: readonly (readonly [ValueKind, string, string])[] = [
    ['program', 'the path of Node', input.node],
    ['word', 'the path of Spate', input.script],
    ['word', 'the settings file', input.settingsFile],
    ...(input.clusterFile === null ? [] : [['word', 'the cluster file', input.clusterFile] as const]),
    ...input.writable.map((folder) => ['word', 'the folder', folder] as const),
    ...(input.keyringPassword === null
      ? []
      : [['rest', 'the password file', input.keyringPassword] as const]),
  ];
  const flaws = values.map(([kind, what, text]) => valueFlaw(kind, what, text));
  if (input.user !== null && !USER_NAME.test(input.user)) {
    flaws.push(
      failure('invalid', `--run-as must be the name or number of a user, not ${JSON.stringify(input.user)}`),
    );
  }
  return [unitNameFlaw(input.name), ...flaws].find((flaw) => flaw !== null) ?? null;
};

/** Returns the text of a unit, or an error when systemd cannot read one of its paths or names. */
export const unitText = (input: UnitInput): Result<string> => {
  const flaw = firstFlaw(input);
  if (flaw !== null) return E.left(flaw);
  const lines = [
    `${MARKER}, which may replace it. Put changes in a drop-in: ${edit(input)}`,
    ...unitSection(input),
    '',
    ...serviceSection(input),
    '',
    ...HARDENING,
    ...(input.mode === 'system' ? sandbox(input) : []),
    '',
    '[Install]',
    `WantedBy=${input.mode === 'system' ? 'multi-user.target' : 'default.target'}`,
    '',
    '# For spate service status; systemd ignores it.',
    '[X-Spate]',
    `Settings=${input.settingsFile}`,
    ...(input.clusterFile === null ? [] : [`Cluster=${input.clusterFile}`]),
  ];
  return E.right(`${lines.join('\n')}\n`);
};

export const isOurUnit = (text: string): boolean => text.startsWith(MARKER);

/** Returns the settings file that a unit records, or null when it records none. */
export const settingsOfUnit = (text: string): string | null =>
  /^\[X-Spate\]\nSettings=(.*)$/m.exec(text)?.[1] ?? null;

/** Returns the cluster file that a unit records, or null when it records none. */
export const clusterOfUnit = (text: string): string | null =>
  /^\[X-Spate\]\n(?:.*\n)*Cluster=(.*)$/m.exec(text)?.[1] ?? null;

type ValueKind =
  /** Quoted word of a list: an argument of ExecStart=, a path of ReadWritePaths=. */
  | 'word'
  /** Quoted program of ExecStart=. */
  | 'program'
  /** Unquoted rest of a line: the path of LoadCredential=. */
  | 'rest';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Values that systemd cannot read in any quoting. */
const FLAWS: readonly (readonly [kinds: readonly ValueKind[], breaks: RegExp, message: string])[] = [
  [['word', 'program', 'rest'], CONTROL, 'holds a control character'],
  [['word', 'program', 'rest'], /\p{Surrogate}/u, 'is not well-formed Unicode'],
  [['program'], /["'\\]/, 'holds a quote or a backslash, which systemd allows in no program path'],
  [['rest'], /^\s|[\s\\]$/, 'begins or ends with whitespace, or ends with a backslash'],
];

/** Returns why systemd cannot read a value, or null when the value is valid. */
export const valueFlaw = (kind: ValueKind, what: string, text: string): SpateError | null => {
  const flaw = FLAWS.find(([kinds, breaks]) => kinds.includes(kind) && breaks.test(text));
  if (flaw === undefined) return null;
  const shown = JSON.stringify(text);
  return failure('invalid', `${what} ${shown} ${flaw[2]}. Choose a path that systemd can read.`);
};

/** Quotes a value: `%` starts a specifier, backslash and quote are special in quotes. */
export const written = (kind: ValueKind, text: string): string => {
  const specifiers = text.replaceAll('%', '%%');
  return kind === 'rest' ? specifiers : `"${specifiers.replace(/[\\"]/g, '\\$&')}"`;
};
