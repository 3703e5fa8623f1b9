import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { MachineInfo, ProcessLoad } from '../../domain/stats/machine.js';
import type { Machine } from '../../ports/processes.js';
import { residentBytes } from '../threadMemory.js';
import { bootTimeIn, diskTrafficIn, frequencyIn, memoryIn, networkTrafficIn, openFilesIn } from './proc.js';

const FRESH_MS = 1_000;
const LOOP_RESOLUTION_MS = 20;
const NANOS_PER_MICRO = 1_000;
const MICROS_PER_SECOND = 1e6;

const kernelText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

const addressOf = (): string => {
  const all = Object.values(os.networkInterfaces()).flatMap((found) => found ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
};

interface CpuTimes {
  readonly busy: number;
  readonly all: number;
}

const timesOf = (cpus: readonly os.CpuInfo[]): CpuTimes => {
  const idle = cpus.reduce((sum, { times }) => sum + times.idle, 0);
  const all = cpus.reduce((sum, { times }) => sum + Object.values(times).reduce((a, b) => a + b, 0), 0);
  return { busy: all - idle, all };
};

const loadMeter = () => {
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delay.enable();
  const started_at_seconds = performance.timeOrigin / 1_000;
  // The histogram counts whole pauses, which equal the resolution when nothing is late.
  const late = (nanos: number): number =>
    Math.max(0, Math.round(nanos / NANOS_PER_MICRO) - LOOP_RESOLUTION_MS * 1_000) / MICROS_PER_SECOND;
  const load = (): ProcessLoad => {
    const cpu = process.cpuUsage();
    const loop_delay_seconds = {
      p50: late(delay.percentile(50)),
      p99: late(delay.percentile(99)),
      max: late(delay.max),
    };
    delay.reset();
    return {
      cpu_user_seconds: cpu.user / MICROS_PER_SECOND,
      cpu_system_seconds: cpu.system / MICROS_PER_SECOND,
      resident_bytes: residentBytes(),
      heap_used_bytes: getHeapStatistics().used_heap_size,
      started_at_seconds,
      loop_delay_seconds,
    };
  };
  return { load, close: () => void delay.disable() };
};

/** Without partitions, mappings and arrays, which would count twice. */
const wholeDisks = async (): Promise<readonly string[]> =>
  (await readdir('/sys/block').catch(() => [])).filter((name) => !/^(loop|ram|zram|dm-|md)/.test(name));

const measure = async (
  before: CpuTimes,
): Promise<{ readonly info: MachineInfo; readonly times: CpuTimes }> => {
  const [memory, network, disks, stat, cpuinfo, names] = await Promise.all([
    kernelText('/proc/meminfo'),
    kernelText('/proc/net/dev'),
    kernelText('/proc/diskstats'),
    kernelText('/proc/stat'),
    kernelText('/proc/cpuinfo'),
    wholeDisks(),
  ]);
  const cpus = os.cpus();
  const times = timesOf(cpus);
  const total = os.totalmem();
  const available = memoryIn(memory) ?? os.freemem();
  const passed = times.all - before.all;
  const traffic = networkTrafficIn(network);
  const disk = diskTrafficIn(disks, names);
  const uptime = os.uptime();
  const info: MachineInfo = {
    python_version: `Node.js ${process.versions.node}`,
    python_implementation: 'Node.js',
    python_compiler: `V8 ${process.versions.v8}`,
    node_version: process.versions.node,
    v8_version: process.versions.v8,
    uv_version: process.versions.uv,
    platform: `${os.type()} ${os.release()} ${os.machine()}`,
    host_name: os.hostname(),
    host_ip_v4: addressOf(),
    boot_timestamp: bootTimeIn(stat) ?? Math.round(Date.now() / 1_000 - uptime),
    cpu_count: cpus.length === 0 ? null : cpus.length,
    // Node.js reads the frequency driver, which virtual machines lack.
    cpu_frequency_mhz: frequencyIn(cpuinfo) ?? cpus[0]?.speed ?? 0,
    cpu_percent: passed <= 0 ? 0 : Math.round(((times.busy - before.busy) / passed) * 1_000) / 10,
    memory_total_bytes: total,
    memory_used_bytes: Math.max(0, total - available),
    memory_available_bytes: available,
    network_sent_bytes: traffic?.sent ?? null,
    network_received_bytes: traffic?.received ?? null,
    disk_written_bytes: disk?.written ?? null,
    disk_read_bytes: disk?.read ?? null,
    uptime,
  };
  return { info, times };
};

export const thisMachine = (): Machine => {
  const meter = loadMeter();
  let times = timesOf(os.cpus());
  let cached: { readonly info: Promise<MachineInfo>; readonly untilMs: number } | null = null;
  const look = async (): Promise<MachineInfo> => {
    const looked = await measure(times);
    times = looked.times;
    return looked.info;
  };
  return {
    node_version: process.versions.node,
    load: meter.load,
    info: () => {
      if (cached === null || performance.now() >= cached.untilMs) {
        cached = { info: look(), untilMs: performance.now() + FRESH_MS };
      }
      return cached.info;
    },
    close: meter.close,
  };
};

/** CPU time of this process, in seconds. */
export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Number of file descriptors that this process may have; null when it is not known. */
export const maxOpenFiles = async (): Promise<number | null> =>
  openFilesIn(await kernelText('/proc/self/limits'));
