import type { Random } from '../../../../../../domain/random/random.js';
import { type Callable, HostModule } from '../../../../../../template/index.js';
import { needText } from '../calls/arguments.js';
import { binary, nullary, unary } from '../calls/functions.js';
import { anyAddress, privateA, privateAddress, privateB, privateC, publicAddress, subnets } from './ipv4.js';
import { anyAddress6, globalAddress6, linkLocalAddress6, uniqueLocalAddress6 } from './ipv6.js';
import { macAddress } from './mac.js';

export const networkModule = (random: Random): HostModule => {
  const inSubnet = subnets(random);
  const plain = (name: string, draw: (random: Random) => string): readonly [string, Callable] => [
    name,
    nullary(`rand.network.${name}()`, () => draw(random)),
  ];
  return new HostModule(
    'rand.network',
    new Map([
      plain('ip_v4', anyAddress),
      plain('ip_v4_private', privateAddress),
      plain('ip_v4_private_a', privateA),
      plain('ip_v4_private_b', privateB),
      plain('ip_v4_private_c', privateC),
      plain('ip_v4_public', publicAddress),
      plain('ip_v6', anyAddress6),
      plain('ip_v6_global', globalAddress6),
      plain('ip_v6_link_local', linkLocalAddress6),
      plain('ip_v6_ula', uniqueLocalAddress6),
      [
        'ip_v4_in_subnet',
        unary('rand.network.ip_v4_in_subnet(cidr)', (cidr) =>
          inSubnet(needText(cidr, 'rand.network.ip_v4_in_subnet', 'cidr')),
        ),
      ],
      [
        'mac',
        binary('rand.network.mac(oui=None, vendor=None)', (oui, vendor) => macAddress(random, oui, vendor)),
      ],
    ]),
  );
};
