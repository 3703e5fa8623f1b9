import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { GeneratorsInput } from '../../actors/generators/generators.js';
import { configLocation } from '../adapters/directories/location.js';
import { invalid } from '../config/report.js';
import { isOutside, type StartupContext } from '../config/startup/entry.js';
import { generatorParams, generatorParamsShape } from '../config/startup/startup.js';
import { keepExtensions } from '../config/values.js';
import { failure } from '../domain/errors.js';
import { checkGivenParams } from './configs.js';

/** Fills in the settings' defaults; the config must be in the generators directory and read the parameters. Issues count from the body. */
export const admission =
  (context: StartupContext): GeneratorsInput['admit'] =>
  async (id, given, replaced) => {
    const { generation, generators_dir } = context;
    const old = replaced === null ? undefined : generatorParamsShape.codec.encode(replaced);
    const body = keepExtensions(generatorParamsShape, old, { ...given, id });
    const params = generatorParams(body, generation, generators_dir);
    if (E.isLeft(params)) return params;
    const { path } = params.right;
    if (isOutside(generators_dir, path) || path === resolve(generators_dir)) {
      const message = 'must name a file inside the generators directory';
      return E.left(invalid('', [{ path: ['path'], type: 'not_allowed', message }]));
    }
    const place = await configLocation(generators_dir)(path);
    if (E.isLeft(place)) return place;
    if (place.right === 'file') {
      const checked = await checkGivenParams(params.right);
      return E.isLeft(checked) ? checked : params;
    }
    const shown = String(given['path']);
    return E.left(
      failure('not_found', `there is no generator config "${shown}" in the generators directory`),
    );
  };

/** A single run has no API. */
export const noAdmission: GeneratorsInput['admit'] = async (id) =>
  E.left(failure('unavailable', `generator "${id}" cannot be added here`));

export const noMove: GeneratorsInput['move'] = async ({ id }) =>
  E.left(failure('unavailable', `generator "${id}" cannot be renamed here`));
