import { useQuery } from '@tanstack/react-query';
import * as E from 'fp-ts/lib/Either.js';
import { useMemo } from 'react';
import { generationFields } from '../../../config/settings/generationFields.js';
import { startupEntryShape } from '../../../config/startup/shape.js';
import type { Issue } from '../../../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { type AnyShape, expandDotted } from '../../../schema/index.js';
import { call } from '../../api/client.js';
import { layered, withoutDefaults } from '../../forms/document.js';
import { localIssues } from '../../forms/issues.js';

const fields = startupEntryShape.fields ?? {};

/** Defaults of an entry: those of the declaration, and the settings that entries override. */
export const defaultsOf = (settings: Json): JsonObject => {
  const generation = isJsonObject(settings) ? settings['generation'] : null;
  const given = isJsonObject(generation) ? generation : {};
  const known = Object.entries(fields).filter(([, { presence }]) => presence !== 'required');
  return Object.fromEntries(
    known.map(([name, { fallback }]) => [
      name,
      Object.hasOwn(generationFields, name) ? (given[name] ?? fallback) : fallback,
    ]),
  );
};

/** What an entry has of its own: the id is in the address, the rest is the default. */
export const ownOf = (entry: JsonObject, defaults: JsonObject): JsonObject => {
  const { id: _, ...rest } = entry;
  return withoutDefaults(rest, defaults);
};

const knownPart = (shape: AnyShape, value: Json): Json => {
  const known = shape.fields;
  if (known === undefined || !isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, one]): [string, Json][] => {
    const field = Object.hasOwn(known, key) ? known[key] : undefined;
    return field === undefined ? [] : [[key, knownPart(field, one)]];
  });
  return Object.fromEntries(entries);
};

/** An invalid entry of the file as a document whose draft already leaves out the keys that the service does not know. */
export const repairOf = (written: Json): { readonly value: JsonObject; readonly mended: JsonObject } => {
  const expanded = E.getOrElse((): Json => written)(expandDotted(written, startupEntryShape));
  const value = isJsonObject(expanded) ? ownOf(expanded, {}) : {};
  return { value, mended: knownPart(startupEntryShape, value) as JsonObject };
};

/** The body of a PUT: `null` removes an extension key, which would stay without it. */
export const bodyOf = (own: JsonObject): JsonObject => {
  const removed = Object.entries(fields)
    .filter(([name, { extension }]) => extension === true && !Object.hasOwn(own, name))
    .map(([name]): [string, Json] => [name, null]);
  return { ...Object.fromEntries(removed), ...own };
};

/** What the declaration finds wrong with an entry over its defaults. */
export const entryIssues = (id: string, own: JsonObject, defaults: JsonObject): readonly Issue[] =>
  localIssues(startupEntryShape, { id, ...layered(own, defaults) });

/** Defaults of entries, from the settings in use. */
export const useDefaults = () => {
  const settings = useQuery({ queryKey: ['settings', 'in use'], queryFn: () => call('readSettings') });
  const { data, error } = settings;
  return { defaults: useMemo(() => (data === undefined ? null : defaultsOf(data)), [data]), error };
};
