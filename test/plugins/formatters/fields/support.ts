import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { FormatterPlugin } from '../../../../src/plugins/kit.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode } from '../../../../src/schema/index.js';
import type { Fields } from '../../../../src/schema/shape.js';
import { inputContext } from '../../../support/pipelines/inputs.js';
import { PLAIN_TEMPLATES } from '../../../support/templates/templates.js';

/** Builds a formatter from parameters as in a config. */
export const built = async <F extends Fields>(
  plugin: FormatterPlugin<F>,
  params: JsonObject,
  directory = '/nowhere',
) => {
  const decoded = decode(paramsShape(plugin.spec), params);
  if (E.isLeft(decoded)) throw new Error(decoded.left.map(({ message }) => message).join('; '));
  const formatter = await plugin.build(decoded.right, {
    ...inputContext({ directory }),
    templates: PLAIN_TEMPLATES,
  });
  if (E.isLeft(formatter)) throw new Error(formatter.left.message);
  return formatter.right;
};

export const issuesOf = <F extends Fields>(
  plugin: FormatterPlugin<F>,
  params: JsonObject,
): readonly string[] => {
  const decoded = decode(paramsShape(plugin.spec), params);
  return E.isLeft(decoded) ? decoded.left.map(({ message }) => message) : [];
};

/** The lines that a formatter makes of these events. */
export const lines = async <F extends Fields>(
  plugin: FormatterPlugin<F>,
  params: JsonObject,
  events: readonly unknown[],
): Promise<readonly string[]> => {
  const formatter = await built(plugin, params);
  const { batch, failures } = formatter.format(textBatch(events.map((event) => JSON.stringify(event))));
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join('; '));
  return batch.texts();
};
