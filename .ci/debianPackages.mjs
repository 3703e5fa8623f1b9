/**
 * Debian packages that are unpacked instead of installed, of the suite of this machine or of another one, and which
 * nats-server is new enough for clusters. For setup.mjs and for tests.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const APT = '/etc/apt';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

const linesIn = (path) => (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []);

const sourceFiles = () => {
  const parts = join(APT, 'sources.list.d');
  const names = existsSync(parts) ? readdirSync(parts).filter((name) => /\.(list|sources)$/.test(name)) : [];
  return [join(APT, 'sources.list'), ...names.map((name) => join(parts, name))];
};

/** Entries of a file in one-line format: `deb [signed-by=FILE] URI SUITE COMPONENT...`. */
const lineEntries = (lines) =>
  lines.flatMap((line) => {
    const [, options = '', uri, suite, components] =
      /^deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#]*)/.exec(line.trim()) ?? [];
    if (uri === undefined) return [];
    const [, keyring] = /signed-by=(\S+)/i.exec(options) ?? [];
    return [{ uris: [uri], suites: [suite], components: components.split(/\s+/), keyring }];
  });

/** Entries of a file in deb822 format: paragraphs of `Field: value`. */
const fieldEntries = (lines) =>
  lines
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .split(/\n\s*\n/)
    .flatMap((paragraph) => {
      const fields = Object.fromEntries(
        [...paragraph.matchAll(/^([\w-]+):[ \t]*(.*)$/gm)].map(([, name, value]) => [
          name.toLowerCase(),
          value,
        ]),
      );
      const words = (name) => (fields[name] ?? '').split(/\s+/).filter((word) => word !== '');
      if (!words('types').includes('deb') || fields.enabled === 'no') return [];
      // Without a path it is the key itself, in the lines below.
      const keyring = words('signed-by')[0];
      return [{ uris: words('uris'), suites: words('suites'), components: words('components'), keyring }];
    });

/** The line of a source list for another suite of the archive that this machine installs from. The rest is for tests. */
export const sourceLine = (suite, files = sourceFiles(), release = linesIn('/etc/os-release')) => {
  const [, codename] = /^VERSION_CODENAME=(\S+)$/m.exec(release.join('\n')) ?? [];
  const entries = files.flatMap((path) =>
    path.endsWith('.sources') ? fieldEntries(linesIn(path)) : lineEntries(linesIn(path)),
  );
  const suites = [codename, 'testing', 'unstable', 'sid'];
  // Archives of others use these names too, and have another path.
  const found = entries.find(
    (entry) =>
      entry.suites.some((name) => suites.includes(name)) &&
      entry.components.includes('main') &&
      /\/debian(\.list|\/)?$/.test(entry.uris[0]),
  );
  if (found === undefined) throw new Error(`no file of ${APT} names an archive of Debian`);
  const keyring = found.keyring ?? (existsSync(KEYRING) ? KEYRING : null);
  return `deb ${keyring === null ? '' : `[signed-by=${keyring}] `}${found.uris[0]} ${suite} main\n`;
};

/** Options of apt that make it see one suite only, with lists of its own below a folder. */
const optionsFor = (suite, work) => {
  const list = join(work, 'suite.list');
  for (const name of ['lists', 'cache/archives']) mkdirSync(join(work, name, 'partial'), { recursive: true });
  writeFileSync(list, sourceLine(suite));
  const settings = {
    'Dir::Etc::sourcelist': list,
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': join(work, 'lists'),
    'Dir::Cache': join(work, 'cache'),
    'Acquire::Languages': 'none',
    // The user of apt may not enter a temporary folder.
    'APT::Sandbox::User': 'root',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
};

/**
 * Downloads packages and unpacks them into a new folder; another process may be faster. The suite is that of the machine
 * unless it is named.
 */
export const unpackPackages = (folder, packages, suite = null) => {
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(join(dirname(folder), 'new-'));
  const quiet = { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] };
  try {
    const options = suite === null ? [] : optionsFor(suite, work);
    if (suite !== null) execFileSync('apt-get', [...options, 'update', '-qq'], quiet);
    execFileSync('apt-get', [...options, 'download', '-qq', ...packages], quiet);
    for (const name of readdirSync(work).filter((file) => file.endsWith('.deb'))) {
      execFileSync('dpkg-deb', ['-x', name, 'root'], quiet);
    }
    try {
      renameSync(join(work, 'root'), folder);
    } catch (error) {
      if (!existsSync(folder)) throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

/** Whether a nats-server, by name or path, is one that a cluster takes. */
export const isClusterNats = (program) => {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = (/v(\d+)\.(\d+)/.exec(stdout ?? '') ?? []).map(Number);
  return major > 2 || (major === 2 && minor >= 10);
};
