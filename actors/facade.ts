import * as E from 'fp-ts/lib/Either.js';
import { fromCallback } from 'xstate';
import { failure, reasonOf, type SpateError } from '../src/domain/errors.js';

/** An open listener of the HTTP service. */
export interface Listener {
  /** Where it listens, for people. */
  readonly url: string;
  /** Stops accepting, lets open requests finish within the deadline, then closes them. */
  readonly close: (deadline_ms: number) => Promise<void>;
}

export interface FacadeInput {
  /** `null`: no server is wanted. `onFailure` is called if an open listener dies later. */
  readonly listen:
    | ((onFailure: (error: SpateError) => void) => Promise<E.Either<SpateError, Listener>>)
    | null;
}

export type FacadeNews =
  | { readonly type: 'facade.listening'; readonly url: string | null }
  | { readonly type: 'facade.failed'; readonly error: SpateError };

export interface FacadeCommand {
  readonly type: 'close';
  readonly deadline_ms: number;
  readonly reply: () => void;
}

/** The HTTP listener as a supervised child: open while this actor lives, its failures are news. */
export const facadeLogic = fromCallback<FacadeCommand, FacadeInput, FacadeNews>(
  ({ input, sendBack, receive }) => {
    let isGone = false;
    const fail = (error: SpateError): void => {
      if (!isGone) sendBack({ type: 'facade.failed', error });
    };
    const open = async (): Promise<Listener | null> => {
      if (input.listen === null) {
        sendBack({ type: 'facade.listening', url: null });
        return null;
      }
      const listening = await input.listen(fail);
      if (E.isLeft(listening)) {
        fail(listening.left);
        return null;
      }
      if (!isGone) sendBack({ type: 'facade.listening', url: listening.right.url });
      return listening.right;
    };
    const listener = open().catch((thrown: unknown) => {
      fail(failure('bug', `the HTTP listener threw: ${reasonOf(thrown)}`));
      return null;
    });
    const close = async (deadline_ms: number): Promise<void> => {
      isGone = true;
      await (await listener)?.close(deadline_ms);
    };
    receive((command) => {
      close(command.deadline_ms).then(command.reply, command.reply);
    });
    return () => {
      close(0).catch(() => {});
    };
  },
);
