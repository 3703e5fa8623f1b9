import { readFile } from 'node:fs/promises';
import { errnoOf } from '../files/ioError.js';

/** Parsers of `/proc` files of Linux; `null` if a text lacks the value. */

/** Available bytes in `/proc/meminfo`. */
export const memoryIn = (meminfo: string): number | null => {
  const found = /^MemAvailable:\s+(\d+) kB$/m.exec(meminfo);
  return found === null ? null : Number(found[1]) * 1_024;
};

/** Open files that the process may have in `/proc/self/limits`; null also when there is no limit. */
export const openFilesIn = (limits: string): number | null => {
  const found = /^Max open files\s+(\d+)\s/m.exec(limits);
  return found === null ? null : Number(found[1]);
};

/** Boot time in Unix seconds in `/proc/stat`. */
export const bootTimeIn = (stat: string): number | null => {
  const found = /^btime (\d+)$/m.exec(stat);
  return found === null ? null : Number(found[1]);
};

/** Bytes of all interfaces except loopback in `/proc/net/dev`. */
export const networkTrafficIn = (
  dev: string,
): { readonly received: number; readonly sent: number } | null => {
  const rows = [...dev.matchAll(/^\s*([^:\s]+):\s*(.*)$/gm)].filter(([, name]) => name !== 'lo');
  if (dev === '') return null;
  const sum = (column: number): number =>
    rows.reduce((total, [, , columns = '']) => total + Number(columns.trim().split(/\s+/)[column] ?? 0), 0);
  return { received: sum(0), sent: sum(8) };
};

const SECTOR_BYTES = 512;

/** Bytes of the named disks in `/proc/diskstats`. */
export const diskTrafficIn = (
  diskstats: string,
  disks: readonly string[],
): { readonly read: number; readonly written: number } | null => {
  if (diskstats === '') return null;
  const rows = diskstats
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , name]) => name !== undefined && disks.includes(name));
  const sum = (column: number): number =>
    rows.reduce((total, columns) => total + Number(columns[column] ?? 0), 0) * SECTOR_BYTES;
  return { read: sum(5), written: sum(9) };
};

/** Mean processor frequency in MHz in `/proc/cpuinfo`. */
export const frequencyIn = (cpuinfo: string): number | null => {
  const found = [...cpuinfo.matchAll(/^cpu MHz\s*:\s*(\d+(?:\.\d+)?)$/gm)].map(([, mhz]) => Number(mhz));
  return found.length === 0 ? null : Math.round(found.reduce((sum, mhz) => sum + mhz, 0) / found.length);
};

/** `null` for ended processes and on other systems than Linux. */
const readStat = async (pid: number): Promise<{ readonly state: string; readonly start: string } | null> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The program name is in parentheses and may contain anything; fields follow the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state === undefined || start === undefined ? null : { state, start };
};

/** Returns the start time in ticks since boot, or null when it is unknown. */
export const processStart = async (pid: number): Promise<string | null> =>
  (await readStat(pid))?.start ?? null;

/** Tells if the process that started at `start` (null if unknown) lives. Process ids are reused. */
export const isSameProcess = async (pid: number, start: string | null): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    // EPERM: the process exists.
    if (errnoOf(thrown) !== 'EPERM') return false;
  }
  const seen = await readStat(pid);
  if (seen === null || start === null) return true;
  return seen.start === start && seen.state !== 'Z' && seen.state !== 'X';
};
