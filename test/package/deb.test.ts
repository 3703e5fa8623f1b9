import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { DEFAULT_GENERATION } from '../../src/config/settings/generationFields.js';
import { loadSettings } from '../../src/config/settings/settings.js';
import { loadStartup } from '../../src/config/startup/startup.js';
import { execFileSync, hasPrograms, needs } from '../support/programs.js';
import { hasAnalyze, NEEDS_ANALYZE, verifyUnit } from '../support/servers/systemd.js';
import { ROOT } from '../support/sources.js';

const MAX_DEB_BYTES = 8_000_000;

const whereDpkg = hasPrograms('npm', 'dpkg-deb') ? describe : describe.skip;

/** What `npm run package` makes for a release, looked at without installing it: see debian.test.ts for that. */
whereDpkg(`the release ${needs('npm', 'dpkg-deb')}`, () => {
  const work = mkdtempSync(join(tmpdir(), 'spate-release-'));
  const root = join(work, 'root');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  const files = {
    npm: `spate-events-${version}.tgz`,
    deb: `spate-events_${version}_all.deb`,
    sbom: `spate-events-${version}.cdx.json`,
  };
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');

  beforeAll(() => {
    // Without the script that refuses changes which are not committed.
    execFileSync('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', work], {
      cwd: ROOT,
    });
    const args = ['.ci/package.mjs', '--to', work, '--packed', join(work, files.npm), 'deb', 'sbom', 'sums'];
    execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'pipe' });
    execFileSync('dpkg-deb', ['--extract', join(work, files.deb), root]);
    execFileSync('dpkg-deb', ['--control', join(work, files.deb), join(root, 'DEBIAN')]);
  });
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  test('the Debian package is small, and its program runs', () => {
    expect(statSync(join(work, files.deb)).size).toBeLessThan(MAX_DEB_BYTES);
    const said = execFileSync(process.execPath, [join(root, 'usr/bin/spate'), '--version']);
    expect(said.toString()).toBe(`spate ${version}\n`);
    expect(read('DEBIAN/control')).toContain(`\nVersion: ${version}\n`);
  });

  test('its settings are valid, private, and kept when the administrator has changed them', () => {
    const settings = loadSettings(read('etc/spate/spate.yml'), '/etc/spate/spate.yml');
    if (E.isLeft(settings)) throw new Error(settings.left.message);
    expect(settings.right.path.startup).toBe('/etc/spate/startup.yml');
    const { generators_dir } = settings.right.path;
    const list = loadStartup(
      read('etc/spate/startup.yml'),
      'startup.yml',
      DEFAULT_GENERATION,
      generators_dir,
    );
    expect(list).toMatchObject({ right: { entries: [], rejected: [] } });
    expect(statSync(join(root, 'etc/spate/spate.yml')).mode & 0o777).toBe(0o640);
    expect(read('DEBIAN/conffiles')).toBe('/etc/spate/spate.yml\n/etc/spate/startup.yml\n');
  });

  const whereAnalyze = hasAnalyze ? test : test.skip;
  whereAnalyze(`systemd finds nothing wrong with its unit ${NEEDS_ANALYZE}`, () => {
    const unit = read('usr/lib/systemd/system/spate.service');
    expect(unit).toContain('\nUser=spate\n');
    expect(unit).toContain('\nReadWritePaths="/etc/spate" "/var/lib/spate" "/var/log/spate"\n');
    expect(unit).not.toContain('Written by');
    expect(verifyUnit(unit.replace('/usr/bin/node', process.execPath))).toBe('');
  });

  test('its scripts are shell, and completion and manual are where the system looks', () => {
    for (const script of ['postinst', 'prerm', 'postrm'])
      execFileSync('sh', ['-n', join(root, 'DEBIAN', script)]);
    expect(read('usr/share/bash-completion/completions/spate')).toContain('complete');
    expect(readdirSync(join(root, 'usr/share/man/man1'))).toEqual(['spate.1.gz']);
  });

  test('the bill of materials lists what the program contains, and nothing that only tests need', () => {
    const bom = JSON.parse(readFileSync(join(work, files.sbom), 'utf8')) as {
      readonly bomFormat: string;
      readonly components: readonly {
        readonly name: string;
        readonly version: string;
        readonly externalReferences: readonly { readonly type: string }[];
      }[];
    };
    const names = bom.components.map(({ name }) => name);
    expect(bom.bomFormat).toBe('CycloneDX');
    expect(names).toEqual(expect.arrayContaining(['express', 'xstate', 'rxjs', '@faker-js/faker', 'react']));
    expect(names).not.toContain('jest');
    const kinds = bom.components.flatMap(({ externalReferences }) =>
      externalReferences.map(({ type }) => type),
    );
    expect(kinds).not.toContain('distribution');
  });

  test('the sums are those of the files', () => {
    const lines = Object.values(files)
      .toSorted()
      .map(
        (file) =>
          `${createHash('sha256')
            .update(readFileSync(join(work, file)))
            .digest('hex')}  ${file}\n`,
      );
    expect(readFileSync(join(work, 'SHA256SUMS'), 'utf8')).toBe(lines.join(''));
  });
});
