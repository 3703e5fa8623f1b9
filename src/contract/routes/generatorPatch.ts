import type { JsonObject } from '../../domain/json.js';
import { isJsonObject } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import { storedBody } from '../body.js';
import { booleanParam, nameParam } from '../params.js';
import { nothing, nothingDoc } from '../reply.js';
import { route } from '../route.js';

/** Drops sections that are null, which means "not given". */
const givenOf = (body: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(isJsonObject(body) ? (body as JsonObject) : {}).filter(([, section]) => section !== null),
  );

/** `patch`: the shape of the sections, all optional. */
export const generatorPatchRoutes = (patch: AnyShape) =>
  [
    route({
      id: 'patchGenerator',
      method: 'patch',
      path: '/generators/{id}',
      tag: 'Generators',
      summary: 'Patch a running generator',
      description:
        'Replaces each given section as a whole while events flow. New outputs open before ' +
        'the former ones flush and close. New inputs start after the last event. A new event plugin of ' +
        'the same kind takes over the state of the former one. Unchanged parts keep running. ' +
        'If a part cannot be built, nothing changes (422). Automatic restarts keep the patch; a manual start reads the config file.',
      params: { id: nameParam('Id of the generator.') },
      query: { persist: booleanParam(false, 'Also write the sections to the config file.') },
      body: storedBody('GeneratorPatch', patch),
      success: { ...nothingDoc, description: 'The patch is applied.' },
      errors: ['not_found', 'wrong_state', 'plugin_failed', 'timed_out', 'forbidden', 'unwritable'],
      request: (parts) => ({
        type: 'generators.patch',
        payload: { id: parts.path.id, sections: givenOf(parts.body), persist: parts.query.persist },
      }),
      reply: nothing,
    }),
  ] as const;
