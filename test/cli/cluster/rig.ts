import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/systemClock.js';
import type { ClusterLink } from '../../../src/ports/cluster.js';
import { linkTo } from '../../support/cluster/link.js';
import { type NatsServer, startNats } from '../../support/servers/natsServer.js';
import { fakeIo, fakeServices, folderWith, spate } from '../support.js';

/** A NATS server, and commands that use it. */
export interface ClusterRig {
  readonly server: NatsServer;
  readonly link: ClusterLink;
  /** Text of a cluster file named `lab`. */
  readonly clusterFile: (more?: string) => string;
  /** Runs `spate cluster ...` in a folder with `cluster.yml`. */
  readonly run: (
    line: string,
    cwd: string,
    more?: { readonly terminals?: readonly ('stdout' | 'stderr')[] },
  ) => ReturnType<typeof spate>;
  readonly remove: () => Promise<void>;
}

export const clusterRig = async (): Promise<ClusterRig> => {
  const server = await startNats();
  const address = `127.0.0.1:${server.port}`;
  const link = await linkTo([address]);
  return {
    server,
    link,
    clusterFile: (more = '') => `name: lab\nnats: {servers: ["nats://${address}"]}\nreplicas: 1\n${more}`,
    run: (line, cwd, more = {}) => {
      const services = { ...fakeServices().services, clock: systemClock };
      const io = fakeIo({ cwd, env: { SPATE_CLUSTER: 'cluster.yml' }, ...more });
      return spate(`cluster ${line}`, io, services);
    },
    remove: async () => {
      await link.close();
      await server.remove();
    },
  };
};

const CONFIG = `input:
  - timer: {seconds: 1, count: 1}
event:
  script: {path: produce.js}
output:
  - file: {path: out/events.log}
`;

/** Files of a generator directory. */
export const generatorFiles = (name: string, script: string): Readonly<Record<string, string>> => ({
  [join('generators', name, 'generator.yml')]: CONFIG,
  [join('generators', name, 'produce.js')]: script,
});

export const SCRIPT = "export const produce = () => 'x';\n";

export const listOf = (...names: readonly string[]): string =>
  names.map((name) => `- id: ${name}\n  path: ${name}/generator.yml\n`).join('');

/** A folder with `cluster.yml`, generators and a startup list of all of them. */
export const clusterFolder = (
  rig: Pick<ClusterRig, 'clusterFile'>,
  names: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<string> =>
  folderWith({
    'cluster.yml': rig.clusterFile(),
    'startup.yml': listOf(...names),
    'generators/notes.txt': 'not in a directory',
    ...Object.assign({}, ...names.map((name) => generatorFiles(name, SCRIPT))),
    ...more,
  });
