import { describe, expect, test } from '@jest/globals';
import { systemFailure } from '../../../../src/plugins/outputs/shared/errors.js';

const answered = (code: string): Error => Object.assign(new Error(`${code}: raw text`), { code });

describe('what the system answered, in words', () => {
  test('says what was tried, why it failed and what to do', () => {
    expect(systemFailure('unwritable', 'cannot write to /data/x', answered('ENOSPC'))).toEqual({
      code: 'unwritable',
      message: 'cannot write to /data/x: no space is left on the device (ENOSPC). Free some space.',
    });
  });

  test('a reader that went away has a code of its own, which is not tried again', () => {
    expect(systemFailure('unwritable', 'cannot write', answered('EPIPE')).code).toBe('reader_gone');
  });

  test('an answer without words of ours keeps the words of the system', () => {
    const { code, message } = systemFailure('output_failed', 'cannot open /x', answered('EODD'));
    expect(code).toBe('output_failed');
    expect(message).toContain('EODD: raw text');
  });
});
