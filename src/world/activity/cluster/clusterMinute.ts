import {
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  type Micros,
} from '../../../domain/time/micros.js';
import type { Person } from '../../population/entities.js';
import type { Scribe, Surroundings } from '../scribe.js';
import { type AddSteps, eachOfStaff, STRETCH, STRETCH_MINUTES, stepsByMinute } from '../stretches.js';
import { CLUSTER_HABITS, clusterLoadAt, SITTINGS_PER_HOUR, sitDown, staffCaller } from './clients.js';
import { CLUSTER_JOBS, clusterEstateOf } from './estate.js';
import { type ClusterScene, runCronJob } from './pods.js';
import { type ClusterStep, ClusterWriter, clusterAct, MAX_CLUSTER_WORK } from './steps.js';

/** Purposes of draws of the cluster. */
const WHY = { staff: 542, count: 543, clock: 544, habit: 550 } as const;

/** Sittings of people at work, from their own computers. */
const staffStretch = (
  world: Surroundings,
  stretch: number,
  from: Micros,
  add: AddSteps<ClusterStep>,
): void => {
  const cluster = clusterEstateOf(world);
  eachOfStaff(world, WHY.staff, SITTINGS_PER_HOUR, stretch, from, (own, at, who) => {
    if (!staysAtWork(world, who, at)) return;
    const scene: ClusterScene = { world, cluster, own, at };
    const caller = staffCaller(scene, who);
    if (caller === null) return;
    const writer = new ClusterWriter(own, at, who);
    sitDown(writer, scene, caller, who);
    add(writer.steps);
  });
};

/** Whether an engineer works from now until whatever is begun now is over. */
export const staysAtWork = (world: Surroundings, who: Person, at: Micros): boolean => {
  if (!who.is_engineer) return false;
  const span = world.planAt(who, at)?.span;
  return span !== undefined && at >= span[0] && at <= span[1] - MAX_CLUSTER_WORK;
};

/** What programs do that begins in a stretch. */
const programStretch = (
  world: Surroundings,
  stretch: number,
  from: Micros,
  add: AddSteps<ClusterStep>,
): void => {
  const cluster = clusterEstateOf(world);
  const hours = STRETCH / MICROS_PER_HOUR;
  const counts = world.draws.of(0, stretch, WHY.count);
  for (const [row, { perHour, load, write }] of CLUSTER_HABITS.entries())
    for (let index = 0, count = counts.poisson(perHour * cluster.scale * hours); index < count; index++) {
      const own = world.draws.of(index, stretch, WHY.habit + row);
      const at = from + Math.floor(own.next() * STRETCH);
      if (load !== 'steady' && own.next() >= clusterLoadAt(load, world, at)) continue;
      const writer = new ClusterWriter(own, at);
      write(writer, { world, cluster, own, at });
      add(writer.steps);
    }
  const first = from / MICROS_PER_MINUTE;
  for (const [row, [job, every, after]] of CLUSTER_JOBS.entries())
    for (let minute = first; minute < first + STRETCH_MINUTES; minute++) {
      if ((minute - after) % every !== 0) continue;
      const own = world.draws.of(row, minute, WHY.clock);
      const at = minute * MICROS_PER_MINUTE + Math.round(own.exponential(0.2) * MICROS_PER_SECOND);
      const writer = new ClusterWriter(own, at);
      runCronJob(writer, { world, cluster, own, at }, job);
      add(writer.steps);
    }
};

/** The cluster of the organization. The function writes the calls of a minute; with `isStaffOnly`, those of people, whose numbers come first. */
export const clusterMinutes = (
  world: Surroundings,
): ((scribe: Scribe, from: Micros, isStaffOnly: boolean) => void) => {
  const staff = stepsByMinute<ClusterStep>(MAX_CLUSTER_WORK, (...given) => staffStretch(world, ...given));
  const programs = stepsByMinute<ClusterStep>(MAX_CLUSTER_WORK, (...given) =>
    programStretch(world, ...given),
  );
  return (scribe, from, isStaffOnly) => {
    if (!scribe.isWanted('use_cluster')) return;
    scribe.from('cluster');
    const [host = null] = clusterEstateOf(world).nodes;
    const minute = from / MICROS_PER_MINUTE;
    for (const of of isStaffOnly ? [staff] : [staff, programs])
      of(minute, (step) => scribe.act(clusterAct(host, step)));
  };
};
