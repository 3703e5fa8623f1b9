import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { secretsLogic } from '../../../actors/stores/secrets.js';
import { failure, type Result } from '../../../src/domain/errors.js';

import type { SecretRequests } from '../../../src/messages/instance.js';

const makeSecrets = (isReadable: boolean) => {
  const values = new Map([['known', 'hush']]);
  const asked: string[] = [];
  const missing = (name: string) => E.left(failure('not_found', `secret '${name}' is not in the keyring`));
  const actor = createActor(
    secretsLogic({
      isReadable: () => isReadable,
      references: async (name) =>
        E.right(name === 'free' ? [] : [{ kind: 'generator', file: `${name}/generator.yml` }]),
      keyring: {
        list: async () => E.right([...values.keys()]),
        read: async (name) => {
          asked.push(name);
          const value = values.get(name);
          return value === undefined ? missing(name) : E.right(value);
        },
        set: async (name, value) => {
          const done = values.has(name) ? 'replaced' : 'created';
          values.set(name, value);
          return E.right(done);
        },
        remove: async (name) => (values.delete(name) ? E.right(undefined) : missing(name)),
        rename: async (name, to) => {
          const value = values.get(name);
          if (value === undefined) return missing(name);
          if (values.has(to)) return E.left(failure('already_exists', `secret '${to}'`));
          values.delete(name);
          values.set(to, value);
          return E.right(undefined);
        },
      },
    }),
  ).start();
  const ask = <K extends keyof SecretRequests>(type: K, payload: SecretRequests[K]['payload']) =>
    new Promise<Result<SecretRequests[K]['answer']>>((reply) =>
      actor.send({ type, payload, reply } as never),
    );
  return { ask, values, asked };
};

describe('the store of secrets', () => {
  test('shows names, and no value unless the settings allow it', async () => {
    const { ask, asked } = makeSecrets(false);
    expect(await ask('secrets.list', null)).toEqual(E.right(['known']));
    for (const name of ['known', 'unknown']) {
      expect(await ask('secrets.read', { name })).toMatchObject({
        left: { code: 'forbidden', message: expect.stringContaining('server.secrets_readable') },
      });
    }
    expect(asked).toEqual([]);
  });

  test('shows a value where they do', async () => {
    const { ask } = makeSecrets(true);
    expect(await ask('secrets.read', { name: 'known' })).toEqual(E.right('hush'));
    expect(await ask('secrets.read', { name: 'unknown' })).toMatchObject({ left: { code: 'not_found' } });
  });

  test('names the files that use one, which need not exist', async () => {
    const { ask } = makeSecrets(false);
    expect(await ask('secrets.references', { name: 'new' })).toEqual(
      E.right([{ kind: 'generator', file: 'new/generator.yml' }]),
    );
  });

  test('renames one that no file uses', async () => {
    const { ask, values } = makeSecrets(false);
    await ask('secrets.set', { name: 'free', value: 'x' });
    expect(await ask('secrets.rename', { name: 'free', to: 'new', force: false })).toEqual(E.right(null));
    expect([...values]).toEqual([
      ['known', 'hush'],
      ['new', 'x'],
    ]);
  });

  test('renames one that files use only when it must, and names the files', async () => {
    const { ask, values } = makeSecrets(false);
    expect(await ask('secrets.rename', { name: 'known', to: 'new', force: false })).toEqual(
      E.left(
        failure(
          'wrong_state',
          "secret 'known' is used by known/generator.yml. Write ${secrets.new} there first, or send force=true and change them afterwards.",
        ),
      ),
    );
    expect([...values.keys()]).toEqual(['known']);
    expect(await ask('secrets.rename', { name: 'known', to: 'new', force: true })).toEqual(E.right(null));
    expect([...values.keys()]).toEqual(['new']);
  });

  test('says that a name is missing or taken before it looks for files', async () => {
    const { ask } = makeSecrets(false);
    await ask('secrets.set', { name: 'free', value: 'x' });
    for (const [name, to, code] of [
      ['nobody', 'new', 'not_found'],
      ['known', 'free', 'already_exists'],
      ['known', 'known', 'already_exists'],
    ] as const)
      expect(await ask('secrets.rename', { name, to, force: false })).toMatchObject({ left: { code } });
  });

  test('stores and removes, one after the other', async () => {
    const { ask, values } = makeSecrets(false);
    const answers = await Promise.all([
      ask('secrets.set', { name: 'new', value: 'x' }),
      ask('secrets.remove', { name: 'known' }),
      ask('secrets.remove', { name: 'known' }),
      ask('secrets.list', null),
    ]);
    expect(answers).toMatchObject([
      { right: null },
      { right: null },
      { left: { code: 'not_found' } },
      { right: ['new'] },
    ]);
    expect(values.get('new')).toBe('x');
  });
});
