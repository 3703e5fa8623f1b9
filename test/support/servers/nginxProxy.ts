import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import * as net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/systemClock.js';
import { hasPrograms, needs, spawn } from '../programs.js';

export const hasNginx = hasPrograms('nginx');
export const NEEDS_NGINX = needs('nginx');

/** nginx with TLS in front of a local server. */
export interface NginxProxy {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const PATIENCE_MS = 10_000;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Starts nginx on a free port; `more`: further lines of its server block. */
export const startNginx = async (options: {
  readonly target: number;
  readonly certificate: string;
  readonly key: string;
  readonly more?: string;
}): Promise<NginxProxy> => {
  const folder = mkdtempSync(join(tmpdir(), 'spate-nginx-'));
  const port = await freePort();
  const { target, certificate, key, more = '' } = options;
  mkdirSync(join(folder, 'temp'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off; ${temporary.join(' ')}
  limit_req_zone $server_name zone=slow:64k rate=5r/s;
  limit_req_status 429;
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${certificate}; ssl_certificate_key ${key};
    client_max_body_size 1m;
    ${more}
    location / { proxy_pass http://127.0.0.1:${target}; }
    location /moved { return 301 https://127.0.0.1:${port}/; }
    location /slow { limit_req zone=slow; proxy_pass http://127.0.0.1:${target}; }
  }
}
`,
  );
  const child = spawn(
    'nginx',
    ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log'), '-p', folder],
    {
      stdio: 'ignore',
    },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const limit = systemClock.monotonicMs() + PATIENCE_MS;
  while (!(await isOpen(port))) {
    if (child.exitCode !== null || systemClock.monotonicMs() > limit) throw new Error('nginx did not start');
    await systemClock.sleepMs(20, new AbortController().signal);
  }
  return {
    port,
    stop: async () => {
      if (child.kill('SIGKILL')) await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
