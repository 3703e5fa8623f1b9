import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPrograms, needs, spawnSync } from '../programs.js';

/** Whether systemd-analyze is installed; it needs no running systemd. */
export const hasAnalyze = hasPrograms('systemd-analyze');
export const NEEDS_ANALYZE = needs('systemd-analyze');

const analyze = (text: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'spate-unit-'));
  const file = join(folder, 'spate-test.service');
  try {
    writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, file], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    return { status, stdout, stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Problems of a unit according to systemd; empty: none. */
export const verifyUnit = (text: string): string => {
  const { status, stderr } = analyze(text, ['verify', '--man=no']);
  return status === 0 ? stderr.trim() : stderr.trim() || `ended with ${status}`;
};

/** Exposure of a service by systemd's score: 0 (not at all) to 10. */
export const exposureOf = (text: string): number => {
  const { stdout, stderr } = analyze(text, ['security', '--offline=true', '--no-pager']);
  const found = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout);
  if (found === null) throw new Error(stderr);
  return Number(found[1]);
};

/** Values of a unit as systemd reads it, for example `ReadWritePaths`. */
export const readBackUnit = (text: string): ((name: string) => readonly string[]) => {
  const { stdout } = analyze(text, ['verify', '--man=no'], { SYSTEMD_LOG_LEVEL: 'debug' });
  const lines = stdout.split('\n').map((line) => line.trim());
  return (name) =>
    lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
};
