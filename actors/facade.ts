import * as E from 'fp-ts/lib/Either.js';
import { fromCallback } from 'xstate';
import { failure, type Result, type SpateError, thrownError } from '../src/domain/errors.js';

export interface Listener {
  /** URL for people. */
  readonly url: string;
  /** Stops accepting and closes open requests after the deadline. */
  readonly close: (deadline_ms: number) => Promise<void>;
}

export interface FacadeInput {
  /**
   * Opens a listener. Null when there is no server. `onFailure` is called when an open listener died. `former` is the
   * one to replace; after an error, it stays.
   */
  readonly listen:
    | ((onFailure: (error: SpateError) => void, former: Listener | null) => Promise<Result<Listener>>)
    | null;
}

export type FacadeNews =
  | { readonly type: 'facade.listening'; readonly url: string | null }
  | { readonly type: 'facade.failed'; readonly error: SpateError };

type FacadeCommand =
  | { readonly type: 'close'; readonly deadline_ms: number; readonly reply: () => void }
  /** Listens with the settings now in force, then closes the former listener. */
  | {
      readonly type: 'reopen';
      readonly deadline_ms: number;
      readonly reply: (answer: Result<null>) => void;
    };

const CLOSED = failure('unavailable', 'the HTTP service is closing');

const thrownBy = (thrown: unknown): SpateError => thrownError('the HTTP listener threw', thrown);

/** The HTTP listener as a supervised child. */
export const facadeLogic = fromCallback<FacadeCommand, FacadeInput, FacadeNews>(
  ({ input, sendBack, receive }) => {
    let isGone = false;
    const closing = new Set<Promise<void>>();
    const fail = (error: SpateError): void => {
      if (!isGone) sendBack({ type: 'facade.failed', error });
    };
    const listen = async (former: Listener | null): Promise<Result<Listener | null>> => {
      if (input.listen === null) return E.right(null);
      return input.listen(fail, former).catch((thrown: unknown) => E.left(thrownBy(thrown)));
    };
    const announce = (listener: Listener | null): void => {
      if (!isGone) sendBack({ type: 'facade.listening', url: listener?.url ?? null });
    };
    const open = async (): Promise<Listener | null> => {
      const opened = await listen(null);
      if (E.isLeft(opened)) {
        fail(opened.left);
        return null;
      }
      announce(opened.right);
      return opened.right;
    };
    let current = open();

    const exchange = async (
      former: Listener | null,
      deadline_ms: number,
    ): Promise<Result<Listener | null>> => {
      if (isGone) return E.left(CLOSED);
      const opened = await listen(former);
      if (E.isLeft(opened)) return opened;
      announce(opened.right);
      const closed = former?.close(deadline_ms).catch(() => {});
      if (closed !== undefined) {
        closing.add(closed);
        void closed.then(() => closing.delete(closed));
      }
      return opened;
    };
    const reopen = async (deadline_ms: number): Promise<Result<null>> => {
      const former = current;
      const exchanged = former.then((listener) => exchange(listener, deadline_ms));
      current = exchanged.then((answer) => (E.isLeft(answer) ? former : answer.right));
      return E.map(() => null)(await exchanged);
    };
    const close = async (deadline_ms: number): Promise<void> => {
      isGone = true;
      await Promise.all([(await current)?.close(deadline_ms), ...closing]);
    };
    receive((command) => {
      if (command.type === 'close') close(command.deadline_ms).then(command.reply, command.reply);
      else void reopen(command.deadline_ms).then(command.reply);
    });
    return () => {
      close(0).catch(() => {});
    };
  },
);
