/** `npm run loss -- [OUTPUT...]`: runs main.ts with the servers of the tests, which are TypeScript. */
import { register } from 'node:module';

register('./typescript.mjs', import.meta.url);
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
