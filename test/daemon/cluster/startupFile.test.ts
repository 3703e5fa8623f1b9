import { expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { LIST_KEY } from '../../../src/cluster/keys.js';
import { packList, startupInCluster } from '../../../src/daemon/cluster/startupFile.js';
import type { Bucket } from '../../../src/ports/cluster.js';
import { right } from '../../support/either.js';

/** A bucket whose leader has one list; `loses` takes it back to an earlier revision. */
const bucketWith = (text: string, revision: number) => {
  let there = { value: packList(text), revision };
  const bucket: Bucket = {
    read: async () => E.right({ key: LIST_KEY, ...there }),
    write: async (_key, value) => {
      there = { value, revision: there.revision + 1 };
      return E.right(there.revision);
    },
    remove: async () => E.right(null),
    watch: async () => E.right(null),
  };
  const loses = (earlier: string, at: number): void => {
    there = { value: packList(earlier), revision: at };
  };
  return { bucket, loses };
};

const textOf = async ({ files }: ReturnType<typeof startupInCluster>): Promise<string> =>
  right(await files.readText('startup.yml', 1_000));

test('a list that the watch shows late does not replace a newer one', async () => {
  const startup = startupInCluster(bucketWith('- {id: b}\n', 7).bucket);
  await startup.note(packList('- {id: b}\n'), 7);
  await startup.note(packList('- {id: a}\n'), 6);
  expect(await textOf(startup)).toBe('- {id: b}\n');
});

test.each([
  ['an earlier revision', 5],
  ['the same revision', 7],
])('a list of %s counts when servers have lost what came after it', async (_, revision) => {
  const { bucket, loses } = bucketWith('- {id: lost}\n', 7);
  const startup = startupInCluster(bucket);
  await startup.note(packList('- {id: lost}\n'), 7);
  loses('- {id: kept}\n', revision);
  await startup.note(packList('- {id: kept}\n'), revision);
  expect(await textOf(startup)).toBe('- {id: kept}\n');
  right(await startup.files.replaceText('startup.yml', '- {id: next}\n', '- {id: kept}\n'));
  expect(await textOf(startup)).toBe('- {id: next}\n');
});
