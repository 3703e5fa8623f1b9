import * as E from 'fp-ts/lib/Either.js';
import { parseLease } from '../../../cluster/documents.js';
import type { Result } from '../../../domain/errors.js';
import type { ClusterLink } from '../../../ports/cluster.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { reportError } from '../../report.js';
import { EXIT, type Io } from '../../terminal/io.js';
import { entriesOf, type LinkedCluster, withCluster } from './link.js';
import { askAnyNode, type StoredNode, storedNodes } from './nodes.js';
import type { statusOptions } from './status.js';
import { type StoredLease, statusText, storedText } from './statusText.js';

const storedLeases = async ({
  leases,
}: Pick<ClusterLink, 'leases'>): Promise<Result<readonly StoredLease[]>> =>
  E.map((entries: readonly { readonly key: string; readonly value: Uint8Array }[]) =>
    entries.flatMap(({ key, value }): readonly StoredLease[] => {
      const parsed = parseLease(value);
      if (parsed.kind !== 'valid') return [];
      const { node, since } = parsed.document;
      return node === null ? [] : [{ key, node, since }];
    }),
  )(await entriesOf(leases));

const showStored = async (
  { file, link }: LinkedCluster,
  nodes: readonly StoredNode[],
  isJson: boolean,
  io: Io,
): Promise<number> => {
  const leases = await storedLeases(link);
  if (E.isLeft(leases)) return reportError(io, leases.left);
  const { name } = file;
  io.stdout.write(
    isJson
      ? `${JSON.stringify({ name, node: null, nodes, leases: leases.right }, null, 2)}\n`
      : storedText(name, nodes, leases.right),
  );
  return EXIT.failed;
};

/** Resolves to the exit code of `spate cluster status`. */
export const runStatus = (
  { options }: Given<typeof statusOptions>,
  { io }: CommandContext,
): Promise<number> =>
  withCluster({ name: 'cluster status', given: options.cluster, io }, async (cluster) => {
    const nodes = await storedNodes(cluster.link);
    if (E.isLeft(nodes)) return reportError(io, nodes.left);
    const info = await askAnyNode(
      cluster.link.calls,
      nodes.right.map(({ name }) => name),
    );
    const isJson = options.json === true;
    if (E.isRight(info)) {
      io.stdout.write(
        isJson ? `${JSON.stringify(info.right, null, 2)}\n` : statusText(info.right, io.program),
      );
      return EXIT.ok;
    }
    for (const reason of info.left) io.stderr.write(`spate: ${reason}\n`);
    return showStored(cluster, nodes.right, isJson, io);
  });
