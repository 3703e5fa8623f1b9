import { native } from '../../values/calls/method.js';
import { raise } from '../../values/fault.js';
import { fillDict } from '../../values/types/dict.js';
import { HostModule } from '../hostModule.js';
import { makeCounter } from './counter.js';
import { makeDeque } from './deque.js';
import { makeDefaultDict, PyOrderedDict } from './dicts.js';
import { makeNamedTuple } from './namedTuple.js';

export const collectionsModule = (): HostModule =>
  new HostModule('collections', {
    Counter: makeCounter,
    OrderedDict: (args, kwargs) =>
      args.length > 1
        ? raise('TypeError', `expected at most 1 arguments, got ${args.length}`)
        : fillDict(new PyOrderedDict(), args[0], kwargs),
    defaultdict: makeDefaultDict,
    deque: native('deque(iterable=None, maxlen=None)', (items = null, maxlen = null) =>
      makeDeque(items, maxlen),
    ),
    namedtuple: native(
      'namedtuple(typename, field_names, *, defaults=None)',
      (title = null, fields = null, defaults = null) => makeNamedTuple(title, fields, defaults),
    ),
  });
