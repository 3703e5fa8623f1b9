/** `npm run cluster-demo`: runs demo.mjs in a process group of its own, so that Ctrl-C reaches nodes and servers in order. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const demo = spawn(process.execPath, [join(import.meta.dirname, 'demo.mjs'), ...process.argv.slice(2)], {
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => demo.kill('SIGTERM'));
demo.on('exit', (code) => process.exit(code ?? 1));
