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
