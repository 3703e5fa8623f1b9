import type { JsonObject } from '../domain/json.js';

/** Request to the supervisor of generators: change one while it runs. */
export interface GeneratorPatchRequests {
  'generators.patch': {
    payload: {
      readonly id: string;
      /** `input`, `event`, `output`: each whole, as it would stand in the config file. */
      readonly sections: JsonObject;
      /** Write them to the config file too. */
      readonly persist: boolean;
    };
    answer: null;
  };
}
