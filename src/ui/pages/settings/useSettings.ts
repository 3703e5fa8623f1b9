import * as E from 'fp-ts/lib/Either.js';
import { settingsShape } from '../../../config/settings/shape.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import { decodeStored, maskSecrets } from '../../../schema/index.js';
import { callTagged } from '../../api/client.js';
import { useDocument } from '../../forms/useDocument.js';
import { tellDone } from '../../parts/tell.js';
import { inFile, savedOf } from './saved.js';

/** Where the browser keeps what it saved, until the service uses it. */
const KEY = 'spate.settings.saved';

const readSaved = () => savedOf(localStorage.getItem(KEY));

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
      const { value, etag } = await callTagged('readSettings');
      return { value: inFile(value as JsonObject, etag, readSaved()), etag };
    },
    save: async (value, etag) => {
      const body = whole(value);
      const { etag: after } = await callTagged('updateSettings', { body, etag });
      const masked: Json = maskSecrets(settingsShape, body);
      localStorage.setItem(KEY, JSON.stringify({ etag: after, value: masked }));
      tellDone('The settings are saved. Restart the service to apply them.');
    },
  });
