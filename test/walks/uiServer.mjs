/** Serves the UI unbundled, a module a file: `node uiServer.mjs ROOT API PORT CACHE`. */
import { devServer } from '../../.ci/ui.mjs';

const [root, target, port, cacheDir] = process.argv.slice(2);
const server = await devServer(root, target, { cacheDir, server: { port: Number(port), host: '127.0.0.1' } });
await server.listen();
process.stdout.write('ready\n');
