import * as E from 'fp-ts/lib/Either.js';
import type { InputPlugin } from '../../kit.js';
import { requestQueue } from './queue.js';
import { requestServer } from './server.js';
import { httpRequestsSpec } from './spec.js';

export const httpPlugin: InputPlugin<typeof httpRequestsSpec.fields> = {
  spec: httpRequestsSpec,
  build: async ({ host, port, max_count, max_pending_requests }) => {
    const { offer, next, stop } = requestQueue(max_pending_requests);
    const { open, close } = requestServer({ host, port, max_count, queue: { offer, next, stop } });
    return E.right({
      // Nothing is scheduled.
      fill: () => 0,
      snapshot: () => null,
      restore: () => {},
      requests: { open, next, stop, close },
    });
  },
};
