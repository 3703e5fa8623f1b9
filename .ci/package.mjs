/**
 * Makes what a release consists of: `npm run package -- npm deb sbom sums`, all of them without a name; `--to FOLDER` takes
 * another folder than `release`, `--packed FILE` an npm package that is there. The Debian package and the bill of
 * materials follow the lock file. Nothing is published.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { root } from './build.mjs';

const { name, version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: 'string', default: join(root, 'release') }, packed: { type: 'string' } },
});
const release = resolve(values.to);
let tarball = values.packed === undefined ? null : resolve(values.packed);

const run = (program, args, cwd = root) =>
  execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const packNpm = () => {
  tarball ??= join(release, run('npm', ['pack', '--silent', '--pack-destination', release]).trim());
  return tarball;
};

/** Folder of the program in the Debian package. */
const PROGRAM = 'usr/lib/spate-events';
const SETTINGS = '/etc/spate/spate.yml';

/** The unit that `spate service install --run-as spate` writes for the settings of the package. */
const unitOfPackage = async () => {
  const { MARKER, unitText } = await import(
    pathToFileURL(join(root, 'dist/src/cli/commands/service/unit.js')).href
  );
  const unit = unitText({
    name: 'spate',
    mode: 'system',
    node: '/usr/bin/node',
    script: `/${PROGRAM}/dist/src/cli/main.js`,
    settingsFile: SETTINGS,
    clusterFile: null,
    readable: [],
    writable: ['/etc/spate', '/var/lib/spate', '/var/log/spate'],
    user: 'spate',
    keyringPassword: null,
    port: 9474,
  });
  if (unit._tag === 'Left') throw new Error(unit.left.message);
  return unit.right.replace(/^.*\n/, (first) =>
    first.startsWith(MARKER) ? '# Put changes in a drop-in: systemctl edit spate\n' : first,
  );
};

const kibOf = (folder) =>
  readdirSync(folder, { recursive: true }).reduce((sum, file) => {
    const stats = lstatSync(join(folder, file));
    return sum + (stats.isFile() ? Math.ceil(stats.size / 1024) : 1);
  }, 0);

const control = (kib) => `Package: ${name}
Version: ${version}
Section: utils
Priority: optional
Architecture: all
Maintainer: The Spate maintainers <spate@localhost>
Depends: nodejs (>= 20.19), adduser, procps
Recommends: python3
Installed-Size: ${kib}
Description: ${description}
 The command is spate. The service spate.service runs as the user spate and is
 not enabled: without credentials it serves every user of the machine.
`;

/** Puts what the package installs below a folder. */
const stageDeb = async (stage, from) => {
  const put = (path, content, mode = 0o644) => {
    mkdirSync(join(stage, path, '..'), { recursive: true });
    writeFileSync(join(stage, path), content, { mode });
  };
  mkdirSync(join(stage, PROGRAM), { recursive: true });
  run('tar', ['-xzf', from, '-C', join(stage, PROGRAM), '--strip-components=1']);
  cpSync(join(root, 'package-lock.json'), join(stage, PROGRAM, 'package-lock.json'));
  run(
    'npm',
    ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--silent'],
    join(stage, PROGRAM),
  );
  rmSync(join(stage, PROGRAM, 'package-lock.json'));
  const spate = (...args) => run(process.execPath, [join(stage, PROGRAM, 'dist/src/cli/main.js'), ...args]);
  mkdirSync(join(stage, 'usr/bin'), { recursive: true });
  symlinkSync(`../lib/spate-events/dist/src/cli/main.js`, join(stage, 'usr/bin/spate'));
  put('usr/lib/systemd/system/spate.service', await unitOfPackage());
  put('usr/share/man/man1/spate.1.gz', gzipSync(readFileSync(join(root, 'dist/spate.1'))));
  put('usr/share/bash-completion/completions/spate', spate('completion', 'bash'));
  put('usr/share/zsh/vendor-completions/_spate', spate('completion', 'zsh'));
  put('usr/share/fish/vendor_completions.d/spate.fish', spate('completion', 'fish'));
  put(`usr/share/doc/${name}/changelog.gz`, gzipSync(readFileSync(join(root, 'CHANGELOG.md'))));
  put(
    `usr/share/doc/${name}/copyright`,
    `${readFileSync(join(root, 'LICENSE'), 'utf8')}\n/${PROGRAM}/dist/licenses.txt and /${PROGRAM}/dist/ui/licenses.txt have the licenses of what the program contains.\n`,
  );
  const own = (file) => readFileSync(join(root, 'deploy/debian', file));
  put('etc/spate/spate.yml', own('spate.yml'), 0o640);
  put('etc/spate/startup.yml', own('startup.yml'), 0o640);
  put('DEBIAN/conffiles', `${SETTINGS}\n/etc/spate/startup.yml\n`);
  put('DEBIAN/control', control(kibOf(stage)));
  for (const script of ['postinst', 'prerm', 'postrm']) put(`DEBIAN/${script}`, own(script), 0o755);
};

const makeDeb = async () => {
  const stage = mkdtempSync(join(tmpdir(), 'spate-deb-'));
  const file = join(release, `${name}_${version}_all.deb`);
  try {
    await stageDeb(stage, packNpm());
    run('chmod', ['-R', 'go-w,u+rwX,go+rX', join(stage, 'usr')]);
    run('chmod', ['755', stage]);
    run('dpkg-deb', ['--root-owner-group', '--build', stage, file]);
    return file;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
};

/** `NAME VERSION` of the packages that the program and the UI contain without installing them. */
const contained = () => {
  const texts = ['dist/licenses.txt', 'dist/ui/licenses.txt'].map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/^(\S+) (\d\S*): /gm)].map(([, id, at]) => `${id} ${at}`)),
  );
};

/** CycloneDX from npm, less what only builds and tests need, and without addresses that downloads came from. */
const makeSbom = () => {
  const file = join(release, `${name}-${version}.cdx.json`);
  const all = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx']));
  const inside = contained();
  const isDevelopment = ({ properties = [] }) =>
    properties.some((each) => each.name === 'cdx:npm:package:development' && each.value === 'true');
  const components = all.components
    .filter((one) => !isDevelopment(one) || inside.has(`${one.name} ${one.version}`))
    .map(({ externalReferences = [], ...one }) => ({
      ...one,
      externalReferences: externalReferences.filter(({ type }) => type !== 'distribution'),
    }));
  const known = new Set([all.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = all.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) }));
  all.metadata.component.name = name;
  writeFileSync(file, `${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`);
  return file;
};

/** In the form that `sha256sum --check` reads. */
const makeSums = () => {
  const file = join(release, 'SHA256SUMS');
  const files = readdirSync(release)
    .filter((each) => each.startsWith(name))
    .sort();
  const lineOf = (each) =>
    `${createHash('sha256')
      .update(readFileSync(join(release, each)))
      .digest('hex')}  ${each}\n`;
  writeFileSync(file, files.map(lineOf).join(''));
  return file;
};

const PARTS = { npm: packNpm, deb: makeDeb, sbom: makeSbom, sums: makeSums };

const unknown = positionals.find((part) => !Object.hasOwn(PARTS, part));
if (unknown !== undefined) {
  process.stderr.write(
    `usage: npm run package -- [${Object.keys(PARTS).join('|')}]...: there is no "${unknown}"\n`,
  );
  process.exit(2);
}
mkdirSync(release, { recursive: true });
for (const part of positionals.length === 0 ? Object.keys(PARTS) : positionals) {
  const file = await PARTS[part]();
  process.stdout.write(`${file} ${Math.ceil(lstatSync(file).size / 1024)} KiB\n`);
}
