import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

/** Storages that the test file of now has turned on: those of Jest itself, too. */
const turnedOn = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...rest) {
  turnedOn.add(this);
  return run.apply(this, rest);
};

/** Node, and after the last hook of a test file the end of every program that it started (`programs.ts`). */
export default class extends TestEnvironment {
  async teardown() {
    await this.global.endPrograms?.();
    await super.teardown();
    // Node 20 touches every storage for every promise, and each file evaluates Jest anew: without this a worker
    // needs a hundred times as long for an `await` after a hundred files.
    for (const storage of turnedOn) storage.disable();
    turnedOn.clear();
  }
}
