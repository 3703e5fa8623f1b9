import type { Random } from '../../../../../domain/random.js';
import { HostModule, LazyMembers } from '../../../../../template/index.js';
import { choiceFunctions } from './choices.js';
import { cryptoModule } from './crypto.js';
import { randomDatetimeModule } from './dates.js';
import { networkModule } from './networks.js';
import { numberModule } from './numbers.js';
import { stringModule } from './strings.js';
import { weightedFunctions } from './weighted.js';

export const randModule = (random: Random): HostModule =>
  new HostModule(
    'rand',
    new LazyMembers(
      {
        number: () => numberModule(random),
        string: () => stringModule(random),
        network: () => networkModule(random),
        crypto: () => cryptoModule(random),
        datetime: () => randomDatetimeModule(random),
      },
      Object.entries({ ...choiceFunctions(random), ...weightedFunctions(random) }),
    ),
  );
