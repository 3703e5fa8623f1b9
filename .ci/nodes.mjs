/**
 * Prints the paths of other versions of Node, separated by colons: `node .ci/nodes.mjs 22 24`. They come from the
 * registry, as packages that hold the program, and stay in node_modules/.cache.
 */
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { root } from './build.mjs';

const cache = join(root, 'node_modules', '.cache', 'spate-nodes');

/** Takes one file out of a package. */
const unpackFile = async (archive, name, target) => {
  const { extract } = await import('tar-stream');
  const entries = extract();
  entries.on('entry', (header, content, next) => {
    if (header.name !== name) content.resume().on('end', next);
    else pipeline(content, createWriteStream(target, { mode: 0o755 })).then(() => next(), next);
  });
  await pipeline(createReadStream(archive), createGunzip(), entries);
};

/** The program of a version, which is downloaded if it is not there. Throws with what npm said. */
const nodeOf = async (version) => {
  const path = join(cache, version, 'node');
  if (existsSync(path)) return path;
  const work = join(cache, `${version}.${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    const name = `node-${platform()}-${arch()}@${version}`;
    const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent', name], {
      cwd: work,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`npm pack ${name} failed: ${stderr}`);
    await unpackFile(join(work, stdout.trim()), 'package/bin/node', join(work, 'node'));
    mkdirSync(dirname(path), { recursive: true });
    renameSync(join(work, 'node'), path);
    return path;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

const versions = process.argv.slice(2);
if (versions.length === 0 || versions.some((version) => !/^\d+(\.\d+){0,2}$/.test(version))) {
  process.stderr.write('usage: node .ci/nodes.mjs VERSION...\n');
  process.exit(2);
}
const paths = [];
for (const version of versions) paths.push(await nodeOf(version));
process.stdout.write(`${paths.join(':')}\n`);
