import * as net from 'node:net';
import { generate, type Packet, parser } from 'mqtt-packet';

/** What the broker does: reason code of a PUBACK (0: accepted) or of a CONNACK, or worse. */
export type MqttAnswer = { readonly puback: number } | { readonly connack: number } | 'nothing' | 'reset';

/** A broker in this process that speaks MQTT 5 as its specification (OASIS, version 5.0) has it. */
export interface ScriptedMqtt {
  readonly port: () => number;
  readonly listen: () => Promise<void>;
  readonly set: (answer: MqttAnswer) => void;
  /** Payloads that were accepted. */
  readonly accepted: readonly string[];
  /** Breaks all connections. */
  readonly breakAll: () => void;
  readonly close: () => void;
}

const MQTT_5 = { protocolVersion: 5 };

export const scriptedMqtt = (limits: { readonly maximumPacketSize?: number } = {}): ScriptedMqtt => {
  let answer: MqttAnswer = { puback: 0 };
  const accepted: string[] = [];
  const sockets = new Set<net.Socket>();

  const onPacket = (socket: net.Socket, packet: Packet): void => {
    const send = (reply: Packet): void => void socket.write(generate(reply, MQTT_5));
    const now = answer;
    if (now === 'nothing') return;
    if (packet.cmd === 'connect') {
      const reasonCode = typeof now === 'object' && 'connack' in now ? now.connack : 0;
      const properties = { receiveMaximum: 100, ...limits };
      send({ cmd: 'connack', reasonCode, sessionPresent: false, properties });
    }
    if (packet.cmd === 'pingreq') send({ cmd: 'pingresp' });
    if (packet.cmd !== 'publish') return;
    if (now === 'reset') return void socket.destroy();
    const reasonCode = 'puback' in now ? now.puback : 0;
    if (reasonCode === 0) accepted.push(packet.payload.toString('utf8'));
    if (packet.messageId !== undefined) send({ cmd: 'puback', messageId: packet.messageId, reasonCode });
  };

  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    const packets = parser(MQTT_5);
    packets.on('packet', (packet: Packet) => onPacket(socket, packet));
    socket.on('data', (part: Buffer) => void packets.parse(part));
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: () => (server.address() as net.AddressInfo).port,
    listen: () => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)),
    set: (next) => {
      answer = next;
    },
    accepted,
    breakAll,
    close: () => {
      server.close();
      breakAll();
    },
  };
};
