import { mqttPlugin } from '../../../../src/plugins/outputs/mqtt/plugin.js';
import type { PeerFault } from '../../../faults/table.js';
import type { RigOptions } from '../../../support/faults/faultRig.js';
import { type MqttAnswer, scriptedMqtt } from '../../../support/servers/scriptedMqtt.js';
import { paramsOf } from './support.js';

interface Stricken {
  readonly open: RigOptions['outputs'][number];
  readonly strike: () => void;
}

const FAULT: Readonly<Record<PeerFault, MqttAnswer | 'away'>> = {
  refused: 'away',
  'reset mid-batch': 'reset',
  slow: 'nothing',
  hung: 'nothing',
  'server error': { puback: 131 },
  'auth error': { connack: 134 },
  'disk full': { puback: 151 },
  permission: { puback: 135 },
};

/** The simplest form of each fault, by a broker in this process. */
export const strickenMqtt = (
  onClose: (close: () => void) => void,
): Readonly<Record<PeerFault, () => Stricken>> => {
  const make = (fault: PeerFault) => (): Stricken => {
    const broker = scriptedMqtt();
    onClose(broker.close);
    return {
      open: async (context) => {
        await broker.listen();
        const params = { url: `mqtt://127.0.0.1:${broker.port()}`, topic: 'events' };
        return mqttPlugin.open(paramsOf(params), { ...context } as never);
      },
      strike: () => {
        const answer = FAULT[fault];
        if (answer === 'away') return broker.close();
        broker.set(answer);
        if (fault === 'auth error') broker.breakAll();
      },
    };
  };
  return Object.fromEntries(Object.keys(FAULT).map((fault) => [fault, make(fault as PeerFault)])) as Readonly<
    Record<PeerFault, () => Stricken>
  >;
};
