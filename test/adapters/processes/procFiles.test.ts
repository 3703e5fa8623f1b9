import { expect, test } from '@jest/globals';
import {
  bootTimeIn,
  diskTrafficIn,
  frequencyIn,
  memoryIn,
  networkTrafficIn,
} from '../../../src/adapters/processes/proc.js';

const DEV = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1000       1    0    0    0     0          0         0     1000       1    0    0    0     0       0          0
  eth0: 200       2    0    0    0     0          0         0      30       2    0    0    0     0       0          0
wlan0:5 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0
`;

const DISKS = `   8       0 sda 10 0 100 0 20 0 200 0 0 0 0
   8       1 sda1 10 0 100 0 20 0 200 0 0 0 0
 259       0 nvme0n1 1 0 3 0 1 0 5 0 0 0 0 0 0 0 0 0 0
   7       0 loop0 1 0 999 0 0 0 0 0 0 0 0
`;

test('traffic of all interfaces except loopback', () => {
  expect(networkTrafficIn(DEV)).toEqual({ received: 205, sent: 37 });
  expect(networkTrafficIn('')).toBeNull();
});

test('traffic of whole disks, in bytes', () => {
  expect(diskTrafficIn(DISKS, ['sda', 'nvme0n1'])).toEqual({ read: 103 * 512, written: 205 * 512 });
  expect(diskTrafficIn(DISKS, [])).toEqual({ read: 0, written: 0 });
  expect(diskTrafficIn('', ['sda'])).toBeNull();
});

test('available memory and boot time', () => {
  expect(memoryIn('MemTotal: 100 kB\nMemFree: 1 kB\nMemAvailable:   50 kB\n')).toBe(51_200);
  expect(memoryIn('MemTotal: 100 kB\n')).toBeNull();
  expect(bootTimeIn('cpu 1 2\nbtime 1700000000\nprocesses 1\n')).toBe(1_700_000_000);
  expect(bootTimeIn('')).toBeNull();
});

test('the frequency of the processors is their mean; none where the kernel does not tell', () => {
  const cpu = 'processor\t: 0\ncpu MHz\t\t: 2596.120\ncpu MHz\t\t: 1400\nbogomips\t: 5192.24\n';
  expect(frequencyIn(cpu)).toBe(1_998);
  expect(frequencyIn('processor\t: 0\nBogoMIPS\t: 50.00\n')).toBeNull();
});
