import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import {
  CLUSTER_HABITS,
  CRON_RUNS_PER_HOUR,
  clusterLoadAt,
  outsideCaller,
  pipelineCaller,
  podCaller,
  SITTINGS_PER_HOUR,
  sitDown,
  staffCaller,
} from '../activity/cluster/clients.js';
import { staysAtWork } from '../activity/cluster/clusterMinute.js';
import type { ClusterCaller } from '../activity/cluster/clusterUser.js';
import { PROBE_AGENTS, probeApi, tourSecrets } from '../activity/cluster/doings.js';
import {
  CLUSTER_JOBS,
  clusterEstateOf,
  OPERATORS,
  STAFF_AGENTS,
  someWorkload,
} from '../activity/cluster/estate.js';
import { type ClusterScene, runCronJob, shellOnNode } from '../activity/cluster/pods.js';
import { type ClusterStep, ClusterWriter, clusterAct } from '../activity/cluster/steps.js';
import { weighted } from '../draw.js';
import type { Person } from '../population/entities.js';
import { scannerNumber } from '../population/population.js';
import type { CampaignScene, Recipe } from './scene.js';

/** Within so much time an intruder begins what a campaign consists of: no shorter than campaigns are apart, so that the time tells nothing. */
const BUSY = 20 * MICROS_PER_MINUTE;
/** What an intruder does, relative to all that others do in that time. */
const SHARE_OF_ALL = 0.07;
/** Share of the calls of a campaign that are aimed at something; the others are what the stolen tokens are for. */
const AIMED_SHARE = 0.25;
/** People who are asked for to learn how many are at work. */
const ASKED = 48;

type Aim = readonly [phase: string, technique: string];

/** Does something at some time of the campaign. Returns its calls. */
const begun = (
  scene: CampaignScene,
  write: (writer: ClusterWriter, at: ClusterScene) => void,
  person: Person | null = null,
): readonly ClusterStep[] => {
  const { world, own, from } = scene;
  const at: Micros = from + Math.floor(own.next() * BUSY);
  const writer = new ClusterWriter(own, at, person);
  write(writer, { world, cluster: clusterEstateOf(world), own, at });
  return writer.steps;
};

const play = (
  { world, step }: CampaignScene,
  steps: readonly ClusterStep[],
  aimOf: (one: ClusterStep) => Aim,
): void => {
  const [host = null] = clusterEstateOf(world).nodes;
  for (const one of steps) step(...aimOf(one), clusterAct(host, one));
};

const isEngineer = ({ is_engineer }: Person): boolean => is_engineer;

/** Somebody who is at work, with the program that they use. Null when nobody is. */
const somebodyAtWork = (
  { somebody, planOf }: CampaignScene,
  isOfSort: (person: Person) => boolean = isEngineer,
): Person | null => {
  const person = somebody(isOfSort);
  return planOf(person) === null ? null : person;
};

/** What tokens of programs, nodes and people are used for in the shares of that hour. Returns how many calls it took. */
const blendIn = (scene: CampaignScene, aim: Aim): number => {
  const { world, own, from } = scene;
  const { size, person } = world.population;
  const { scale } = clusterEstateOf(world);
  const asked = Array.from({ length: ASKED }, (_, index) => person(Math.floor((index * size) / ASKED)));
  const atWork = asked.filter((one) => staysAtWork(world, one, from)).length / ASKED;
  type Doing = (scene: CampaignScene) => readonly ClusterStep[];
  const rows: (readonly [weight: number, doing: Doing])[] = CLUSTER_HABITS.map(({ perHour, load, write }) => [
    perHour * scale * clusterLoadAt(load, world, from),
    (one) => begun(one, write),
  ]);
  const job: Doing = (one) =>
    begun(one, (writer, at) => {
      const [row] = own.pick(CLUSTER_JOBS);
      runCronJob(writer, at, row);
    });
  const sitting: Doing = (one) => {
    const who = somebodyAtWork(one);
    return begun(
      one,
      (writer, at) => {
        const caller = who === null ? null : staffCaller(at, who);
        if (who !== null && caller !== null) sitDown(writer, at, caller, who);
      },
      who,
    );
  };
  rows.push([CRON_RUNS_PER_HOUR, job], [size * SITTINGS_PER_HOUR * atWork, sitting]);
  const all = rows.reduce((sum, [weight]) => sum + weight, 0);
  const doingAt = weighted(rows);
  const count = Math.round(((all * BUSY) / (60 * MICROS_PER_MINUTE)) * SHARE_OF_ALL);
  let calls = 0;
  // Drawn one from each part of the whole, so that a campaign has the shares of the hour.
  for (let index = 0; index < count; index++) {
    const steps = doingAt((index + own.next()) / count)(scene);
    play(scene, steps, () => aim);
    calls += steps.length;
  }
  return calls;
};

/** Goes on with what the attack is about until it is a share of the campaign. */
const aimed = (blended: number, write: () => number): void => {
  const wanted = (blended * AIMED_SHARE) / (1 - AIMED_SHARE);
  for (let done = 0; done < wanted; ) done += write();
};

/** A token that was stolen: of a program, mostly used from outside of its node, or of somebody at work. */
const stolenToken = (scene: CampaignScene, at: ClusterScene): ClusterCaller => {
  const { own } = scene;
  const one = someWorkload(own.next());
  const who = own.chance(0.25) ? somebodyAtWork(scene) : null;
  const person = who === null ? null : staffCaller(at, who);
  return person ?? (own.chance(0.4) ? podCaller(at, one) : outsideCaller(at, one));
};

/** Says what of a look at secrets is which step. Returns how many calls it took. */
const playTour = (scene: CampaignScene, steps: readonly ClusterStep[]): number => {
  play(scene, steps, ({ call }) =>
    call.resource === 'secrets' ? ['collect', 'T1552.007'] : ['look', 'T1613'],
  );
  return steps.length;
};

const tour = (scene: CampaignScene, callerOf: (at: ClusterScene) => ClusterCaller): number =>
  playTour(
    scene,
    begun(scene, (writer, at) => tourSecrets(writer, at, callerOf(at), 1.5)),
  );

/** Somebody with the account of a person, from when on and where. */
export interface ClusterThief {
  readonly person: Person;
  readonly ip: string;
  readonly at: Micros;
}

/** A thief begins to look at the cluster within so much time. */
const SETTLING = 8 * MICROS_PER_MINUTE;

/** With accounts of people from elsewhere, secrets are read, and tokens of programs are used that were among them. */
export const useClusterAs = (scene: CampaignScene, thieves: readonly ClusterThief[]): void => {
  const { world, own } = scene;
  const cluster = clusterEstateOf(world);
  aimed(blendIn(scene, ['use', 'T1078.004']), () => {
    const thief = own.chance(0.5) ? own.pick(thieves) : null;
    if (thief === null) return tour(scene, (at) => stolenToken(scene, at));
    const { person, ip } = thief;
    const from = thief.at + Math.floor(own.next() * SETTLING);
    const caller = { user: cluster.staff(person), agent: own.pick(STAFF_AGENTS), ip, pod: null, node: null };
    const writer = new ClusterWriter(own, from, person);
    tourSecrets(writer, { world, cluster, own, at: from }, caller, 3);
    return playTour(scene, writer.steps);
  });
};

/** The token of somebody who may make pods that have their node in their hands. */
const mightyToken = (scene: CampaignScene, at: ClusterScene): ClusterCaller => {
  const { own } = scene;
  const who = own.chance(0.35) ? somebodyAtWork(scene, ({ is_admin }) => is_admin) : null;
  const person = who === null ? null : staffCaller(at, who);
  return person ?? (own.chance(0.5) ? pipelineCaller(at) : podCaller(at, OPERATORS.maintenance));
};

/** Attacks on the cluster. All of their calls are such that normal traffic has, too. */
export const CLUSTER_RECIPES = {
  secret_theft: {
    summary:
      'Tokens of programs and people, some of them used from outside the cluster, ask what they may do, list secrets and read them one by one, in between what they are for.',
    acts: ['use_cluster'],
    write: (scene) => {
      aimed(blendIn(scene, ['use', 'T1528']), () => tour(scene, (at) => stolenToken(scene, at)));
    },
  },
  privileged_pod: {
    summary:
      'Stolen tokens make privileged pods with the files of their node, open shells in them and delete them, in between what they are for.',
    acts: ['use_cluster'],
    write: (scene) => {
      const blended = blendIn(scene, ['use', 'T1078.004']);
      aimed(blended, () => {
        let caller: ClusterCaller | null = null;
        const steps = begun(scene, (writer, at) => {
          caller = mightyToken(scene, at);
          shellOnNode(writer, at, caller, scene.own.integer(2, 6), 5);
        });
        play(scene, steps, (one) =>
          one.caller !== caller
            ? ['run', 'T1610']
            : one.call.subresource === 'exec'
              ? ['escape', 'T1611']
              : ['deploy', 'T1610'],
        );
        return steps.length;
      });
    },
  },
  anonymous_scan: {
    summary:
      'From nodes, servers and outside, known paths of the API server are tried without a token and with guessed ones; from the same nodes, stolen tokens are used for what they are for.',
    acts: ['use_cluster'],
    write: (scene) => {
      const { world, own } = scene;
      const blended = blendIn(scene, ['use', 'T1078.004']);
      aimed(blended, () => {
        const { nodes } = clusterEstateOf(world);
        const ip = own.chance(0.5)
          ? world.population.outsider(scannerNumber(own)).ip
          : own.pick([...nodes, ...world.population.serversOf('build_server')]).ip;
        const steps = begun(scene, (writer, at) =>
          probeApi(writer, at, ip, own.pick(PROBE_AGENTS), own.integer(4, 14), 2),
        );
        play(scene, steps, ({ code }) => (code === 401 ? ['guess', 'T1110.001'] : ['scan', 'T1613']));
        return steps.length;
      });
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
