import { settingsShape } from '../config/settings/shape.js';
import { generatorParamsShape, startupEntryShape } from '../config/startup/shape.js';
import { type Contract, makeContract } from '../contract/contract.js';
import {
  eventShape,
  formatterShape,
  generatorPatchShape,
  generatorShape,
  inputShape,
} from '../plugins/generatorShape.js';
import { listOf } from '../schema/index.js';

export const serviceContract = (version: string): Contract =>
  makeContract(
    {
      generatorConfig: generatorShape,
      generatorPatch: generatorPatchShape,
      generatorParams: generatorParamsShape,
      startupEntry: startupEntryShape,
      inputs: listOf(inputShape),
      event: eventShape,
      formatter: formatterShape,
      settings: settingsShape,
    },
    version,
  );
