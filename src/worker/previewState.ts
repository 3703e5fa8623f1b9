import * as E from 'fp-ts/lib/Either.js';
import { failure, type SpateError } from '../domain/errors.js';
import { type GlobalsCell, MAX_GLOBALS_LENGTH } from '../domain/globalsCell.js';
import type { GlobalsChange } from '../domain/globalsPatch.js';
import type { JsonObject } from '../domain/json.js';
import type { StateAction, StateScope, StateTask } from '../domain/preview.js';
import { readCell, tryChange } from '../host/cellChange.js';
import type { NamedValues } from '../plugins/kit.js';
import type { AnswerText } from './previewAnswer.js';
import type { PreviewSession } from './previewSession.js';

const NOTHING: AnswerText = E.right(['null']);

const changeOf = (action: Exclude<StateAction, { kind: 'read' | 'read_key' }>): GlobalsChange => {
  switch (action.kind) {
    case 'merge':
      return { kind: 'shallow', values: action.values };
    case 'clear':
      return { kind: 'replace', values: {} };
    case 'delete_key':
      return action;
  }
};

const readState = (cell: GlobalsCell, key: string | null): AnswerText => {
  const { text } = readCell(cell);
  if (text.length > MAX_GLOBALS_LENGTH) {
    const reason = `the globals of the preview are over ${MAX_GLOBALS_LENGTH} characters: clear them`;
    return E.left(failure('too_large', reason));
  }
  if (key === null) return E.right([text]);
  const values = JSON.parse(text) as JsonObject;
  return Object.hasOwn(values, key)
    ? E.right([JSON.stringify(values[key])])
    : E.left(failure('not_found', `the globals of the preview have no key "${key}"`));
};

const runAction = (cell: GlobalsCell, action: StateAction): AnswerText => {
  if (action.kind === 'read') return readState(cell, null);
  if (action.kind === 'read_key') return readState(cell, action.key);
  const changed = tryChange(cell, changeOf(action), 0, null);
  return changed.ok ? NOTHING : E.left(changed.error);
};

/** One of the states of the plugin. Left: it has none of that scope. */
const memoryOf = (
  session: PreviewSession,
  scope: Exclude<StateScope, { kind: 'global' }>,
): E.Either<SpateError, NamedValues> => {
  const { memory } = session.producer;
  if (memory === undefined) {
    const reason = `the event plugin in preview is a ${session.kind}, not a template plugin: it has no ${scope.kind} state`;
    return E.left(failure('wrong_state', reason));
  }
  if (scope.kind === 'shared') return E.right(memory.shared);
  const found = memory.local(scope.alias);
  return found === undefined
    ? E.left(failure('not_found', `the event plugin in preview has no template "${scope.alias}"`))
    : E.right(found);
};

const readText = (text: string | undefined, what: string): AnswerText => {
  if (text === undefined) return E.left(failure('not_found', what));
  return text.length > MAX_GLOBALS_LENGTH
    ? E.left(failure('too_large', `the state is over ${MAX_GLOBALS_LENGTH} characters: clear it`))
    : E.right([text]);
};

const runOn = (values: NamedValues, scope: string, action: StateAction): AnswerText => {
  switch (action.kind) {
    case 'read':
      return readText(JSON.stringify(values.read()), '');
    case 'read_key': {
      const all = values.read();
      const text = Object.hasOwn(all, action.key) ? JSON.stringify(all[action.key]) : undefined;
      return readText(text, `the ${scope} state of the preview has no key "${action.key}"`);
    }
    case 'merge':
      values.merge(action.values);
      return NOTHING;
    case 'clear':
      values.clear();
      return NOTHING;
    case 'delete_key':
      values.delete(action.key);
      return NOTHING;
  }
};

/** Reads or changes what the event plugin remembers. */
export const stateOf = (session: PreviewSession, { scope, action }: StateTask): AnswerText => {
  if (scope.kind === 'global') return runAction(session.globals, action);
  const values = memoryOf(session, scope);
  return E.isLeft(values) ? values : runOn(values.right, scope.kind, action);
};
