import { MICROS_PER_MINUTE, MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import { type DayPlan, isAtScreen, processId } from '../schedule/day.js';
import type { ActivityFacts } from './kinds.js';
import { DUMP_TOOLS, EXPLORER, LONG_RUNNING, type RunnableProgram } from './programs.js';
import type { Act, Scribe, Surroundings } from './scribe.js';

/** Purpose of draws of endpoints. */
const WHY_ENDPOINT = 52;

/** Acts a minute of the programs of a person at the screen, and of the services of a machine that is on. */
const OF_PROGRAMS_PER_MINUTE = 1.3;
const OF_SERVICES_PER_MINUTE = 0.45;
/** Programs that hang or crash, a minute and person. */
const DUMPS_PER_MINUTE = 0.004;

const SYSTEM = 'C:\\Windows\\System32\\';

/** A process that runs. */
export interface RunningProcess {
  readonly image: string;
  readonly pid: number;
}

/** Services that run from the start of a machine. */
const SERVICE_IMAGES = [
  `${SYSTEM}lsass.exe`,
  `${SYSTEM}svchost.exe`,
  'C:\\ProgramData\\Microsoft\\Windows Defender\\Platform\\MsMpEng.exe',
  `${SYSTEM}services.exe`,
  `${SYSTEM}wbem\\WmiPrvSE.exe`,
  `${SYSTEM}spoolsv.exe`,
  `${SYSTEM}csrss.exe`,
  `${SYSTEM}winlogon.exe`,
];

/** Services keep the process id that they got when the machine started. */
const serviceOf = (host: WorldHost, index: number): RunningProcess => ({
  image: SERVICE_IMAGES[index] as string,
  pid: 4 * (150 + index * 40 + ((host.number * 31 + index * 17) % 40)),
});

export const LSASS = 0;

/** The services that do things by themselves, by number. */
const serviceAt = weighted([
  [50, 1],
  [30, 2],
  [8, 3],
  [8, 4],
  [4, 5],
] as const);
const targetAt = weighted([
  [14, LSASS],
  [30, 1],
  [10, 3],
  [10, 4],
  [6, 5],
  [15, 6],
  [15, 7],
] as const);
const rightsAt = weighted([
  [46, '0x1000'],
  [24, '0x1400'],
  [11, '0x1410'],
  [10, '0x1010'],
  [9, '0x1fffff'],
] as const);

/** The programs of a person that run at a moment; the desktop is always one of them. */
export const runningPrograms = (plan: DayPlan, at: Micros): readonly RunningProcess[] => [
  { image: EXPLORER.image, pid: plan.explorer_pid },
  ...plan.programs
    .filter(({ span }) => at >= span[0] + MICROS_PER_SECOND && at < span[1])
    .map(({ program }) => ({
      image: (LONG_RUNNING[program] as RunnableProgram).image,
      pid: plan.pids[program] ?? 0,
    })),
];

/** The program with which a person reads mail or pages at a moment: the first of these that runs. */
export const programFor = (plan: DayPlan, at: Micros, programs: readonly number[]): RunningProcess => {
  const number = programs.find((one) =>
    plan.programs.some(({ program, span }) => program === one && at >= span[0] && at < span[1]),
  );
  return number === undefined
    ? { image: EXPLORER.image, pid: plan.explorer_pid }
    : { image: (LONG_RUNNING[number] as RunnableProgram).image, pid: plan.pids[number] ?? 0 };
};

export const ENDPOINT_ACTS = weighted([
  [42, 'save_file'],
  [28, 'set_value'],
  [14, 'open_process'],
  [16, 'use_pipe'],
] as const);

const folderAt = weighted([
  [30, 'Documents\\'],
  [16, 'Desktop\\'],
  [12, 'Downloads\\'],
  [10, 'Pictures\\'],
  [32, 'AppData\\Local\\Temp\\'],
] as const);
const STEMS = ['report', 'offer', 'minutes', 'photo', 'draft', 'plan', 'scan', 'order', 'notes', 'budget'];
const extensionAt = weighted([
  [24, 'docx'],
  [20, 'xlsx'],
  [16, 'pdf'],
  [10, 'pptx'],
  [12, 'jpg'],
  [10, 'json'],
  [8, 'log'],
] as const);
const SYSTEM_FOLDERS = ['C:\\Windows\\Temp\\', 'C:\\ProgramData\\Agent\\Cache\\', 'C:\\Windows\\Prefetch\\'];

/** A file of a person, or of the machine without one. */
const fileOf = (own: KeyedDraws, user: string | null): string => {
  const folder = user === null ? own.pick(SYSTEM_FOLDERS) : `C:\\Users\\${user}\\${folderAt(own.next())}`;
  return `${folder}${own.pick(STEMS)}-${own.integer(100, 9_999)}.${extensionAt(own.next())}`;
};

/** A file that is packed: the archive is new, what was packed goes. Backups do it, and those who want a ransom. */
export const packedFile = (own: KeyedDraws, user: string | null): ActivityFacts => {
  const replaced = fileOf(own, user);
  return { path: `${replaced}.${own.pick(['zip', '7z', 'bak'])}`, replaced };
};

const dumpFile = (own: KeyedDraws, user: string | null): ActivityFacts => ({
  path: `${user === null ? 'C:\\Windows\\Temp\\' : `C:\\Users\\${user}\\AppData\\Local\\Temp\\`}${own.pick(STEMS)}-${own.integer(100, 9_999)}.dmp`,
  replaced: null,
});

const savedFile = (own: KeyedDraws, user: string | null): ActivityFacts => {
  const how = own.next();
  if (how < 0.25) return packedFile(own, user);
  const path = fileOf(own, user);
  // Programs save to a temporary file and put it in the place of the old one.
  return { path, replaced: how < 0.6 ? `${path}.tmp` : null };
};

type Value = readonly [key: string, value: string];
const SERVICES_KEY = 'HKLM\\System\\CurrentControlSet\\Services\\';
const MACHINE_VALUES: readonly (readonly [weight: number, item: Value])[] = [
  [14, [`${SERVICES_KEY}bam\\State\\UserSettings`, 'Binary Data']],
  [10, [`${SERVICES_KEY}Tcpip\\Parameters\\DhcpNameServer`, '10.10.0.18']],
  [7, [`${SERVICES_KEY}wuauserv\\Start`, 'DWORD (0x00000003)']],
  [7, [`${SERVICES_KEY}VSS\\Start`, 'DWORD (0x00000003)']],
  [6, [`${SERVICES_KEY}VSS\\Start`, 'DWORD (0x00000004)']],
  [
    9,
    [
      'HKLM\\Software\\Microsoft\\Windows Defender\\Signature Updates\\SignatureUpdateCount',
      'DWORD (0x00000001)',
    ],
  ],
  [
    6,
    ['HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Run\\Agent', 'C:\\ProgramData\\Agent\\agent.exe'],
  ],
];
const USER_VALUES: readonly (readonly [weight: number, item: Value])[] = [
  [
    22,
    ['HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\RecentDocs\\MRUListEx', 'Binary Data'],
  ],
  [14, ['HKCU\\Software\\Microsoft\\Office\\16.0\\Common\\Identity\\SignedIn', 'DWORD (0x00000001)']],
  [10, ['HKCU\\Software\\Google\\Chrome\\BLBeacon\\state', 'DWORD (0x00000001)']],
  [8, ['HKCU\\Control Panel\\Desktop\\Wallpaper', 'C:\\Users\\Public\\Pictures\\background.bmp']],
  [6, ['HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run\\Sync', 'C:\\Program Files\\Sync\\sync.exe']],
];
const machineValueAt = weighted(MACHINE_VALUES);
const userValueAt = weighted(USER_VALUES);

const pipeAt = weighted([
  [22, '\\wkssvc'],
  [18, '\\srvsvc'],
  [16, '\\lsass'],
  [12, '\\spoolss'],
  [10, '\\ntsvcs'],
  [9, '\\epmapper'],
  [8, '\\winreg'],
  [5, '\\atsvc'],
] as const);

/** Who does something at an endpoint: a program of a person, or a service. */
export interface EndpointDoer {
  readonly host: WorldHost;
  /** Null for a service. */
  readonly user: string | null;
  readonly running: RunningProcess;
}

export const serviceDoer = (own: KeyedDraws, host: WorldHost): EndpointDoer => ({
  ...{ host, user: null, running: serviceOf(host, serviceAt(own.next())) },
});

const openedProcess = (own: KeyedDraws, host: WorldHost, target: number): ActivityFacts => {
  const { image, pid } = serviceOf(host, target);
  return { target_image: image, target_pid: pid, rights: rightsAt(own.next()) };
};

/** The facts of what a running program does. */
export const endpointFacts = (
  kind: 'save_file' | 'set_value' | 'open_process' | 'use_pipe',
  own: KeyedDraws,
  { host, user, running }: EndpointDoer,
): ActivityFacts => {
  switch (kind) {
    case 'save_file':
      return { ...running, ...savedFile(own, user) };
    case 'set_value': {
      const isOfUser = user !== null && own.chance(0.7);
      const [key, value] = isOfUser ? userValueAt(own.next()) : machineValueAt(own.next());
      return { ...running, key, value };
    }
    case 'open_process':
      return { ...running, ...openedProcess(own, host, targetAt(own.next())) };
    case 'use_pipe':
      return { ...running, pipe: pipeAt(own.next()), is_new: own.chance(0.3) };
  }
};

/** What programs and services do by themselves. */
const ENDPOINT_KINDS = ['save_file', 'set_value', 'open_process', 'use_pipe'] as const;

const dumpToolAt = weighted(DUMP_TOOLS);

const momentIn = (from: Micros, own: KeyedDraws): Micros => from + Math.floor(own.next() * MICROS_PER_MINUTE);

/** Draws of the acts of a minute are that far apart. */
const APART = 1_000;

/** Writes what running programs and services do in a minute. `person` and `plan` are of who works at a workstation. */
export const endpointMinute = (
  scribe: Scribe,
  { draws }: Surroundings,
  host: WorldHost,
  person: Person | null,
  plan: DayPlan | null,
  from: Micros,
): void => {
  if (host.os.family !== 'windows' || !scribe.isWanted(...ENDPOINT_KINDS)) return;
  scribe.from('endpoints');
  const counts = draws.of(host.number, from, WHY_ENDPOINT);
  for (let count = counts.poisson(OF_SERVICES_PER_MINUTE); count > 0; count--) {
    const own = draws.of(host.number, from + count, WHY_ENDPOINT);
    const at = momentIn(from, own);
    const kind = ENDPOINT_ACTS(own.next());
    if (scribe.leavesOut(kind)) continue;
    const facts = endpointFacts(kind, own, serviceDoer(own, host));
    scribe.act({ person: null, host, session: '0x3e7', truth: null, kind, at, facts });
  }
  if (person === null || plan === null) return;
  for (let count = counts.poisson(OF_PROGRAMS_PER_MINUTE * person.pace); count > 0; count--) {
    const own = draws.of(host.number, from + APART + count, WHY_ENDPOINT);
    const at = momentIn(from, own);
    if (!isAtScreen(plan, at)) continue;
    const kind = ENDPOINT_ACTS(own.next());
    if (scribe.leavesOut(kind)) continue;
    const running = own.pick(runningPrograms(plan, at));
    const facts = endpointFacts(kind, own, { host, user: person.user, running });
    scribe.act({ person, host, session: plan.logon_id, truth: null, kind, at, facts });
  }
};

/** Writes that a program of a person hung or crashed in a minute. */
export const dumpMinute = (
  scribe: Scribe,
  { draws }: Surroundings,
  { host, person, plan }: { readonly host: WorldHost; readonly person: Person; readonly plan: DayPlan },
  from: Micros,
): void => {
  if (host.os.family !== 'windows' || !scribe.isWanted('run_program', 'open_process', 'save_file')) return;
  scribe.from('dumps');
  const own = draws.of(host.number, from + 2 * APART, WHY_ENDPOINT);
  for (let count = own.poisson(DUMPS_PER_MINUTE); count > 0; count--) {
    const at = momentIn(from, own);
    const target = targetAt(own.next());
    if (!isAtScreen(plan, at)) continue;
    const parent = { image: EXPLORER.image, pid: plan.explorer_pid };
    for (const act of dumpActs(own, { host, user: person.user }, parent, at, target))
      scribe.act({ person, host, session: plan.logon_id, truth: null, ...act });
  }
};

/** A program is started that opens another process and writes its memory to a file. */
export const dumpActs = (
  own: KeyedDraws,
  { host, user }: Pick<EndpointDoer, 'host' | 'user'>,
  parent: RunningProcess,
  at: Micros,
  target: number,
): readonly Pick<Act, 'kind' | 'at' | 'facts'>[] => {
  const program = dumpToolAt(own.next());
  const { image } = program;
  const pid = processId(own);
  const opens = openedProcess(own, host, target);
  const command_line = program.command_line.replace('{pid}', String(opens['target_pid']));
  const tool = { ...program, command_line, pid };
  const opened = at + Math.round(own.lognormal(300, 0.5) * 1_000);
  const written = opened + Math.round(own.lognormal(700, 0.6) * 1_000);
  return [
    { kind: 'run_program', at, facts: { ...tool, parent_image: parent.image, parent_pid: parent.pid } },
    { kind: 'open_process', at: opened, facts: { image, pid, ...opens } },
    { kind: 'save_file', at: written, facts: { image, pid, ...dumpFile(own, user) } },
  ];
};
