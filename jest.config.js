import { availableParallelism } from 'node:os';
import { fastTierIgnores } from './test/support/fastTier.js';

/** Whole clusters of NATS servers and nodes: minutes, and timing of other processes. `SPATE_TEST_CLUSTER=1` runs them. */
const CLUSTERS = ['/test/faults/cluster/', '/test/clusterDemo/', '/test/examples/clusterPage'];
/** Fills a folder with a Debian of its own: `SPATE_TEST_DEBIAN=FOLDER` runs it. */
const DEBIAN = ['/test/package/debian'];

// Inherited by every process that a test starts: the summary says which are still there.
process.env.SPATE_TEST_RUN = String(process.pid);

/** ESM tests: TypeScript through swc; `.js` specifiers of the sources point back to their `.ts` files. */
export default {
  testEnvironment: '<rootDir>/test/support/environment.js',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '<rootDir>/test/support/transform.js',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.SPATE_TEST_CLUSTER ? [] : CLUSTERS),
    ...(process.env.SPATE_TEST_DEBIAN ? [] : DEBIAN),
    ...(process.env.SPATE_TEST_FAST ? fastTierIgnores() : []),
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  reporters: ['default', '<rootDir>/test/support/summary.js'],
  testSequencer: '<rootDir>/test/support/sequencer.js',
  // Files share nothing, and no test measures speed: use every core. Many files wait for other programs, so one worker
  // more than cores keeps the cores busy. Modules of a file are never freed, so a worker restarts when it has grown.
  maxWorkers: availableParallelism() + 1,
  workerIdleMemoryLimit: '1GB',
  testTimeout: 240_000,
};
