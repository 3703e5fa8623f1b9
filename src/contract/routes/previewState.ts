import type { StateAction, StateScope } from '../../domain/preview.js';
import { objectBody } from '../body.js';
import { keyParam, nameParam, type Param } from '../params.js';
import { jsonReply, nothingDoc, valueDoc } from '../reply.js';
import { route } from '../route.js';
import { refTo } from '../schemaParts.js';

const name = nameParam('Name of the generator directory.');
const key = keyParam('Key of the state, percent-encoded.');
const BASE = '/preview/{name}/event-plugin/template/state';
const ERRORS = [
  'not_ready',
  'forbidden',
  'not_found',
  'wrong_state',
  'plugin_failed',
  'too_many_requests',
] as const;
const TEMPLATES_ONLY = 'Template plugins only; responds with 400 for other plugins.';

interface StateAddress<P extends Readonly<Record<string, Param<string>>>> {
  /** The suffix of the operation ids. */
  readonly id: string;
  readonly path: string;
  readonly params: P & { readonly name: Param<string> };
  readonly noun: string;
  readonly note: string;
  readonly scopeOf: (path: { readonly [K in keyof P]: string }) => StateScope;
}

/** The five operations of one state. */
const stateRoutes = <const P extends Readonly<Record<string, Param<string>>>>({
  id,
  path,
  params,
  noun,
  note,
  scopeOf,
}: StateAddress<P>) => {
  const common = { tag: 'Preview', description: note, reply: jsonReply } as const;
  const ask = (given: unknown, action: StateAction) => {
    // The same parameters decoded this path before.
    const values = given as { readonly name: string } & { readonly [K in keyof P]: string };
    return {
      type: 'preview.state' as const,
      payload: { name: values.name, scope: scopeOf(values), action },
    };
  };
  const keyed = { ...params, key } as typeof params & { readonly key: Param<string> };
  const keyOf = (given: unknown): string => (given as { readonly key: string }).key;
  return [
    route({
      ...common,
      id: `read${id}`,
      method: 'get',
      path,
      params,
      summary: `Read ${noun}`,
      success: valueDoc('The state.', refTo('Globals')),
      errors: [...ERRORS, 'too_large'],
      request: (parts) => ask(parts.path, { kind: 'read' }),
    }),
    route({
      ...common,
      id: `patch${id}`,
      method: 'patch',
      path,
      params,
      body: objectBody('Globals', []),
      summary: `Update ${noun}`,
      success: nothingDoc,
      errors: [...ERRORS, 'too_large'],
      request: (parts) => ask(parts.path, { kind: 'merge', values: parts.body }),
    }),
    route({
      ...common,
      id: `clear${id}`,
      method: 'delete',
      path,
      params,
      summary: `Clear ${noun}`,
      success: nothingDoc,
      errors: ERRORS,
      request: (parts) => ask(parts.path, { kind: 'clear' }),
    }),
    route({
      ...common,
      id: `read${id}Key`,
      method: 'get',
      path: `${path}/{key}`,
      params: keyed,
      summary: `Read one key of ${noun}`,
      success: valueDoc('The value, which may be null.', {}),
      errors: [...ERRORS, 'too_large'],
      request: (parts) => ask(parts.path, { kind: 'read_key', key: keyOf(parts.path) }),
    }),
    route({
      ...common,
      id: `delete${id}Key`,
      method: 'delete',
      path: `${path}/{key}`,
      params: keyed,
      summary: `Remove one key of ${noun}`,
      success: nothingDoc,
      errors: ERRORS,
      request: (parts) => ask(parts.path, { kind: 'delete_key', key: keyOf(parts.path) }),
    }),
  ] as const;
};

export const previewStateRoutes = () =>
  [
    ...stateRoutes({
      id: 'PreviewGlobals',
      path: `${BASE}/global`,
      params: { name },
      noun: 'the globals of the preview',
      note: 'The preview has its own globals, separate from every scenario.',
      scopeOf: () => ({ kind: 'global' }),
    }),
    ...stateRoutes({
      id: 'PreviewSharedState',
      path: `${BASE}/shared`,
      params: { name },
      noun: 'the shared state of the templates',
      note: TEMPLATES_ONLY,
      scopeOf: () => ({ kind: 'shared' }),
    }),
    ...stateRoutes({
      id: 'PreviewLocalState',
      path: `${BASE}/local/{alias}`,
      params: { name, alias: keyParam('Alias of the template.') },
      noun: 'the state of one template',
      note: TEMPLATES_ONLY,
      scopeOf: ({ alias }) => ({ kind: 'local', alias }),
    }),
  ] as const;
