import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../domain/errors.js';
import { cellText, changeCell, type GlobalsCell, MAX_GLOBALS_LENGTH } from '../../domain/globals/cell.js';
import type { GlobalsChange } from '../../domain/globals/patch.js';
import type { JsonObject } from '../../domain/json.js';
import type { StateAction, StateScope, StateTask } from '../../domain/preview.js';
import type { NamedValues } from '../../plugins/kit.js';
import type { AnswerText } from './answer.js';
import type { PreviewSession } from './session.js';

type Change = Exclude<StateAction, { kind: 'read' | 'read_key' }>;

interface Held {
  readonly read: () => JsonObject;
  /** Changes the state. Returns why the change was refused, or null when it was made. */
  readonly change: (change: Change) => SpateError | null;
}

const asGlobalsChange = (change: Change): GlobalsChange => {
  switch (change.kind) {
    case 'merge':
      return { kind: 'shallow', values: change.values };
    case 'clear':
      return { kind: 'replace', values: {} };
    case 'delete_key':
      return change;
  }
};

/** The globals of the preview follow JSON, as those of a scenario do when they are saved. */
const inCell = (cell: GlobalsCell): Held => ({
  read: () => JSON.parse(cellText(cell).text) as JsonObject,
  change: (change) => {
    const changed = changeCell(cell, asGlobalsChange(change), 0, null);
    return E.isLeft(changed) ? changed.left : null;
  },
});

const inMemory = (values: NamedValues): Held => ({
  read: values.read,
  change: (change) => {
    if (change.kind === 'merge') values.merge(change.values);
    else if (change.kind === 'clear') values.clear();
    else values.delete(change.key);
    return null;
  },
});

/** Returns the state of a scope, or an error when the plugin has none. */
const heldBy = ({ kind, producer: { memory }, globals }: PreviewSession, scope: StateScope): Result<Held> => {
  if (scope.kind === 'global') return E.right(inCell(globals));
  if (memory === undefined) {
    const reason = `the event plugin in preview is a ${kind}, not a template plugin: it has no ${scope.kind} state`;
    return E.left(failure('not_ready', reason));
  }
  if (scope.kind === 'shared') return E.right(inMemory(memory.shared));
  const local = memory.local(scope.alias);
  return local === undefined
    ? E.left(failure('not_found', `the event plugin in preview has no template "${scope.alias}"`))
    : E.right(inMemory(local));
};

const run = ({ read, change }: Held, scope: StateScope['kind'], action: StateAction): AnswerText => {
  if (action.kind !== 'read' && action.kind !== 'read_key') {
    const refused = change(action);
    return refused === null ? E.right(['null']) : E.left(refused);
  }
  const values = read();
  if (action.kind === 'read_key' && !Object.hasOwn(values, action.key)) {
    return E.left(failure('not_found', `the ${scope} state of the preview has no key "${action.key}"`));
  }
  const text = JSON.stringify(action.kind === 'read' ? values : values[action.key]);
  return text.length > MAX_GLOBALS_LENGTH
    ? E.left(failure('too_large', `the ${scope} state is over ${MAX_GLOBALS_LENGTH} characters: clear it`))
    : E.right([text]);
};

export const stateOf = (session: PreviewSession, { scope, action }: StateTask): AnswerText => {
  const held = heldBy(session, scope);
  return E.isLeft(held) ? held : run(held.right, scope.kind, action);
};
