import { hasMosquitto, NEEDS_MOSQUITTO } from '../../support/servers/mosquittoServer.js';
import { hasNats, NEEDS_NATS } from '../../support/servers/natsServer.js';

export interface RealServer {
  readonly isThere: boolean;
  /** For the name of a test. */
  readonly needs: string;
}

/** Outputs whose `conformance.ts` starts a program that a machine may lack. */
export const REAL_SERVERS: Readonly<Record<string, RealServer>> = {
  mqtt: { isThere: hasMosquitto, needs: NEEDS_MOSQUITTO },
  nats: { isThere: hasNats, needs: NEEDS_NATS },
};
