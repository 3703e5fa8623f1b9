import * as E from 'fp-ts/lib/Either.js';
import type { Result, SpateError } from '../../src/domain/errors.js';
import { generatorIdOf, partitionOf, partitionReason } from '../../src/domain/partitions.js';
import type { OfPart } from './parts.js';

/** Index of a partition, by its id. */
export const indexOf = (part: string): number => partitionOf(part)?.index ?? 0;

/** An error that names the partition. */
export const named = (part: string, error: SpateError, all: readonly (string | null)[] = []): SpateError => ({
  ...error,
  message: partitionReason(indexOf(part), error.message, all),
});

/** An error that all partitions share, about their generator. */
const ofWhole = (part: string, error: SpateError): SpateError => ({
  ...error,
  message: error.message.replaceAll(`"${part}"`, `"${generatorIdOf(part)}"`),
});

/** What the error asks for is not there. */
export const isAbsent = ({ code }: SpateError): boolean => code === 'not_found' || code === 'not_ready';

/** Returns the answers of the partitions that lack nothing, or the first failure, with its partition. */
export const fromAll = async <A>(
  parts: readonly string[],
  ask: (part: string) => Promise<Result<A>>,
): Promise<Result<readonly OfPart<A>[]>> => {
  const answers = await Promise.all(parts.map(async (part) => [part, await ask(part)] as const));
  const reasons = answers.map(([, answer]) => (E.isLeft(answer) ? answer.left.message : null));
  const there = answers.flatMap(([part, answer]) =>
    E.isRight(answer) ? [{ index: indexOf(part), value: answer.right }] : [],
  );
  for (const [part, answer] of answers) {
    if (E.isLeft(answer) && (there.length === 0 || !isAbsent(answer.left)))
      return E.left(isAbsent(answer.left) ? ofWhole(part, answer.left) : named(part, answer.left, reasons));
  }
  return E.right(there);
};

/** Asks one partition after the other. Returns the first failure, with its partition, if there is one. */
export const inTurn = async <A>(
  parts: readonly string[],
  ask: (part: string) => Promise<Result<A>>,
): Promise<Result<readonly A[]>> => {
  const answers: A[] = [];
  let missing: Result<never> | null = null;
  for (const part of parts) {
    const answer = await ask(part);
    if (E.isRight(answer)) answers.push(answer.right);
    else if (!isAbsent(answer.left)) return E.left(named(part, answer.left));
    else missing = E.left(ofWhole(part, answer.left));
  }
  return answers.length === 0 && missing !== null ? missing : E.right(answers);
};
