import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { record, required } from '../../schema/index.js';
import { apiPath } from '../api.js';
import { asks, name, type Tool, tool } from '../tool.js';

/** What a model chooses by; the details come with `get_library_item`. */
const summaryOf = (item: Json): Json => {
  const { name: id = null, category = null, summary = null, anomalies = [] } = item as JsonObject;
  const names = (anomalies as readonly Json[]).map((each) => (isJsonObject(each) ? each['name'] : each));
  return { name: id, category, summary, anomalies: names as readonly Json[] };
};

/** Texts of documentation and config; samples and templates stay out. */
const SHOWN_FILE = /^(README\.md|[^/]+\.ya?ml)$/;

const itemOf = (item: Json): Json => {
  const { files = [], ...rest } = item as JsonObject;
  const listed = (files as readonly JsonObject[]).map(({ path: at = '', text, ...facts }) =>
    typeof text === 'string' && SHOWN_FILE.test(String(at))
      ? { path: at, ...facts, text }
      : { path: at, ...facts },
  );
  return { ...rest, files: listed };
};

export const libraryTools: readonly Tool[] = [
  tool({
    name: 'list_library',
    title: 'List ready-made generators',
    description:
      'Lists the library of ready-made generators (web servers, firewalls, identity, cloud audit, ...) with what each imitates and ' +
      'its anomalies. Look here before writing a config.',
    effect: 'reads',
    input: record({}),
    run: asks(
      'library',
      () => ({ method: 'get', path: '/library/' }),
      (all) => (all as readonly Json[]).map(summaryOf),
    ),
  }),
  tool({
    name: 'get_library_item',
    title: 'Get a ready-made generator',
    description:
      'Returns parameters, anomalies, detections, README and config of one library generator, and the list of its other files.',
    effect: 'reads',
    input: record({
      name: required(name, { help: 'Name, as list_library shows it.', example: 'web-nginx' }),
    }),
    run: asks('item', ({ name: given }) => ({ method: 'get', path: apiPath`/library/${given}` }), itemOf),
  }),
  tool({
    name: 'create_from_library',
    title: 'Create a generator from the library',
    description:
      'Copies a library generator into a new generator directory. Returns its name and path; add_generator takes the path. ' +
      'Starts nothing. Fails with already_exists if the name is taken.',
    effect: 'changes',
    input: record({
      library: required(name, { help: 'Name of the library generator.', example: 'web-nginx' }),
      name: required(name, { help: 'Name of the new directory.', example: 'my-shop' }),
    }),
    run: asks('created', ({ library, name: given }) => ({
      method: 'post',
      path: apiPath`/library/${library}/copy`,
      body: { name: given },
    })),
  }),
];
