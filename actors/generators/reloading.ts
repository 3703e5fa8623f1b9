import * as E from 'fp-ts/lib/Either.js';
import { jsonEqual } from '../../src/config/values.js';
import type { Result } from '../../src/domain/errors.js';
import type { Registration } from '../../src/domain/generator.js';
import type { Json } from '../../src/domain/json.js';
import { drop, isAtRest, register, type Supervisor, start, statusNow, stop } from './slots.js';

/** Result for one generator of reading the startup list again. */
export type ReloadOutcome = 'untouched' | 'added' | 'started' | 'restarted' | 'replaced' | 'invalid';

const isSame = (a: Registration, b: Registration): boolean =>
  jsonEqual(a.params as unknown as Json, b.params as unknown as Json);

const registerAnew = async (
  supervisor: Supervisor,
  registration: Registration,
  autostart: boolean,
  outcome: ReloadOutcome,
): Promise<Result<ReloadOutcome>> => {
  const registered = register(supervisor, registration);
  if (E.isLeft(registered)) return registered;
  const slot = supervisor.slots.get(registration.params.id);
  // A start that fails shows in the status of the generator.
  if (autostart && slot !== undefined) await start(slot);
  return E.right(outcome);
};

/** Same parameters and config: nothing happens, also after a live patch. Scenarios count from the next start. */
export const reloadGenerator = async (
  supervisor: Supervisor,
  registration: Registration,
  autostart: boolean,
): Promise<Result<ReloadOutcome>> => {
  const { slots, load, input } = supervisor;
  const { id } = registration.params;
  await slots.get(id)?.leaving;
  const slot = slots.get(id);
  if (slot === undefined) return registerAnew(supervisor, registration, autostart, 'added');
  if (!isSame(slot.registration, registration)) {
    slot.stops++;
    await stop(slot);
    if (slots.get(id) === slot) drop(supervisor, slot);
    return registerAnew(supervisor, registration, autostart, 'replaced');
  }
  if (isAtRest(slot)) {
    if (!autostart || statusNow(slot).phase !== 'failed') return E.right('untouched');
    await start(slot);
    return E.right('started');
  }
  const loaded = await load(slot.registration.params, slot.registration.scenarios);
  if (E.isLeft(loaded)) {
    const context = { generator_id: id, reason: loaded.left.message };
    input.log.write(
      'error',
      'the config is invalid now: the generator keeps running with the former one',
      context,
    );
    return E.right('invalid');
  }
  const startedWith = slot.child.getSnapshot().context.loaded;
  if (startedWith !== null && jsonEqual(startedWith.config, loaded.right.config)) return E.right('untouched');
  const { stops } = slot;
  await stop(slot);
  // A stop in the meantime wins.
  if (slot.stops === stops) await start(slot);
  return E.right('restarted');
};
