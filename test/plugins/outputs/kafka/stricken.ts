import { kafkaPlugin } from '../../../../src/plugins/outputs/kafka/plugin.js';
import type { PeerFault } from '../../../faults/table.js';
import type { RigOptions } from '../../../support/faults/faultRig.js';
import { type FakeKafka, fakeKafka, type Verdict } from '../../../support/servers/kafka/fakeKafka.js';
import { paramsOf } from './support.js';

interface Stricken {
  readonly open: RigOptions['outputs'][number];
  readonly strike: () => void;
}

const judge =
  (verdict: Verdict) =>
  (kafka: FakeKafka): void => {
    kafka.verdict = () => verdict;
  };

const FAULT: Readonly<Record<PeerFault, (kafka: FakeKafka) => void>> = {
  refused: (kafka) => void kafka.kill(),
  'reset mid-batch': judge('broken'),
  slow: (kafka) => kafka.freeze(),
  hung: (kafka) => kafka.freeze(),
  'server error': judge({ error: 19 }),
  'auth error': (kafka) => {
    kafka.user = { username: 'other', password: 'other' };
    kafka.cut();
  },
  'disk full': judge({ error: 56 }),
  permission: judge({ error: 29 }),
};

/** The simplest form of each fault; `onEnd` takes what ends the brokers. */
export const strickenKafka = (
  onEnd: (end: () => void) => void,
): Readonly<Record<PeerFault, () => Stricken>> => {
  const make = (act: (kafka: FakeKafka) => void) => (): Stricken => {
    let strike = (): void => {
      throw new Error('the output is not open yet');
    };
    return {
      open: async (context) => {
        const user = { username: 'writer', password: 'right' };
        const kafka = await fakeKafka({ partitions: 2, user });
        onEnd(() => void kafka.kill());
        strike = () => act(kafka);
        const params = paramsOf({
          ...{
            bootstrap_servers: kafka.servers,
            topic: 'events',
            acks: -1,
            security_protocol: 'SASL_PLAINTEXT',
          },
          ...{ sasl_plain_username: user.username, sasl_plain_password: user.password },
        });
        return kafkaPlugin.open(params, { ...context } as never);
      },
      strike: () => strike(),
    };
  };
  return {
    refused: make(FAULT.refused),
    'reset mid-batch': make(FAULT['reset mid-batch']),
    slow: make(FAULT.slow),
    hung: make(FAULT.hung),
    'server error': make(FAULT['server error']),
    'auth error': make(FAULT['auth error']),
    'disk full': make(FAULT['disk full']),
    permission: make(FAULT.permission),
  };
};
