import type { Random } from '../../../../../domain/random.js';
import type { Micros } from '../../../../../domain/time/micros.js';
import type { PyTzinfo } from '../../../../../template/index.js';

export interface FakerPorts {
  /** Each locale draws from its own fork. */
  readonly random: Random;
  /** 'Now': the event's timestamp, which makes seeded runs repeatable. */
  readonly now: () => Micros;
  /** Zone of date-times without one. */
  readonly zone: PyTzinfo;
}
