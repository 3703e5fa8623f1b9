import * as E from 'fp-ts/lib/Either.js';
import type { FileContent, FileNode, GlobalsUsageReport } from '../../src/domain/directories/directory.js';
import type { Result } from '../../src/domain/errors.js';

import type { GeneratorDirectories } from '../../src/ports/files.js';

/** Limits per directory. */
const MAX_TEMPLATES = 1_000;
const MAX_TEMPLATE_BYTES = 1_048_576;

/** Use of `globals` in a template; `null` when it does not parse. */
export type UsageOf = (source: string) => Promise<{
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  readonly warnings: readonly ('dynamic_key' | 'update_call')[];
} | null>;

const isTemplate = (name: string): boolean => /\.(jinja|j2)$/.test(name);

const pathsBelow = (nodes: readonly FileNode[], above = ''): readonly string[] =>
  nodes.flatMap(({ name, is_dir, children }) =>
    is_dir ? pathsBelow(children, `${above}${name}/`) : isTemplate(name) ? [`${above}${name}`] : [],
  );

const textOf = async ({ chunks, size_bytes }: FileContent): Promise<string | null> => {
  const parts: Uint8Array[] = [];
  // Reading to the end closes the file.
  for await (const chunk of chunks) if (size_bytes <= MAX_TEMPLATE_BYTES) parts.push(chunk);
  return size_bytes <= MAX_TEMPLATE_BYTES ? Buffer.concat(parts).toString('utf8') : null;
};

/** Use of globals by all templates of a directory; broken ones are left out. */
export const usageOfGlobals = async (
  directories: GeneratorDirectories,
  usageOf: UsageOf,
  name: string,
): Promise<Result<GlobalsUsageReport>> => {
  const tree = await directories.tree(name);
  if (E.isLeft(tree)) return tree;
  const reports: GlobalsUsageReport[] = [];
  for (const template of pathsBelow(tree.right).slice(0, MAX_TEMPLATES)) {
    const content = await directories.files.read(name, template);
    const text = E.isLeft(content) ? null : await textOf(content.right);
    const usage = text === null ? null : await usageOf(text);
    if (usage === null) continue;
    reports.push({
      writes: usage.writes.map((key) => ({ key, template })),
      reads: usage.reads.map((key) => ({ key, template })),
      warnings: usage.warnings.map((type) => ({ type, template })),
    });
  }
  return E.right({
    writes: reports.flatMap(({ writes }) => writes),
    reads: reports.flatMap(({ reads }) => reads),
    warnings: reports.flatMap(({ warnings }) => warnings),
  });
};
