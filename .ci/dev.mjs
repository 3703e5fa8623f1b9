/** `npm run dev [-- http://host:port]`: the web UI with hot reload, in front of a running daemon. */
import { root } from './build.mjs';
import { serveUi } from './ui.mjs';

await serveUi(root, process.argv[2] ?? 'http://127.0.0.1:9474');
