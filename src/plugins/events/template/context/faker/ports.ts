import type { Random } from '../../../../../domain/random/random.js';
import type { Micros } from '../../../../../domain/time/micros.js';
import type { PyTzinfo } from '../../../../../template/index.js';

/** What `module.faker` and `module.mimesis` get from outside; nothing in them draws or looks at a clock elsewhere. */
export interface FakerPorts {
  /** Each locale draws from its own fork of it. */
  readonly random: Random;
  /** What dates count as 'now'; let it say the timestamp of the event, so that a seeded run repeats. */
  readonly now: () => Micros;
  /** The zone whose wall clock date-times without a zone are of. */
  readonly zone: PyTzinfo;
}
