import * as E from 'fp-ts/lib/Either.js';
import { serialQueue } from '../domain/waiting.js';
import type { Refusal } from './api.js';
import type { InTurn } from './tool.js';

/** Previews that run or wait, on one endpoint; each takes 20 s at most. */
export const MAX_PREVIEWS = 16;

const TOO_MANY: Refusal = {
  code: 'too_many_requests',
  message: `${MAX_PREVIEWS} previews wait already. Call again when one of them has answered.`,
};

export const previewTurns = (): InTurn => {
  const queue = serialQueue();
  let count = 0;
  return async (task) => {
    if (count >= MAX_PREVIEWS) return E.left(TOO_MANY);
    count++;
    try {
      return await queue(task);
    } finally {
      count--;
    }
  };
};
