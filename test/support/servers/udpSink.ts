import * as dgram from 'node:dgram';
import { once } from 'node:events';

/** A socket that keeps the datagrams that it receives. */
export interface UdpSink {
  readonly port: number;
  readonly received: () => readonly Buffer[];
  readonly close: () => Promise<void>;
}

const RECEIVE_BYTES = 8 * 1024 * 1024;

export const startUdpSink = async (port = 0): Promise<UdpSink> => {
  const socket = dgram.createSocket('udp4');
  const received: Buffer[] = [];
  socket.on('message', (message) => received.push(message));
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  socket.setRecvBufferSize(RECEIVE_BYTES);
  let isOpen = true;
  return {
    port: socket.address().port,
    received: () => received,
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
};
