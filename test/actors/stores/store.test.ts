import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { type StoreRequest, storeLogic } from '../../../actors/stores/store.js';
import type { Result } from '../../../src/domain/errors.js';

import { settle } from '../../support/pipelines/scriptedHost.js';

interface Job extends StoreRequest {
  readonly work: () => Promise<void>;
}

const makeStore = () => {
  const answers: Result<unknown>[] = [];
  const actor = createActor(
    storeLogic<Job>(async (job) => {
      await job.work();
      (job.reply as (answer: Result<null>) => void)(E.right(null));
    }),
  );
  actor.start();
  const send = (
    work: () => Promise<void>,
    type = 'job',
    reply = (answer: Result<unknown>) => void answers.push(answer),
  ) => actor.send({ type, reply, work } as StoreRequest);
  return { actor, answers, send };
};

/** Work that lasts until it is let go. */
const gate = () => {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
};

describe('a store', () => {
  test('handles one request at a time, each to its end, in the order they came', async () => {
    const { send, answers } = makeStore();
    const steps: string[] = [];
    const gates = [gate(), gate(), gate()];
    for (const [index, { opened }] of gates.entries()) {
      send(async () => {
        steps.push(`begin ${index}`);
        await opened;
        steps.push(`end ${index}`);
      });
    }
    gates[2]?.open();
    gates[1]?.open();
    await settle();
    expect(steps).toEqual(['begin 0']);
    gates[0]?.open();
    await settle();
    expect(steps).toEqual(['begin 0', 'end 0', 'begin 1', 'end 1', 'begin 2', 'end 2']);
    expect(answers).toEqual([E.right(null), E.right(null), E.right(null)]);
  });

  test('a handler that throws answers "bug" with the request named, and the next request is handled', async () => {
    const { send, answers, actor } = makeStore();
    send(() => Promise.reject(new Error('no such luck')), 'settings.write');
    send(() => {
      throw new Error('nor this');
    }, 'settings.read');
    send(async () => {});
    await settle();
    expect(answers).toEqual([
      E.left({ code: 'bug', message: 'settings.write: no such luck' }),
      E.left({ code: 'bug', message: 'settings.read: nor this' }),
      E.right(null),
    ]);
    expect(actor.getSnapshot().status).toBe('active');
  });

  test('a reply that throws does not end it', async () => {
    const { send, answers, actor } = makeStore();
    send(
      async () => {},
      'job',
      () => {
        throw new Error('the client is gone');
      },
    );
    send(async () => {});
    await settle();
    expect(answers).toEqual([E.right(null)]);
    expect(actor.getSnapshot().status).toBe('active');
  });

  test('lets a thousand requests wait and refuses the next one at once', async () => {
    const { send, answers } = makeStore();
    const { opened, open } = gate();
    send(() => opened);
    for (let n = 1; n < 1_000; n++) send(async () => {});
    expect(answers).toEqual([]);
    send(async () => {}, 'preview.timestamps');
    expect(answers).toMatchObject([
      {
        left: { code: 'too_many_requests', message: 'preview.timestamps: 1000 requests are already waiting' },
      },
    ]);
    open();
    await settle(200);
    expect(answers.filter(E.isRight)).toHaveLength(1_000);
    send(async () => {});
    await settle();
    expect(answers.at(-1)).toEqual(E.right(null));
  });

  test('a read is answered during an edit; one that cannot be takes its turn', async () => {
    const steps: string[] = [];
    const { opened, open } = gate();
    const [seen, sought] = [gate(), gate()];
    const actor = createActor(
      storeLogic<Job>(
        async (job) => {
          steps.push(`${job.type} in turn`);
          await job.work();
          (job.reply as (answer: Result<null>) => void)(E.right(null));
        },
        (job) => {
          if (job.type === 'edit') return null;
          return (job.type === 'found' ? seen : sought).opened.then(() => {
            if (job.type === 'broken') throw new Error('no such luck');
            steps.push(`${job.type} beside`);
            return job.type === 'found';
          });
        },
      ),
    ).start();
    const answers: (readonly [string, Result<unknown>])[] = [];
    const send = (type: string, work = async () => {}): void => {
      const reply = (answer: Result<unknown>) => void answers.push([type, answer]);
      actor.send({ type, reply, work } as StoreRequest);
    };
    send('edit', () => opened);
    for (const type of ['found', 'missed', 'broken']) send(type);
    seen.open();
    sought.open();
    await settle();
    expect(steps).toEqual(['edit in turn', 'found beside', 'missed beside']);
    expect(answers).toEqual([['broken', E.left({ code: 'bug', message: 'broken: no such luck' })]]);
    open();
    await settle();
    expect(steps.slice(3)).toEqual(['missed in turn']);
    expect(answers.map(([type]) => type)).toEqual(['broken', 'edit', 'missed']);
  });

  test('lets 64 be answered beside it at once; the next one waits for its turn', async () => {
    const { opened, open } = gate();
    let turns = 0;
    const actor = createActor(
      storeLogic<Job>(
        async () => void turns++,
        () => opened.then(() => true),
      ),
    ).start();
    const send = () =>
      actor.send({ type: 'read', reply: () => {}, work: async () => {} } as unknown as StoreRequest);
    for (let n = 0; n < 64; n++) send();
    await settle();
    expect(turns).toBe(0);
    send();
    await settle();
    expect(turns).toBe(1);
    open();
    await settle();
    send();
    await settle();
    expect(turns).toBe(1);
  });
});
