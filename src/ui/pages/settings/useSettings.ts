import * as E from 'fp-ts/lib/Either.js';
import { settingsShape } from '../../../config/settings/shape.js';
import type { JsonObject } from '../../../domain/json.js';
import { decodeStored } from '../../../schema/index.js';
import { callTagged } from '../../api/client.js';
import { useDocument } from '../../forms/DocumentForm.js';
import { tellDone } from '../../parts/notes.js';

/** With every default, as read-back has them. */
const whole = (value: JsonObject): JsonObject => {
  const decoded = decodeStored(settingsShape, value);
  return E.isRight(decoded) ? (decoded.right as JsonObject) : value;
};

export const SETTINGS_KEY = ['settings', 'file'] as const;

/** The settings file as a document with a draft. */
export const useSettings = () =>
  useDocument({
    queryKey: SETTINGS_KEY,
    load: async () => {
      const { value, etag } = await callTagged('readSettings', { query: { stored: true } });
      return { value: value as JsonObject, etag };
    },
    save: async (value, etag) => {
      await callTagged('updateSettings', { body: whole(value), etag });
      tellDone('The settings are saved. Restart the service to apply them.');
    },
  });
