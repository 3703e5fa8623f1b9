import type { CausalRules } from '../scribe.js';
import { accountOf, fact, leadsTo } from './shared.js';

/** What follows from what running programs do: sensors of endpoints see it. */
export const ENDPOINT_RULES: CausalRules = {
  save_file: [
    leadsTo('file_created', 4, 0.7, (cause) => ({
      facts: {
        path: fact<string>(cause, 'path'),
        image: fact<string>(cause, 'image'),
        pid: fact<number>(cause, 'pid'),
        account: accountOf(cause),
      },
    })),
    leadsTo(
      'file_removed',
      500,
      0.9,
      (cause) => ({
        facts: {
          path: String(cause.facts['replaced']),
          image: fact<string>(cause, 'image'),
          pid: fact<number>(cause, 'pid'),
          account: accountOf(cause),
        },
      }),
      (cause) => (cause.facts['replaced'] === null ? 0 : 1),
    ),
  ],
  set_value: [
    leadsTo('registry_set', 2, 0.6, (cause) => ({
      facts: {
        key: fact<string>(cause, 'key'),
        value: fact<string>(cause, 'value'),
        image: fact<string>(cause, 'image'),
        pid: fact<number>(cause, 'pid'),
        account: accountOf(cause),
      },
    })),
  ],
  open_process: [
    leadsTo('process_opened', 1, 0.6, (cause) => ({
      facts: {
        target_image: fact<string>(cause, 'target_image'),
        target_pid: fact<number>(cause, 'target_pid'),
        rights: fact<string>(cause, 'rights'),
        image: fact<string>(cause, 'image'),
        pid: fact<number>(cause, 'pid'),
        account: accountOf(cause),
      },
    })),
  ],
  use_pipe: [
    leadsTo('pipe_used', 1, 0.6, (cause) => ({
      facts: {
        pipe: fact<string>(cause, 'pipe'),
        is_new: fact<boolean>(cause, 'is_new'),
        image: fact<string>(cause, 'image'),
        pid: fact<number>(cause, 'pid'),
        account: accountOf(cause),
      },
    })),
  ],
};
