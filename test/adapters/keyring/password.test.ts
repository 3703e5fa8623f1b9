import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { passwordFrom } from '../../../src/adapters/keyring/password.js';
import { left } from '../../support/either.js';
import { inFolder } from '../directories/support.js';

const withFiles = (run: (at: (name: string) => string) => Promise<void>): Promise<void> =>
  inFolder(async (folder) => {
    const at = (name: string): string => join(folder, name);
    await writeFile(at('option'), 'of the option\n');
    await writeFile(at('named'), 'of the file\r\n');
    await writeFile(at('spate-keyring-password'), ' of the credential ');
    await run(at);
  });

describe('the password of a keyring', () => {
  test('is that of the option, then of the variable, then of the named file, then of the credential', () =>
    withFiles(async (at) => {
      const all = {
        SPATE_KEYRING_PASSWORD: 'of the variable',
        SPATE_KEYRING_PASSWORD_FILE: at('named'),
        CREDENTIALS_DIRECTORY: at(''),
      };
      const { SPATE_KEYRING_PASSWORD: _1, ...noVariable } = all;
      const { SPATE_KEYRING_PASSWORD_FILE: _2, ...noFile } = noVariable;
      expect(await passwordFrom({ env: all, file: at('option') })()).toEqual(E.right('of the option'));
      expect(await passwordFrom({ env: all })()).toEqual(E.right('of the variable'));
      expect(await passwordFrom({ env: noVariable })()).toEqual(E.right('of the file'));
      expect(await passwordFrom({ env: { ...all, SPATE_KEYRING_PASSWORD: '' } })()).toEqual(
        E.right('of the file'),
      );
      expect(await passwordFrom({ env: noFile })()).toEqual(E.right(' of the credential '));
    }));

  test('may be given nowhere', () =>
    withFiles(async (at) => {
      await mkdir(at('empty'));
      expect(await passwordFrom({ env: {} })()).toEqual(E.right(null));
      expect(await passwordFrom({ env: { CREDENTIALS_DIRECTORY: at('empty') } })()).toEqual(E.right(null));
    }));

  test('loses one line end at most', () =>
    withFiles(async (at) => {
      await writeFile(at('lines'), 'a\n\n');
      expect(await passwordFrom({ env: {}, file: at('lines') })()).toEqual(E.right('a\n'));
    }));

  test('is read again each time', () =>
    withFiles(async (at) => {
      const source = passwordFrom({ env: {}, file: at('option') });
      await source();
      await writeFile(at('option'), 'changed');
      expect(await source()).toEqual(E.right('changed'));
    }));

  test.each<[string, (at: (name: string) => string) => Promise<unknown>, RegExp]>([
    ['is not there', async () => undefined, /file \(from SPATE_KEYRING_PASSWORD_FILE\) does not exist/],
    ['is empty', (at) => writeFile(at('file'), '\n'), /file is empty/],
    ['is a folder', (at) => mkdir(at('file')), /it is a directory/],
    ['is no text', (at) => writeFile(at('file'), Buffer.from([0xff])), /it is not UTF-8/],
    ['is too large', (at) => writeFile(at('file'), 'x'.repeat(4_097)), /more than 4096 bytes/],
  ])('is refused when the named file %s', (_, make, reason) =>
    withFiles(async (at) => {
      await make(at);
      const error = left(await passwordFrom({ env: { SPATE_KEYRING_PASSWORD_FILE: at('file') } })());
      expect(error.code).toBe('keyring_locked');
      expect(error.message).toMatch(reason);
    }),
  );
});
