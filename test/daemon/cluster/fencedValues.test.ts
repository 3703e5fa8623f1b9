import { describe, expect, it } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { fencedValues } from '../../../src/daemon/cluster/fences.js';
import { failure } from '../../../src/domain/errors.js';
import type { Bucket } from '../../../src/ports/cluster.js';

const KEY = 'generator.web';

/** One stored value, as the leader has it; while it is not reachable every request fails. */
const makeBucket = () => {
  let stored: { value: Uint8Array; revision: number } | null = null;
  let last = 0;
  let isReachable = true;
  let hanging: Promise<void> | null = null;
  const away = E.left(failure('unavailable', 'the cluster does not answer'));
  const bucket: Bucket = {
    read: async (key) => {
      if (!isReachable) return away;
      return E.right(stored === null ? null : { key, ...stored });
    },
    write: async (_key, value, replaces) => {
      await hanging;
      if (!isReachable) return away;
      if (replaces !== null && replaces !== (stored?.revision ?? 0))
        return E.left(failure('precondition_failed', 'another revision is there'));
      last += 1;
      stored = { value, revision: last };
      return E.right(last);
    },
    remove: async () => {
      stored = null;
      return E.right(null);
    },
    watch: async () => E.right(null),
  };
  return {
    bucket,
    setReachable: (is: boolean) => {
      isReachable = is;
    },
    /** Writes wait from now on; the returned function lets them go on. */
    hang: () => {
      let goOn = (): void => {};
      hanging = new Promise((resolve) => {
        goOn = resolve;
      });
      return goOn;
    },
    snapshot: () => stored,
    restore: (former: typeof stored) => {
      stored = former;
    },
  };
};

const makeNode = (bucket: Bucket, writer: string | null) => {
  let epoch: number | null = null;
  const values = fencedValues(bucket, () => epoch, writer);
  return {
    ...values,
    hold: (next: number | null) => {
      epoch = next;
    },
  };
};

const setUp = async (writer: string | null = 'process-a') => {
  const servers = makeBucket();
  const a = makeNode(servers.bucket, writer);
  const b = makeNode(servers.bucket, 'process-b');
  a.hold(7);
  await a.claim(KEY);
  await a.write(KEY, 'at 1 s');
  return { servers, a, b };
};

describe('The own last value', () => {
  it('counts when its write did not arrive and nobody else held the key', async () => {
    const { servers, a } = await setUp();
    servers.setReachable(false);
    expect(E.isLeft(await a.write(KEY, 'at 2 s'))).toBe(true);
    servers.setReachable(true);
    a.hold(8);
    expect(await a.claim(KEY)).toEqual(E.right('at 2 s'));
  });

  it('counts when it was written after the lease had ended', async () => {
    const { a } = await setUp();
    a.hold(null);
    expect(E.isLeft(await a.write(KEY, 'at 2 s'))).toBe(true);
    a.hold(8);
    expect(await a.claim(KEY)).toEqual(E.right('at 2 s'));
  });

  it('counts when servers lost what they had acknowledged', async () => {
    const { servers, a } = await setUp();
    const former = servers.snapshot();
    for (const text of ['at 2 s', 'at 300 s']) await a.write(KEY, text);
    servers.restore(former);
    a.hold(8);
    expect(await a.claim(KEY)).toEqual(E.right('at 300 s'));
  });

  it('counts again when the first lease after a loss ended before its claim was written', async () => {
    const { servers, a } = await setUp();
    a.hold(null);
    await a.write(KEY, 'at 2 s');
    a.hold(8);
    servers.setReachable(false);
    expect(E.isLeft(await a.claim(KEY))).toBe(true);
    servers.setReachable(true);
    expect(await a.claim(KEY)).toEqual(E.right('at 2 s'));
  });

  it('counts when writes were hurried because the cluster hangs, and what hung arrives later', async () => {
    const { servers, a } = await setUp();
    const goOn = servers.hang();
    const first = a.write(KEY, 'at 2 s');
    a.hurry(true);
    expect(E.isLeft(await first)).toBe(true);
    expect(E.isLeft(await a.write(KEY, 'at 3 s'))).toBe(true);
    a.hurry(false);
    a.hold(8);
    const claimed = a.claim(KEY);
    goOn();
    expect(await claimed).toEqual(E.right('at 3 s'));
    await new Promise(setImmediate);
    expect(String(servers.snapshot()?.value)).toContain('at 3 s');
    expect(await a.write(KEY, 'at 4 s')).toEqual(E.right(null));
  });

  it('does not count after another node held the key', async () => {
    const { a, b } = await setUp();
    a.hold(null);
    await a.write(KEY, 'at 2 s');
    b.hold(8);
    await b.claim(KEY);
    await b.write(KEY, 'at 60 s of b');
    a.hold(9);
    expect(await a.claim(KEY)).toEqual(E.right('at 60 s of b'));
  });

  it('does not count when servers forgot leases and gave its epoch to another node', async () => {
    const { a, b } = await setUp();
    b.hold(7);
    await b.claim(KEY);
    await b.write(KEY, 'at 60 s of b');
    a.hold(8);
    expect(await a.claim(KEY)).toEqual(E.right('at 60 s of b'));
  });

  it('does not count after the cluster was wiped, or once it is forgotten', async () => {
    const { servers, a } = await setUp();
    const former = servers.snapshot();
    await a.write(KEY, 'at 2 s');
    servers.restore(null);
    a.hold(8);
    expect(await a.claim(KEY)).toEqual(E.right(null));
    servers.restore(former);
    a.forget(KEY, 8);
    expect(await a.claim(KEY)).toEqual(E.right('at 1 s'));
  });

  it('never counts for values that are no checkpoints', async () => {
    const { a } = await setUp(null);
    a.hold(null);
    await a.write(KEY, 'at 2 s');
    a.hold(8);
    expect(await a.claim(KEY)).toEqual(E.right('at 1 s'));
  });
});
