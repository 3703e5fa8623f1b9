import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { thisMachine } from '../../../src/adapters/processes/machine.js';
import type { Machine } from '../../../src/ports/processes.js';

let machine: Machine;
beforeEach(() => {
  machine = thisMachine();
});
afterEach(() => machine.close());

test('names versions and host, with plausible figures', async () => {
  const info = await machine.info();
  expect(info.node_version).toBe(process.versions.node);
  expect(info.python_version).toBe(`Node.js ${process.versions.node}`);
  expect(info.python_implementation).toBe('Node.js');
  expect(info.python_compiler).toBe(`V8 ${process.versions.v8}`);
  const cpuinfo = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  if (cpuinfo.includes('cpu MHz')) expect(info.cpu_frequency_mhz).toBeGreaterThan(100);
  expect(info.host_ip_v4).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
  expect(info.cpu_count).toBeGreaterThan(0);
  expect(info.memory_used_bytes + info.memory_available_bytes).toBe(info.memory_total_bytes);
  expect(info.cpu_percent).toBeGreaterThanOrEqual(0);
  expect(info.cpu_percent).toBeLessThanOrEqual(100);
  expect(Math.abs(info.boot_timestamp + info.uptime - Date.now() / 1_000)).toBeLessThan(120);
});

test('reads once for concurrent callers', async () => {
  const [one, other] = [machine.info(), machine.info()];
  expect(await one).toBe(await other);
});

test('the load of this process grows with what it does', () => {
  const before = machine.load();
  let sum = 0;
  for (let i = 0; i < 20_000_000; i++) sum += i;
  const after = machine.load();
  expect(sum).toBeGreaterThan(0);
  expect(after.cpu_user_seconds).toBeGreaterThan(before.cpu_user_seconds);
  expect(after.resident_bytes).toBeGreaterThan(10_000_000);
  expect(after.started_at_seconds).toBeCloseTo(Date.now() / 1_000 - process.uptime(), -1);
});

test('a loop that is late says by how much, once', async () => {
  machine.load();
  const pause = () => new Promise((resolve) => setTimeout(resolve, 60));
  await pause();
  const until = performance.now() + 200;
  while (performance.now() < until);
  await pause();
  const first = machine.load().loop_delay_seconds.max;
  expect(first).toBeGreaterThan(0.1);
  expect(machine.load().loop_delay_seconds.max).toBeLessThan(first);
});
