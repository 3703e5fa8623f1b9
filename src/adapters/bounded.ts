import vm from 'node:vm';

/** Code of the error that ends a call. */
const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** Returns a function that calls another one and stops it after the limit, even inside a regular expression; false: stopped. */
export const boundedCalls = (limit_ms: number): ((call: () => void) => boolean) => {
  const context = vm.createContext({ call: null });
  const script = new vm.Script('call()');
  return (call) => {
    context['call'] = call;
    try {
      script.runInContext(context, { timeout: limit_ms });
      return true;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException | null)?.code === TIMED_OUT) return false;
      throw thrown;
    } finally {
      context['call'] = null;
    }
  };
};
