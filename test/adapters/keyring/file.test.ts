import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { deriveKey, newKdf, seal } from '../../../src/adapters/keyring/cipher.js';
import { parseKeyring, printKeyring } from '../../../src/adapters/keyring/document.js';
import { keyringFile } from '../../../src/adapters/keyring/file.js';
import { failure } from '../../../src/domain/errors.js';
import { knownSecrets, MAX_SECRET_BYTES, MAX_SECRETS } from '../../../src/domain/secrets.js';
import { left, right } from '../../support/either.js';
import { codeOf } from '../directories/support.js';
import { PASSWORD, withKeyring } from './parts.js';

describe('a keyring', () => {
  test('that does not exist has no secrets, asks for no password and makes no file', () =>
    withKeyring(async ({ folder, other }) => {
      const keyring = other(null);
      expect(right(await keyring.list())).toEqual([]);
      expect(right(await keyring.has('a'))).toBe(false);
      expect(codeOf(await keyring.read('a'))).toBe('not_found');
      expect(codeOf(await keyring.remove('a'))).toBe('not_found');
      expect(codeOf(await keyring.rotate('new password'))).toBe('not_found');
      expect(await readdir(folder)).toEqual([]);
    }));

  test('is made by the first secret, in folders that are made too, for its owner only', () =>
    withKeyring(async ({ folder, keyring, file }) => {
      expect(right(await keyring.set('a', 'value a'))).toBe('created');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await readdir(folder)).toEqual(['keyring.json']);
    }));

  test('keeps what is set, replaces and removes it', () =>
    withKeyring(async ({ keyring, other }) => {
      right(await keyring.set('b', 'value b'));
      right(await keyring.set('a', 'value a'));
      expect(right(await keyring.set('a', 'new value'))).toBe('replaced');
      const later = other();
      expect(right(await later.list())).toEqual(['a', 'b']);
      expect(right(await later.read('a'))).toBe('new value');
      expect(right(await later.has('b'))).toBe(true);
      right(await later.remove('b'));
      expect(right(await keyring.list())).toEqual(['a']);
      expect(left(await keyring.read('b')).message).toMatch(
        /secret 'b' is not in the keyring .*keyring\.json/,
      );
      expect(codeOf(await keyring.remove('b'))).toBe('not_found');
    }));

  test('renames a secret in one change, and refuses a name that is missing, taken or no name', () =>
    withKeyring(async ({ file, keyring, other }) => {
      right(await keyring.set('a', 'value a'));
      right(await keyring.set('b', 'value b'));
      const before = await readFile(file, 'utf8');
      expect(codeOf(await keyring.rename('c', 'd'))).toBe('not_found');
      expect(codeOf(await keyring.rename('a', 'b'))).toBe('already_exists');
      expect(codeOf(await keyring.rename('a', 'a'))).toBe('already_exists');
      expect(left(await keyring.rename('a', '.a'))).toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/new name .* must not begin with a dot/),
      });
      expect(await readFile(file, 'utf8')).toBe(before);
      right(await keyring.rename('a', 'c'));
      expect(right(await other().list())).toEqual(['b', 'c']);
      expect(right(await other().read('c'))).toBe('value a');
      expect(codeOf(await keyring.read('a'))).toBe('not_found');
    }));

  test('has one of the two names at any time, for a reader beside it', () =>
    withKeyring(async ({ keyring, other }) => {
      right(await keyring.set('a', 'value'));
      const seen = new Set<string>();
      const looking = new AbortController();
      const look = async (): Promise<void> => {
        while (!looking.signal.aborted) seen.add(right(await other().list()).join());
      };
      const looked = look();
      for (let round = 0; round < 10; round++) {
        right(await keyring.rename('a', 'b'));
        right(await keyring.rename('b', 'a'));
      }
      looking.abort();
      await looked;
      expect([...seen].filter((names) => names !== 'a' && names !== 'b')).toEqual([]);
    }));

  test('tells names apart by case, and knows no names of its own', () =>
    withKeyring(async ({ keyring, other }) => {
      right(await keyring.set('Token', 'upper'));
      right(await keyring.set('token', 'lower'));
      for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
        expect(codeOf(await keyring.read(name))).toBe('not_found');
      }
      right(await keyring.set('__proto__', 'mine'));
      const later = other();
      expect(right(await later.list())).toEqual(['Token', '__proto__', 'token']);
      expect([right(await later.read('Token')), right(await later.read('token'))]).toEqual([
        'upper',
        'lower',
      ]);
      expect(right(await later.read('__proto__'))).toBe('mine');
      expect(codeOf(await later.read('constructor'))).toBe('not_found');
    }));

  test('gives back any text as it was', () =>
    withKeyring(async ({ keyring, other }) => {
      const values = [
        '"\'`\\',
        ' \n\r\n\t ',
        '${secrets.x} $${params.y}',
        '\u0000\u001b[2J',
        'Ünï \u{1f511}',
        '#: {}[]',
      ];
      for (const [i, value] of values.entries()) right(await keyring.set(`s${i}`, value));
      const later = other();
      for (const [i, value] of values.entries()) expect(right(await later.read(`s${i}`))).toBe(value);
    }));

  test('shows no value in its file, and no two files of the same secrets are alike', () =>
    withKeyring(async ({ keyring, file }) => {
      right(await keyring.set('a', 'a value to hide'));
      const first = await readFile(file, 'utf8');
      right(await keyring.set('a', 'a value to hide'));
      const second = await readFile(file, 'utf8');
      const parts = (text: string) => JSON.parse(text) as { data: string; cipher: { nonce: string } };
      expect(first).not.toContain('hide');
      expect(first).not.toContain(Buffer.from('a value').toString('base64').slice(0, 8));
      expect(parts(first).cipher.nonce).not.toBe(parts(second).cipher.nonce);
      expect(parts(first).data).not.toBe(parts(second).data);
    }));

  test.each([
    ['a name with a slash', 'a/b', 'x', /name of a secret must consist of/],
    ['an empty name', '', 'x', /name of a secret must not be empty/],
    ['an empty value', 'a', '', /value of secret 'a' must not be empty/],
    [
      'a value that is too long',
      'a',
      'x'.repeat(MAX_SECRET_BYTES + 1),
      /must not be longer than 65536 bytes/,
    ],
  ])('refuses %s, and the message does not show the value', (_, name, value, message) =>
    withKeyring(async ({ folder, keyring }) => {
      const error = left(await keyring.set(name, value));
      expect(error.code).toBe('invalid');
      expect(error.message).toMatch(message);
      expect(error.message.length).toBeLessThan(200);
      expect(await readdir(folder)).toEqual([]);
    }),
  );

  test('keeps all concurrent changes', () =>
    withKeyring(async ({ keyring, other }) => {
      const second = other();
      const all = Array.from({ length: 30 }, (_, i) =>
        (i % 2 === 0 ? keyring : second).set(`s${i}`, `v${i}`),
      );
      for (const result of await Promise.all(all)) expect(right(result)).toBe('created');
      expect(right(await other().list())).toHaveLength(30);
    }));
});

describe('limits of a keyring', () => {
  test(`it holds ${MAX_SECRETS} secrets and rejects more`, () =>
    withKeyring(async ({ file, keyring, other }) => {
      const key = await deriveKey(PASSWORD, newKdf());
      const values = new Map(Array.from({ length: MAX_SECRETS }, (_, i) => [`s${i}`, `value ${i}`] as const));
      await writeFile(file, printKeyring(seal(values, key)), { mode: 0o600 });
      expect(right(await keyring.read('s9999'))).toBe('value 9999');
      expect(left(await keyring.set('one-more', 'x'))).toMatchObject({ code: 'too_large' });
      expect(right(await keyring.set('s0', 'new'))).toBe('replaced');
      expect(right(await other().list())).toHaveLength(MAX_SECRETS);
    }));

  test('a file that asks for too much memory is refused before it costs any', () =>
    withKeyring(async ({ file, keyring, other }) => {
      right(await keyring.set('a', 'x'));
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replace('"N": 1024', '"N": 1073741824'));
      const error = left(await other().read('a'));
      expect(error).toMatchObject({ code: 'unreadable', file });
      expect(error.message).toMatch(/damaged/);
    }));
});

describe('the password', () => {
  test('is required once there is a keyring: the error says how to set one', () =>
    withKeyring(async ({ keyring, other }) => {
      right(await keyring.set('a', 'x'));
      for (const result of [
        await other(null).read('a'),
        await other(null).set('b', 'y'),
        await other(null).remove('a'),
      ]) {
        const { code, message } = left(result);
        expect(code).toBe('keyring_locked');
        expect(message).toMatch(
          /needs its password: set SPATE_KEYRING_PASSWORD, or SPATE_KEYRING_PASSWORD_FILE .* credential/,
        );
      }
      expect(right(await other(null).list())).toEqual(['a']);
    }));

  test('is needed for the first secret too', () =>
    withKeyring(async ({ folder, other }) => {
      expect(codeOf(await other(null).set('a', 'x'))).toBe('keyring_locked');
      expect(await readdir(folder)).toEqual([]);
    }));

  test('that is wrong is distinguished from a damaged file, is not shown, and changes nothing', () =>
    withKeyring(async ({ file, keyring, other }) => {
      right(await keyring.set('a', 'x'));
      const before = await readFile(file, 'utf8');
      for (const run of [
        () => other('wrong password').read('a'),
        () => other('wrong password').set('a', 'y'),
        () => other('wrong password').remove('a'),
        () => other('wrong password').rename('a', 'b'),
        () => other('wrong password').rotate('another'),
      ]) {
        const error = left(await run());
        expect(error).toMatchObject({ code: 'keyring_locked' });
        expect(error.message).toMatch(/the password of the keyring .* is wrong$/);
      }
      expect(await readFile(file, 'utf8')).toBe(before);
    }));

  test('may be spelled in any form of Unicode', () =>
    withKeyring(async ({ other }) => {
      right(await other('Schlüssel\u00fc').set('a', 'x'));
      expect(right(await other('Schlu\u0308sselu\u0308').read('a'))).toBe('x');
    }));

  test('is asked for once as long as the file stays, and again when the file is another one', () =>
    withKeyring(async ({ keyring, other }) => {
      right(await keyring.set('a', 'x'));
      let asked = 0;
      const reader = other(async () => {
        asked++;
        return E.right(PASSWORD);
      });
      await Promise.all(Array.from({ length: 50 }, () => reader.read('a')));
      expect(asked).toBe(1);
      right(await keyring.set('a', 'y'));
      expect(right(await reader.read('a'))).toBe('y');
      expect(asked).toBe(2);
    }));

  test('that cannot be read is the error', () =>
    withKeyring(async ({ keyring, other }) => {
      right(await keyring.set('a', 'x'));
      const reader = other(async () => E.left(failure('keyring_locked', 'no file')));
      expect(left(await reader.read('a'))).toMatchObject({ code: 'keyring_locked', message: 'no file' });
    }));

  test('that is short is taken with a warning', () =>
    withKeyring(async ({ other, warnings }) => {
      right(await other('pw').set('a', 'x'));
      expect(warnings.join()).toMatch(/fewer than 8 characters/);
    }));

  test('and secrets that are read or set become known, to be masked', () =>
    withKeyring(async ({ keyring, known }) => {
      right(await keyring.set('a', 'the value'));
      expect(known.hideText(`${PASSWORD}: the value`)).toBe('***: ***');
    }));

  test('secrets that are not read stay unknown', () =>
    withKeyring(async ({ file, keyring }) => {
      right(await keyring.set('a', 'the value'));
      right(await keyring.set('b', 'another'));
      const fresh = knownSecrets();
      const password = async () => E.right(PASSWORD);
      const reader = keyringFile({ file, password, known: fresh, warn: () => undefined });
      right(await reader.read('a'));
      expect(fresh.hideText('the value, another')).toBe('***, another');
    }));
});

describe('rotation', () => {
  test('changes password and salt and keeps the secrets; the old password is wrong then', () =>
    withKeyring(async ({ file, keyring, other }) => {
      right(await keyring.set('a', 'x'));
      const salt = async () =>
        (JSON.parse(await readFile(file, 'utf8')) as { kdf: { salt: string } }).kdf.salt;
      const before = await salt();
      right(await keyring.rotate('a new password'));
      expect(await salt()).not.toBe(before);
      expect(right(await other('a new password').read('a'))).toBe('x');
      expect(codeOf(await other().read('a'))).toBe('keyring_locked');
    }));

  test('is seen by a reader after its password file changes too', () =>
    withKeyring(async ({ keyring, other }) => {
      right(await keyring.set('a', 'x'));
      let password = PASSWORD;
      const reader = other(async () => E.right(password));
      expect(right(await reader.read('a'))).toBe('x');
      right(await keyring.rotate('a new password'));
      expect(codeOf(await reader.read('a'))).toBe('keyring_locked');
      password = 'a new password';
      expect(right(await reader.read('a'))).toBe('x');
    }));

  test('refuses an empty password', () =>
    withKeyring(async ({ keyring }) => {
      right(await keyring.set('a', 'x'));
      expect(codeOf(await keyring.rotate(''))).toBe('invalid');
      expect(right(await keyring.read('a'))).toBe('x');
    }));
});

describe('other content at the path', () => {
  test.each([
    ['an empty file', '', /it is empty/],
    ['other text', 'a: 1\n', /not a Spate keyring/],
    ['other JSON', '{"a": 1}', /not a Spate keyring/],
    [
      'a later version',
      '{"format": "spate-keyring", "version": 2}',
      /format version is 2, .*use a newer Spate/,
    ],
    ['half a keyring', '{"format": "spate-keyring", "version": 1}', /damaged/],
  ])('%s is refused with the reason, and not replaced', (_, text, reason) =>
    withKeyring(async ({ file, keyring }) => {
      await writeFile(file, text, { mode: 0o600 });
      for (const result of [await keyring.read('a'), await keyring.set('a', 'x'), await keyring.list()]) {
        expect(left(result)).toMatchObject({ code: 'unreadable', file });
        expect(left(result).message).toMatch(reason);
      }
      expect(await readFile(file, 'utf8')).toBe(text);
    }),
  );

  test('a folder is refused', () =>
    withKeyring(async ({ file, keyring }) => {
      await mkdir(file);
      expect(codeOf(await keyring.read('a'))).toBe('unreadable');
    }));

  test('a link is followed, its target replaced', () =>
    withKeyring(async ({ folder, file, keyring }) => {
      await mkdir(join(folder, 'real'));
      await symlink(join(folder, 'real', 'keys'), file);
      right(await keyring.set('a', 'x'));
      right(await keyring.set('b', 'y'));
      expect(await readdir(join(folder, 'real'))).toEqual(['keys']);
      expect(right(await keyring.list())).toEqual(['a', 'b']);
    }));

  test('a file that other users can read causes one warning; the next change sets its mode to 600', () =>
    withKeyring(async ({ file, keyring, other, warnings }) => {
      right(await keyring.set('a', 'x'));
      await chmod(file, 0o644);
      const reader = other();
      right(await reader.read('a'));
      right(await reader.list());
      expect(warnings).toEqual([
        expect.stringMatching(/readable by other users \(mode 644\). Run: chmod 600 /),
      ]);
      right(await reader.set('a', 'y'));
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }));
});

describe('a damaged file', () => {
  test('changed at any byte, it never gives another value: an error or the same secrets', () =>
    withKeyring(async ({ file, keyring, other }) => {
      right(await keyring.set('first', 'value one'));
      right(await keyring.set('second', 'value two'));
      const whole = await readFile(file);
      const counts = { same: 0, damaged: 0 };
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
          const bytes = Buffer.from(whole);
          bytes[at] = (bytes[at] ?? 0) ^ flip;
          await writeFile(file, bytes);
          const [names, first, second] = [
            await other().list(),
            await other().read('first'),
            await other().read('second'),
          ];
          if (E.isRight(first)) {
            // White space between the parts may differ.
            expect([right(names), first.right, right(second)]).toEqual([
              ['first', 'second'],
              'value one',
              'value two',
            ]);
            counts.same++;
            return;
          }
          expect(first.left.code).toBe('unreadable');
          counts.damaged++;
        }),
        { numRuns: 300 },
      );
      expect(counts.damaged).toBeGreaterThan(200);
    }));

  test('cut at any place, it is refused', () =>
    withKeyring(async ({ file, keyring, other }) => {
      right(await keyring.set('a', 'value'));
      const whole = await readFile(file);
      // The line feed at the end is the only byte that it can lose.
      for (let length = 0; length < whole.length - 1; length++) {
        await writeFile(file, whole.subarray(0, length));
        expect(codeOf(await other().read('a'))).toBe('unreadable');
      }
    }));

  test('changed on purpose, with a checksum that fits, it is refused by the cipher', () =>
    withKeyring(async ({ file, keyring, other }) => {
      right(await keyring.set('prod', 'value one'));
      right(await keyring.set('test', 'value two'));
      const parsed = parseKeyring(await readFile(file, 'utf8'));
      if (E.isLeft(parsed)) throw new Error(parsed.left);
      const document = parsed.right;
      const flipped = Buffer.from(document.data, 'base64');
      flipped[3] = (flipped[3] ?? 0) ^ 1;
      const tampered = [
        { ...document, names: ['prod', 'tesu'] },
        { ...document, names: ['prod'] },
        { ...document, data: flipped.toString('base64') },
        { ...document, cipher: { ...document.cipher, tag: Buffer.alloc(16).toString('base64') } },
      ];
      for (const one of tampered) {
        await writeFile(file, printKeyring(one));
        const error = left(await other().read('prod'));
        expect(error.code).toBe('unreadable');
        expect(error.message).toMatch(/changed without the password/);
      }
    }));
});
