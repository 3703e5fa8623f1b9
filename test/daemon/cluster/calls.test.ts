import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../../actors/ask.js';
import { answerCalls, askNode } from '../../../src/daemon/cluster/calls.js';
import { right } from '../../support/either.js';

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const textOf = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** Notes the requests that arrive at the actors of a node. */
const node = () => {
  const asked: unknown[] = [];
  const ask = (async (type: string, payload: unknown) => {
    asked.push([type, payload]);
    return E.right([]);
  }) as unknown as AskActor;
  return { asked, answer: answerCalls(ask) };
};

describe('the log of another node', () => {
  test('comes in chunks, waits for its reader, and is closed with it', async () => {
    const written: string[] = [];
    const state = { isClosed: false, more: (): void => {} };
    const open = (onMore: () => void) => {
      state.more = onMore;
      return {
        take: () => ({ lines: written.splice(0), missed: 0 }),
        close: () => {
          state.isClosed = true;
        },
      };
    };
    const answer = answerCalls((async () => E.right({ kind: 'there', open })) as unknown as AskActor);
    const calls = { call: async (_: string, request: Uint8Array) => E.right(await answer(request)) };
    const ask = askNode(calls as unknown as Parameters<typeof askNode>[0]);
    const log = right(await ask('b', 'observe.log', { id: 'g', from_bytes: 0 }));
    if (log.kind !== 'there') throw new Error(log.kind);

    let isMore = (): void => {};
    const lines = log.open(() => isMore());
    const next = (write: () => void): Promise<void> =>
      new Promise((resolve) => {
        isMore = resolve;
        write();
      });
    const say = (line: string) => () => {
      written.push(line);
      state.more();
    };
    await next(say('first'));
    say('second')();
    expect(lines.take()).toEqual({ lines: ['first'], missed: 0 });
    await next(() => {});
    expect(lines.take()).toEqual({ lines: ['second'], missed: 0 });
    expect(lines.take()).toEqual({ lines: [], missed: 0 });
    lines.close();
    expect(state.isClosed).toBe(true);
  });
});

describe('requests about dead letters between nodes', () => {
  test('have the names that nodes of the version before know', async () => {
    const sent: unknown[] = [];
    const ask = askNode({
      call: async (_node: string, request: Uint8Array) => {
        sent.push(textOf(request));
        return E.right({ head: bytesOf({ right: [] }), stream: null });
      },
    } as unknown as Parameters<typeof askNode>[0]);
    const all = { id: 'g', output: null };
    right(await ask('b', 'dead_letters.list', { id: 'g' }));
    right(await ask('b', 'dead_letters.resend', { ...all, limit: 1 }));
    right(await ask('b', 'dead_letters.purge', { ...all, until: null }));
    expect(sent).toEqual([
      { type: 'letters.list', payload: { id: 'g' } },
      { type: 'letters.replay', payload: { ...all, limit: 1 } },
      { type: 'letters.purge', payload: { ...all, until: null } },
    ]);
  });

  test('are understood by both names, and nothing else of theirs is', async () => {
    const { asked, answer } = node();
    for (const type of ['letters.replay', 'dead_letters.resend', 'letters.read'])
      expect(textOf((await answer(bytesOf({ type, payload: { id: 'g' } }))).head)).toEqual({ right: [] });
    expect(asked).toEqual([
      ['dead_letters.resend', { id: 'g' }],
      ['dead_letters.resend', { id: 'g' }],
      ['dead_letters.read', { id: 'g' }],
    ]);
    const refused = await answer(bytesOf({ type: 'letters.other', payload: null }));
    expect(textOf(refused.head)).toMatchObject({ left: { code: 'unavailable' } });
    expect(asked).toHaveLength(3);
  });
});
