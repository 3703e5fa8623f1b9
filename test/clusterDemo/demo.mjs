/** Runs main.ts with the servers of the tests, which are TypeScript. */
import { register } from 'node:module';

register('../loss/typescript.mjs', import.meta.url);
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
// The channel to run.mjs would keep it alive.
process.disconnect?.();
