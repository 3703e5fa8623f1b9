import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../../src/domain/random.js';
import { seededRandom } from '../../../src/domain/random.js';

/** A line in three parts, and the template of its message. */
export interface Labelled {
  readonly time: string;
  readonly header: string;
  readonly message: string;
  readonly template: number | string;
}

const LINES = 400;
export const START = Date.UTC(2026, 0, 5, 8);

const pick = <A>(random: Random, items: readonly A[]): A => items[random.integer(0, items.length - 1)] as A;
const hex = (random: Random, length: number): string =>
  Array.from({ length }, () => random.integer(0, 15).toString(16)).join('');
const ip = (random: Random): string => `10.250.${random.integer(0, 19)}.${random.integer(1, 254)}`;

/** What stands for `{name}` in a template or in a header. */
const PARAMETERS: Readonly<Record<string, (random: Random) => string>> = {
  n: (random) => String(random.integer(1, 99_999)),
  small: (random) => String(random.integer(0, 9)),
  pid: (random) => String(pick(random, [25_746, 25_743, 2_931, 2_936, 148, 13])),
  ip,
  address: (random) => `/${ip(random)}:${random.integer(1_024, 65_000)}`,
  block: (random) => `blk_-${random.integer(1e8, 9e8)}${random.integer(1e8, 9e8)}`,
  path: (random) =>
    `/user/${pick(random, ['root', 'rand', 'mapred'])}/part-${random.integer(10_000, 99_999)}`,
  uuid: (random) => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-'),
  hex: (random) => hex(random, 32),
  job: (random) => `job_1445144423722_00${random.integer(10, 29)}`,
  attempt: (random) => `attempt_1445144423722_0020_m_0000${random.integer(10, 20)}_${random.integer(0, 3)}`,
  rdd: (random) => `rdd_${random.integer(0, 40)}_${random.integer(0, 40)}`,
  seconds: (random) => `0.${random.integer(1_000_000, 9_999_999)}`,
  state: (random) => pick(random, ['NEW', 'SCHEDULED', 'RUNNING', 'ASSIGNED']),
  word: (random) => pick(random, ['root', 'phone', 'mail', 'news']),
  thread: (random) =>
    pick(random, [
      'main',
      'AsyncDispatcher event handler',
      'RMCommunicator Allocator',
      `IPC Server handler ${random.integer(0, 30)} on 62270`,
      `ContainerLauncher #${random.integer(0, 9)}`,
      `Thread-${random.integer(10, 99)}`,
    ]),
  node: (random) => `R${random.integer(10, 77)}-M${random.integer(0, 1)}-N${random.integer(0, 9)}`,
};
const filled = (text: string, random: Random): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => (PARAMETERS[name] as (random: Random) => string)(random));

/** Weight, component, level and message of each template, and the header that the program writes before it. */
interface Program {
  readonly time: (at: Date) => string;
  readonly header: (component: string, level: string) => string;
  readonly templates: readonly (readonly [
    weight: number,
    component: string,
    level: string,
    message: string,
  ])[];
}

const iso = (at: Date): string => at.toISOString().slice(0, 23).replace('T', ' ');
const short = (at: Date): string => iso(at).slice(2, 19).replaceAll('-', '/');

const PROGRAMS: Readonly<Record<string, Program>> = {
  HDFS: {
    time: (at) => iso(at).slice(2, 19).replaceAll(/[-:]/g, ''),
    header: (component, level) => `{pid} ${level} ${component}: `,
    templates: [
      [20, 'dfs.DataNode$DataXceiver', 'INFO', 'Receiving block {block} src: {address} dest: {address}'],
      [
        20,
        'dfs.FSNamesystem',
        'INFO',
        'BLOCK* NameSystem.addStoredBlock: blockMap updated: {ip}:50010 is added to {block} size {n}',
      ],
      [20, 'dfs.DataNode$PacketResponder', 'INFO', 'PacketResponder {small} for block {block} terminating'],
      [20, 'dfs.DataNode$PacketResponder', 'INFO', 'Received block {block} of size {n} from /{ip}'],
      [8, 'dfs.FSNamesystem', 'INFO', 'BLOCK* NameSystem.allocateBlock: {path}. {block}'],
      [
        8,
        'dfs.FSNamesystem',
        'INFO',
        'BLOCK* NameSystem.delete: {block} is added to invalidSet of {ip}:50010',
      ],
      [8, 'dfs.FSDataset', 'INFO', 'Deleting block {block} file {path}'],
      [3, 'dfs.DataBlockScanner', 'INFO', 'Verification succeeded for {block}'],
      [3, 'dfs.DataNode$DataXceiver', 'INFO', '{ip}:50010 Served block {block} to /{ip}'],
      [3, 'dfs.DataNode$DataXceiver', 'WARN', '{ip}:50010:Got exception while serving {block} to /{ip}:'],
      [
        2,
        'dfs.DataNode$BlockReceiver',
        'WARN',
        'Exception in receiveBlock for block {block} java.io.IOException',
      ],
    ],
  },
  Spark: {
    time: short,
    header: (component, level) => `${level} ${component}: `,
    templates: [
      [20, 'executor.Executor', 'INFO', 'Running task {small}.0 in stage {n}.0 (TID {n})'],
      [
        20,
        'executor.Executor',
        'INFO',
        'Finished task {small}.0 in stage {n}.0 (TID {n}). {n} bytes result sent to driver',
      ],
      [20, 'executor.CoarseGrainedExecutorBackend', 'INFO', 'Got assigned task {n}'],
      [15, 'storage.BlockManager', 'INFO', 'Found block {rdd} locally'],
      [
        10,
        'storage.MemoryStore',
        'INFO',
        'Block {rdd} stored as values in memory (estimated size {n} B, free {n} KB)',
      ],
      [
        5,
        'storage.MemoryStore',
        'INFO',
        'Block broadcast_{small} stored as bytes in memory (estimated size {n} B)',
      ],
      [5, 'broadcast.TorrentBroadcast', 'INFO', 'Started reading broadcast variable {n}'],
      [5, 'broadcast.TorrentBroadcast', 'INFO', 'Reading broadcast variable {n} took {n} ms'],
      [5, 'python.PythonRunner', 'INFO', 'Times: total = {n}, boot = -{n}, init = {n}, finish = {small}'],
      [3, 'spark.CacheManager', 'INFO', 'Partition {rdd} not found, computing it'],
      [2, 'output.FileOutputCommitter', 'INFO', 'Saved output of task {attempt} to hdfs://{ip}{path}'],
      [2, 'mapred.SparkHadoopMapRedUtil', 'INFO', '{attempt}: Committed'],
      [1, 'spark.SecurityManager', 'WARN', 'Changing view acls to: yarn,curi'],
    ],
  },
  OpenStack: {
    time: iso,
    header: (component, level) => `{pid} ${level} ${component} [req-{uuid} {hex} {hex} - - -] `,
    templates: [
      [
        30,
        'nova.osapi_compute.wsgi.server',
        'INFO',
        '{ip} "GET /v2/{hex}/servers/detail HTTP/1.1" status: 200 len: {n} time: {seconds}',
      ],
      [
        8,
        'nova.metadata.wsgi.server',
        'INFO',
        '{ip},{ip} "GET /latest/meta-data/ HTTP/1.1" status: 200 len: {n} time: {seconds}',
      ],
      [6, 'nova.compute.manager', 'INFO', '[instance: {uuid}] VM Started (Lifecycle Event)'],
      [6, 'nova.compute.manager', 'INFO', '[instance: {uuid}] VM Paused (Lifecycle Event)'],
      [6, 'nova.compute.claims', 'INFO', '[instance: {uuid}] Total memory: {n} MB, used: {n}.00 MB'],
      [6, 'nova.compute.claims', 'INFO', '[instance: {uuid}] memory limit: {n}.00 MB, free: {n}.00 MB'],
      [6, 'nova.virt.libvirt.driver', 'INFO', '[instance: {uuid}] Creating image'],
      [6, 'nova.virt.libvirt.driver', 'INFO', '[instance: {uuid}] Instance destroyed successfully.'],
      [6, 'nova.virt.libvirt.imagecache', 'INFO', 'image {uuid} at ({path}): checking'],
      [
        3,
        'nova.compute.manager',
        'WARNING',
        'While synchronizing instance power states, found {small} instances in the database and {small} on the hypervisor.',
      ],
      [3, 'nova.virt.libvirt.imagecache', 'WARNING', 'Unknown base file: {path}'],
    ],
  },
  Hadoop: {
    time: (at) => iso(at).replace('.', ','),
    header: (component, level) => `${level} [{thread}] org.apache.hadoop.${component}: `,
    templates: [
      [15, 'mapred.TaskAttemptListenerImpl', 'INFO', 'Progress of TaskAttempt {attempt} is : 0.{n}'],
      [
        12,
        'mapreduce.v2.app.job.impl.TaskImpl',
        'INFO',
        '{attempt} Task Transitioned from {state} to {state}',
      ],
      [12, 'mapreduce.v2.app.job.impl.JobImpl', 'INFO', '{job}Job Transitioned from {state} to {state}'],
      [
        8,
        'mapreduce.v2.app.rm.RMContainerAllocator',
        'INFO',
        'Recalculating schedule, headroom=<memory:{n}>',
      ],
      [8, 'mapreduce.v2.app.rm.RMContainerAllocator', 'INFO', 'Assigned to reduce'],
      [8, 'mapreduce.v2.app.rm.RMContainerAllocator', 'INFO', 'Before Scheduling: PendingReds:{small}'],
      [8, 'ipc.Client', 'INFO', 'Retrying connect to server: msra-sa-41:8030. Already tried {small} time(s)'],
      [8, 'ipc.Client', 'WARN', 'Address change detected. Old: msra-sa-41/{ip}:9000 New: msra-sa-41:9000'],
      [5, 'ipc.Server', 'INFO', 'Starting Socket Reader'],
      [5, 'ipc.Server', 'INFO', 'Stopping server listener'],
      [5, 'ipc.Server', 'ERROR', 'ERROR IN CONTACTING RM.'],
      [
        5,
        'yarn.util.RackResolver',
        'INFO',
        'Resolved MSRA-SA-{small}.fareast.corp.microsoft.com to /default-rack',
      ],
      [4, 'mapred.TaskAttemptListenerImpl', 'INFO', 'Done acknowledgement from {attempt}'],
      [4, 'mapred.TaskAttemptListenerImpl', 'INFO', 'Commit go/no-go request {attempt}'],
    ],
  },
  Zookeeper: {
    time: (at) => iso(at).replace('.', ','),
    header: (component, level) => `- ${level.padEnd(5)} [${component}] - `,
    templates: [
      [
        20,
        'QuorumPeer[myid={small}]/0:0:0:0:0:0:0:0:2181:FastLeaderElection@774',
        'INFO',
        'Notification time out: {n}',
      ],
      [
        15,
        'RecvWorker:188978561024:QuorumCnxManager$RecvWorker@762',
        'WARN',
        'Connection broken for id {n}, my id = {small}, error =',
      ],
      [15, 'SendWorker:188978561024:QuorumCnxManager$SendWorker@688', 'WARN', 'Send worker leaving thread'],
      [15, '/{ip}:3888:QuorumCnxManager$Listener@493', 'INFO', 'Received connection request {address}'],
      [10, 'RecvWorker:188978561024:QuorumCnxManager$RecvWorker@765', 'WARN', 'Interrupting SendWorker'],
      [
        10,
        'NIOServerCxn.Factory:0.0.0.0/0.0.0.0:2181:NIOServerCnxn@1001',
        'INFO',
        'Closed socket connection for client {address} which had sessionid 0x{hex}',
      ],
      [
        8,
        'NIOServerCxn.Factory:0.0.0.0/0.0.0.0:2181:ZooKeeperServer@832',
        'INFO',
        'Client attempting to renew session 0x{hex} at {address}',
      ],
      [
        8,
        'CommitProcessor:1:ZooKeeperServer@595',
        'INFO',
        'Established session 0x{hex} with negotiated timeout {n} for client {address}',
      ],
      [
        5,
        'SessionTracker:ZooKeeperServer@325',
        'INFO',
        'Expiring session 0x{hex}, timeout of {n}ms exceeded',
      ],
      [4, 'SyncThread:{small}:FileTxnLog@199', 'INFO', 'Creating new log file: log.{n}'],
    ],
  },
  'Blue Gene': {
    time: (at) => iso(at).slice(0, 19).replaceAll('-', '.').replace(' ', '-'),
    header: (component, level) => `{node} RAS ${component} ${level} `,
    templates: [
      [20, 'KERNEL', 'INFO', 'instruction cache parity error corrected'],
      [12, 'KERNEL', 'INFO', 'data cache search parity error'],
      [12, 'KERNEL', 'INFO', 'total of {n} ddr errors'],
      [20, 'KERNEL', 'INFO', 'generating core.{n}'],
      [15, 'KERNEL', 'FATAL', 'data TLB error interrupt'],
      [15, 'KERNEL', 'FATAL', 'machine check interrupt enabled'],
      [15, 'KERNEL', 'FATAL', 'wait state enable..............{small}'],
      [
        10,
        'APP',
        'FATAL',
        'ciod: failed to read message prefix on control stream (CioStream socket to {ip}:{n}',
      ],
      [10, 'APP', 'FATAL', 'ciod: Error loading {path}: invalid or missing program image, No such file'],
      [8, 'KERNEL', 'INFO', '{n} double-hummer alignment exceptions'],
      [8, 'KERNEL', 'INFO', 'CE sym {small}, at 0x{hex}, mask 0x{small}0'],
      [6, 'MMCS', 'ERROR', 'idoproxydb hit ASSERT condition: ASSERT expression={small} Source file={path}'],
      [5, 'DISCOVERY', 'WARNING', 'Node card is not fully functional'],
      [4, 'KERNEL', 'FATAL', 'rts: kernel terminated for reason {n}'],
    ],
  },
  Android: {
    time: (at) => iso(at).slice(5),
    header: (component, level) => ` {pid}  {pid} ${level} ${component}: `,
    templates: [
      [20, 'WindowManager', 'V', 'Skipping AppWindowToken token={hex}'],
      [20, 'WindowManager', 'D', 'printFreezingDisplayLogs visible app={hex}'],
      [15, 'PowerManagerService', 'D', 'release:lock={n}, flg=0x0, tag="*launch*"'],
      [15, 'PowerManagerService', 'D', 'acquire lock={n}, flags=0x1, tag="RILJ"'],
      [10, 'PhoneStatusBar', 'I', 'setSystemUiVisibility vis=0 mask={small}'],
      [10, 'PhoneStatusBar', 'I', 'cancel notification chain {small}'],
      [10, 'ActivityManager', 'I', 'Killing {n}:com.android.{word}/u0a{small}'],
      [10, 'ActivityManager', 'W', 'getRunningAppProcesses: caller {n} does not hold permission'],
      [5, 'AudioManager', 'D', 'getStreamVolume isRestricted mode = {small}'],
      [5, 'AudioManager', 'D', 'querySoundEffectsEnabled'],
    ],
  },
  'a cluster of machines': {
    time: iso,
    header: (component) => `dn{n}/dn{n} ${component}: `,
    templates: [
      [20, 'crond(pam_unix)[{pid}]', '', 'session opened for user {word}'],
      [20, 'crond(pam_unix)[{pid}]', '', 'session closed for user {word}'],
      [20, 'ntpd[{pid}]', '', 'synchronized to {ip}, stratum {small}'],
      [10, 'xinetd[{pid}]', '', 'START: auth pid={n} from={ip}'],
      [10, 'xinetd[{pid}]', '', 'EXIT: auth status={small} pid={n}'],
      [10, 'kernel', '', 'e1000: eth{small}: NIC Link is Up'],
      [10, 'kernel', '', 'ACPI: Processor [CPU{small}] (supports C1)'],
      [5, 'sshd[{pid}]', '', 'Connection from {ip} port {n}'],
      [5, 'sshd[{pid}]', '', 'Local disconnected: Connection closed.'],
    ],
  },
};

const linesOf = (name: string, { time, header, templates }: Program): readonly Labelled[] => {
  const random = seededRandom(name);
  const total = templates.reduce((sum, [weight]) => sum + weight, 0);
  let at = START;
  return Array.from({ length: LINES }, () => {
    at += random.integer(1, 4_000);
    let left = random.next() * total;
    const template = templates.findIndex(([weight]) => {
      left -= weight;
      return left < 0;
    });
    const [, component, level, message] = templates[template] as (typeof templates)[number];
    return {
      time: time(new Date(at)),
      header: filled(header(component, level), random),
      message: filled(message, random),
      template,
    };
  });
};

/** Logs of Debian programs: the time, the header, the message, and what of the message names its template. */
const DEBIAN: Readonly<Record<string, readonly [line: RegExp, label: RegExp]>> = {
  'apache-error': [
    /^\[(\w{3} \w{3} [^\]]+)\] (\[\w+:\w+\] \[pid \d+:tid \d+\] )(?:\[client \S+\] )?(AH.*)$/,
    /AH\d{5}|, referer/g,
  ],
  'nats-server': [
    /^\[\d+\] (\S+ \S+) (\[(?:TRC|DBG)\] )(\d.*)$/,
    /Client connection \w+|\[[A-Z]+|MSG_PAYLOAD/,
  ],
  'clickhouse-server': [
    /^(\S+ \S+) (\[ \d+ \] \{[^}]*\} <\w+> \w+: )(.*)$/,
    /^Peak memory usage \(\w+|Query pipeline|^Read|^Done|^\(from|^Code|^Listening|^Loading|.*/,
  ],
};

const debianLines = (name: string): readonly Labelled[] => {
  const [look, label] = DEBIAN[name] as (typeof DEBIAN)[string];
  const text = readFileSync(join(import.meta.dirname, 'logs', `${name}.log`), 'utf8');
  return text.split('\n').flatMap((line) => {
    const [, time, header, message] = look.exec(line) ?? [];
    if (time === undefined || header === undefined || message === undefined) return [];
    return [{ time, header, message, template: message.match(label)?.join('') ?? '' }];
  });
};

const SHORT: Readonly<Record<string, string>> = { INFO: 'INF', WARN: 'WRN', ERROR: 'ERR', DEBUG: 'DBG' };

/** Headers of libraries for logging, with several threads, levels and components for each message. */
const HEADERS: Readonly<Record<string, (component: string, level: string) => string>> = {
  'logging of Python': (component, level) => `- ${component} - ${level} - `,
  logback: (component, level) => `[{thread}] ${level.padEnd(5)} ${component} - `,
  loguru: (component, level) => `| ${level.padEnd(8)} | ${component}:run:{n} - `,
  'log4j with places': (component, level) => `${level} [{thread}] (${component}:{n}) `,
  nginx: (_, level) => `[${level.toLowerCase()}] {pid}#{pid}: `,
  zap: (component, level) => `\t${level}\t${component}\t`,
  zerolog: (_, level) => `${SHORT[level]} {word}/main.go:{n} > `,
  glog: () => '{pid} controller-{small}.go:{n}] ',
  serilog: (_, level) => `[${SHORT[level]}] `,
  'a tag behind a machine': (component, level) => `web-{small} ${component}[{pid}]: ${level}: `,
  bars: (component, level) => `|${level}|${component}|{thread}|`,
  'columns of the same width': (component, level) =>
    `${level.padEnd(20)}  ${component.slice(0, 6).padEnd(8)}`,
};

const LEVELS = ['INFO', 'INFO', 'WARN', 'ERROR', 'DEBUG'];
const COMPONENTS = ['app.web.Server', 'app.Jobs', 'org.example.store.Cache', 'main.Loop'];
const linesBehind = (name: string): readonly Labelled[] => {
  const random = seededRandom(name);
  const headerOf = HEADERS[name] as (typeof HEADERS)[string];
  return linesOf('Hadoop', PROGRAMS['Hadoop'] as Program).map((line) => ({
    ...line,
    header: filled(headerOf(pick(random, COMPONENTS), pick(random, LEVELS)), random),
  }));
};

/** Logs with headers, whose templates are known. */
export const LOGS: readonly (readonly [string, () => readonly Labelled[]])[] = [
  ...Object.entries(PROGRAMS).map(([name, program]) => [name, () => linesOf(name, program)] as const),
  ...Object.keys(HEADERS).map((name) => [name, () => linesBehind(name)] as const),
  ...Object.keys(DEBIAN).map((name) => [name, () => debianLines(name)] as const),
];
