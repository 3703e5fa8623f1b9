import type { JsonObject } from '../../domain/json.js';
import { isJsonObject } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import { storedBody } from '../body.js';
import { booleanParam, nameParam } from '../params.js';
import { nothing, nothingDoc } from '../reply.js';
import { route } from '../route.js';

/** Sections that are given: `null` means not given. */
const givenOf = (body: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(isJsonObject(body) ? (body as JsonObject) : {}).filter(([, section]) => section !== null),
  );

/** Changing a generator while it runs; `patch` is the shape of its sections, none of them required. */
export const generatorPatchRoutes = (patch: AnyShape) =>
  [
    route({
      id: 'patchGenerator',
      method: 'patch',
      path: '/generators/{id}',
      tag: 'Generators',
      summary: 'Change a running generator',
      description:
        'Each section that is given takes the place of the whole former one, while events flow. New outputs are open before ' +
        'former ones deliver what they have and close; new inputs begin after the last event (or now); a new event plugin of ' +
        'the same kind goes on with the state and the sequence of the former one. What does not differ is not touched. ' +
        'When a part cannot be built nothing changes (422). Automatic restarts keep the change; a start by hand reads the file again.',
      params: { id: nameParam('Id of the generator.') },
      query: { persist: booleanParam(false, 'Write the sections to the config file too.') },
      body: storedBody('GeneratorPatch', patch),
      success: { ...nothingDoc, description: 'The change is in force.' },
      errors: ['not_found', 'wrong_state', 'plugin_failed', 'timed_out', 'forbidden', 'unwritable'],
      request: (parts) => ({
        type: 'generators.patch',
        payload: { id: parts.path.id, sections: givenOf(parts.body), persist: parts.query.persist },
      }),
      reply: nothing,
    }),
  ] as const;
