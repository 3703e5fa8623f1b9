import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../../actors/ask.js';
import { MAX_DOCUMENT_TEXT_LENGTH } from '../../cluster/documents.js';
import { generatorKey } from '../../cluster/keys.js';
import type { ClusterMember } from '../../cluster/member.js';
import { generatorIdOf } from '../../domain/partitions.js';
import type { GeneratorRow } from '../../domain/stats/board.js';
import { MAX_SHARED_LOSSES } from '../../host/slots.js';
import type { Log } from '../../ports/log.js';
import { type ClusterView, quarantineOf, type Wanted } from './view.js';

/** After so many lost nodes in a row the code of a task gets a process of its own. */
const SUSPECT_DEATHS = 2;

const AT_REST: ReadonlySet<string> = new Set(['idle', 'stopped', 'failed']);

interface QuarantineOptions {
  readonly view: Pick<ClusterView, 'node' | 'entries' | 'wanted'>;
  readonly member: Pick<ClusterMember, 'deathsOf'>;
  readonly wanted: Pick<Wanted, 'setGenerator'>;
  readonly ask: AskActor;
  readonly log: Log;
}

/** Finds generators that end the process they run in, and stops them on all nodes. */
export const quarantine = ({ view, member, wanted, ask, log }: QuarantineOptions) => {
  /** How often a suspect lost its process, and whether it is without one now. */
  const losses = new Map<string, { readonly count: number; readonly isOut: boolean }>();

  const isSuspect = (id: string): boolean =>
    view.entries.has(generatorIdOf(id)) && member.deathsOf(generatorKey(id)) >= SUSPECT_DEATHS;

  const confine = async (id: string, why: string): Promise<void> => {
    const lost = member.deathsOf(generatorKey(id));
    const reason = `in quarantine: ${lost} nodes in a row were lost while they ran it, then it ended a process of its own on node "${view.node}" (${why}). Correct it, then start it.`;
    log.write('error', 'a generator is in quarantine', { generator_id: id, reason });
    const told = await wanted.setGenerator(
      generatorIdOf(id),
      'stopped',
      reason.slice(0, MAX_DOCUMENT_TEXT_LENGTH),
    );
    if (E.isLeft(told))
      log.write('error', 'the other nodes do not know of a quarantine', {
        generator_id: id,
        reason: told.left.message,
      });
    await ask('generators.stop', { id });
  };

  const watch = (id: string, row: GeneratorRow | null): void => {
    const isCulprit = row?.error_code === 'host_crashed';
    const isOut =
      (row?.phase === 'backing_off' || row?.phase === 'failed') &&
      (isCulprit || row.error_code === 'displaced');
    const before = losses.get(id) ?? { count: 0, isOut: false };
    if (row === null) losses.delete(id);
    if (row === null || isOut === before.isOut || !isSuspect(id)) return;
    const count = before.count + (isOut ? 1 : 0);
    losses.set(id, { count, isOut });
    // Who has lost more shared processes had this one for its task alone.
    if (isOut && (isCulprit || count > MAX_SHARED_LOSSES)) void confine(id, row.reason ?? 'unknown');
  };

  return {
    isSuspect,
    /** Takes the state of a generator; returns the one to show. */
    noted: (id: string, row: GeneratorRow | null): GeneratorRow | null => {
      watch(id, row);
      const reason = quarantineOf(view, id);
      if (reason === undefined || row === null || !AT_REST.has(row.phase)) return row;
      return { ...row, phase: 'failed', isUp: false, reason, error_code: 'host_crashed' };
    },
  };
};
