/** The licenses of the packages whose code a build contains; most ask for that. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/;

const licenseFile = (folder) => readdirSync(folder).find((name) => /^(un)?licen[sc]e/i.test(name));

const sectionOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = licenseFile(folder);
  const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
  return `${name} ${version}: ${license ?? 'see below'}${text}`;
};

/** Names, versions and licenses of the packages that hold some of these files, in the order of their names. */
export const licensesOf = (files) => {
  const folders = new Set(
    files.map((file) => PACKAGE.exec(file)?.[0]).filter((folder) => folder !== undefined),
  );
  return [...folders]
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .sort()
    .map((folder) => `${sectionOf(folder)}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
};
