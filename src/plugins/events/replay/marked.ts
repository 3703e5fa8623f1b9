import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../domain/events/eventBatch.js';
import type { ProduceRequest } from '../../kit.js';
import type { Marker } from '../shared/marker.js';
import type { Run } from './run.js';
import { type LineProblems, type Taken, takeLines } from './take.js';

/** Told of a line that cannot carry a mark, by its number in the run, from 0. */
export interface MarkProblem {
  readonly onUnmarkable: (line: number, reason: string) => void;
}

/** As `takeLines`, with a mark on every line; bytes become texts on the way. */
export const takeMarked =
  (marker: Marker) =>
  (run: Run, request: ProduceRequest, problems: LineProblems & MarkProblem): Taken => {
    const first = run.used;
    /** Lines without event: the others pair with their timestamps by place. */
    const undecodable = new Set<number>();
    const taken = takeLines(run, request, {
      ...problems,
      onUndecodable: (line) => {
        undecodable.add(line);
        problems.onUndecodable(line);
      },
    });
    const events: string[] = [];
    let { failed } = taken;
    let line = first;
    for (const event of taken.events.texts()) {
      while (undecodable.has(line)) line++;
      const micros = request.micros[request.from + line - first] as number;
      const marked = marker.mark(event, micros);
      if (E.isRight(marked)) events.push(marked.right);
      else {
        failed++;
        problems.onUnmarkable(line, marked.left);
      }
      line++;
    }
    taken.events.release?.();
    return { consumed: taken.consumed, events: textBatch(events), failed };
  };
