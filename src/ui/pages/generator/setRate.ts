import type { QueryClient } from '@tanstack/react-query';
import type { JsonObject } from '../../../domain/json.js';
import { call, callFile } from '../../api/client.js';
import { locationOf } from '../../parts/locatedText.js';
import { knobKey, parameterKnobsOf, RATE_WORDS, sectionsOf, withKnobs } from './configParts.js';
import { patchedKey } from './data.js';

/**
 * Sets the one number that is the rate of a running generator until its next start, and says what has changed. Resolves
 * with null when none or several numbers set the rate, so that somebody has to choose. Rejects with `ApiError`.
 */
export const setRate = async (client: QueryClient, id: string, rate: number): Promise<string | null> => {
  const listed = (await call('listGenerators')).find((one) => one.id === id);
  const location = locationOf(listed?.path ?? '');
  if (location === null) return null;
  const { value } = await callFile('readGeneratorFile', {
    path: { name: location.name, filepath: location.file },
  });
  const patched = client.getQueryData<JsonObject>(patchedKey(id));
  const input = { ...sectionsOf(await value.text()), ...patched }['input'];
  const [knob, ...others] = parameterKnobsOf(input);
  if (input === undefined || knob === undefined || others.length > 0) return null;
  const body = { input: withKnobs(input, { [knobKey(knob)]: rate }) };
  await call('patchGenerator', { path: { id }, query: { persist: false }, body });
  client.setQueryData<JsonObject>(patchedKey(id), (former) => ({ ...former, ...body }));
  const shown = `${RATE_WORDS[knob.key]} of ${id}: ${rate.toLocaleString('en-US')} until its next start`;
  return knob.value === null ? `${shown}.` : `${shown}, ${knob.text} before.`;
};
