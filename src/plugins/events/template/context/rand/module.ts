import type { Random } from '../../../../../domain/random.js';
import { HostModule, LazyMembers } from '../../../../../template/index.js';
import { choiceFunctions } from './draws/choices.js';
import { datetimeModule } from './draws/dates.js';
import { numberModule } from './draws/numbers.js';
import { weightedFunctions } from './draws/weighted.js';
import { networkModule } from './network/networks.js';
import { cryptoModule } from './text/crypto.js';
import { stringModule } from './text/strings.js';

export const randModule = (random: Random): HostModule =>
  new HostModule(
    'rand',
    new LazyMembers(
      {
        number: () => numberModule(random),
        string: () => stringModule(random),
        network: () => networkModule(random),
        crypto: () => cryptoModule(random),
        datetime: () => datetimeModule(random),
      },
      Object.entries({ ...choiceFunctions(random), ...weightedFunctions(random) }),
    ),
  );
