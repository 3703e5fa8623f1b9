import { settingsShape } from '../config/settings/shape.js';
import { generatorParamsShape, startupEntryShape } from '../config/startup/shape.js';
import { type Contract, makeContract } from '../contract/contract.js';
import { installed } from '../plugins/installed.js';
import { listOf } from '../schema/index.js';

export const serviceContract = (version: string): Contract => {
  const { generator, generatorPatch, input, event, formatter } = installed().shapes;
  return makeContract(
    {
      generatorConfig: generator,
      generatorPatch,
      generatorParams: generatorParamsShape,
      startupEntry: startupEntryShape,
      inputs: listOf(input),
      event,
      formatter,
      settings: settingsShape,
    },
    version,
  );
};
