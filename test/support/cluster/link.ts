import { type ClusterOptions, connectCluster } from '../../../src/adapters/nats/link.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import type { ArchiveInfo, Archives, Bucket, BucketChange, ClusterLink } from '../../../src/ports/cluster.js';
import { right } from '../either.js';
import { memoryLog } from '../logs.js';

type NatsOptions = ClusterOptions['nats'];

/** How to reach servers that ask for nothing, unless `more` says otherwise. */
export const natsAt = (servers: readonly string[], more: Partial<NatsOptions> = {}): NatsOptions => ({
  ...{ servers, discovers_servers: true, username: null, password_file: null, token_file: null },
  ...{ nkey_file: null, credentials_file: null },
  tls: { enabled: false, ca_cert: null, cert: null, cert_key: null },
  ...more,
});

/** A link to a cluster named `lab`, with one copy of each bucket. */
export const linkTo = async (
  servers: readonly string[],
  { discovers_servers = true, ...more }: Partial<ClusterOptions & NatsOptions> = {},
): Promise<ClusterLink> =>
  right(
    await connectCluster({
      name: 'lab',
      nats: natsAt(servers, { discovers_servers }),
      replicas: 1,
      clock: systemClock,
      log: memoryLog().log,
      ...more,
    }),
  );

/** What a watch has told. */
export interface Watched<Change> {
  readonly changes: Change[];
  /** How often it was told that all is there. */
  readonly currents: () => number;
  /** Resolves when this holds for what was told so far. */
  readonly until: (holds: (changes: readonly Change[], currents: number) => boolean) => Promise<void>;
  readonly stop: () => void;
}

const watched = <Change>() => {
  const changes: Change[] = [];
  const waiting = new Set<() => void>();
  let currents = 0;
  const tell = (): void => {
    for (const look of [...waiting]) look();
  };
  const control = new AbortController();
  const told: Watched<Change> = {
    changes,
    currents: () => currents,
    until: (holds) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!holds(changes, currents)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    stop: () => control.abort(),
  };
  return {
    told,
    signal: control.signal,
    onCurrent: (): void => {
      currents += 1;
      tell();
    },
    add: (change: Change): void => {
      changes.push(change);
      tell();
    },
  };
};

export const watchBucket = async (bucket: Bucket): Promise<Watched<BucketChange>> => {
  const { told, signal, onCurrent, add } = watched<BucketChange>();
  right(await bucket.watch(add, signal));
  onCurrent();
  return told;
};

interface ArchiveChange {
  readonly name: string;
  readonly info: ArchiveInfo | null | 'wiped';
}

export const watchArchives = async (archives: Archives): Promise<Watched<ArchiveChange>> => {
  const { told, signal, onCurrent, add } = watched<ArchiveChange>();
  right(
    await archives.watch(
      {
        onChange: (name, info) => add({ name, info }),
        onWiped: (name) => add({ name, info: 'wiped' }),
      },
      signal,
    ),
  );
  onCurrent();
  return told;
};

export const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
export const text = (value: Uint8Array | null | undefined): string | null =>
  value === null || value === undefined ? null : Buffer.from(value).toString('utf8');
