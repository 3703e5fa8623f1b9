import { describe, expect, test } from '@jest/globals';
import { makeResendWindow } from '../../../../src/plugins/outputs/shared/socket/resendWindow.js';

const textsOf = (window: ReturnType<typeof makeResendWindow>): string =>
  window
    .batches()
    .map((part) => part.toString('latin1'))
    .join('');

describe('the resend window', () => {
  test('keeps copies in order until they are too old', () => {
    const window = makeResendWindow(1_000, 1_000);
    const bytes = Buffer.from('a');
    window.remember(bytes, 0);
    bytes.write('x');
    window.remember(Buffer.from('b'), 600);
    window.remember(Buffer.from('c'), 900);
    expect(textsOf(window)).toBe('abc');
    window.forgetBefore(1_001);
    expect(textsOf(window)).toBe('bc');
    window.forgetBefore(1_901);
    expect(textsOf(window)).toBe('');
  });

  test('small batches that follow each other share memory and expire together', () => {
    const window = makeResendWindow(1_000, 1_000);
    for (let at = 0; at <= 250; at += 50) window.remember(Buffer.from('s'), at);
    expect(window.batches()).toHaveLength(1);
    window.remember(Buffer.from('t'), 300);
    expect(window.batches()).toHaveLength(2);
    window.forgetBefore(1_250);
    expect(textsOf(window)).toBe('sssssst');
    window.forgetBefore(1_251);
    expect(textsOf(window)).toBe('t');
  });

  test('stays within its bytes, but always keeps the last batch', () => {
    const window = makeResendWindow(1_000, 200_000);
    for (const letter of 'abcd') window.remember(Buffer.alloc(70_000, letter), 0);
    expect(window.batches().map(({ length }) => length)).toEqual([70_000, 70_000]);
    expect(textsOf(window)[0]).toBe('c');
    window.remember(Buffer.alloc(300_000, 'e'), 0);
    expect(window.batches().map(({ length }) => length)).toEqual([300_000]);
  });

  test('renewed batches count from then on', () => {
    const window = makeResendWindow(1_000, 1_000);
    window.remember(Buffer.from('a'), 0);
    window.renew(900);
    window.forgetBefore(1_900);
    expect(textsOf(window)).toBe('a');
    window.forgetBefore(1_901);
    expect(textsOf(window)).toBe('');
  });

  test('keeps nothing with 0 seconds', () => {
    const window = makeResendWindow(0, 1_000);
    window.remember(Buffer.from('a'), 0);
    expect(textsOf(window)).toBe('');
  });
});
