import type { StartDestination } from '../../../conformance/support.js';
import { KEYS, startFakeS3 } from '../../../support/servers/s3/fakeS3.js';

export const destination: StartDestination = async () => {
  const server = await startFakeS3();
  return {
    params: { ...KEYS, endpoint: `http://127.0.0.1:${server.port}`, compression: 'gzip' },
    arrived: server.text,
    takeAway: server.kill,
    end: server.remove,
  };
};
