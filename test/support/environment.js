import { TestEnvironment } from 'jest-environment-node';

/** Node, and after the last hook of a test file the end of every program that it started (`programs.ts`). */
export default class extends TestEnvironment {
  async teardown() {
    await this.global.endPrograms?.();
    await super.teardown();
  }
}
