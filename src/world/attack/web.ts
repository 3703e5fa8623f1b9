import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { humanGap } from '../activity/gaps.js';
import { customersFacts, exportFacts, PROGRAM_VISITS, partnerVisit } from '../activity/web/programs.js';
import {
  backupFacts,
  bareStep,
  customerName,
  holeFacts,
  loginFacts,
  ordersFacts,
  stepActs,
} from '../activity/web/requests.js';
import { HOLES } from '../activity/web/shop.js';
import { browserVisit, drivenVisit } from '../activity/web/visitors.js';
import { programsForVisit } from '../activity/web/webMinute.js';
import type { WebVisit } from '../activity/web/webVisit.js';
import type { InternetAccess } from '../population/entities.js';
import { scannerNumber } from '../population/population.js';
import { begin, type CampaignScene, type Recipe } from './scene.js';

/** Within so much time the tool of an intruder begins its visits. */
const BUSY = 9 * MICROS_PER_MINUTE;

type Aim = readonly [phase: string, technique: string];

const someAccess = ({ world, own }: CampaignScene): InternetAccess =>
  world.population.outsider(scannerNumber(own));

/** Visits of the shop by browsers that a tool drives. Returns when it does something else in between, in order. */
const browse = (
  scene: CampaignScene,
  [phase, technique]: Aim,
  visits: number,
  access: InternetAccess,
): readonly (readonly [at: Micros, visit: WebVisit])[] => {
  const { world, own, step } = scene;
  const all: (readonly [Micros, WebVisit])[] = [];
  for (let index = 0; index < visits; index++) {
    const from = begin(scene) + Math.floor(own.next() * BUSY);
    const visit = browserVisit(world, own, from, access);
    const { steps, between } = drivenVisit(world, own, visit, from);
    for (const one of steps) stepActs(world, one, (act) => step(phase, technique, act));
    for (const at of between) all.push([at, visit]);
  }
  return all.sort(([one], [other]) => one - other);
};

/** Visits of programs, as many as come with so many of browsers at that time. */
const blendInVisits = (scene: CampaignScene, [phase, technique]: Aim, visits: number): void => {
  const { world, own, step, from } = scene;
  const longitude = world.population.sites[0]?.longitude ?? 0;
  for (const [row, each] of programsForVisit(longitude, from).entries())
    for (let count = own.poisson(visits * each); count > 0; count--) {
      const at = begin(scene) + Math.floor(own.next() * BUSY);
      for (const one of PROGRAM_VISITS[row]?.steps(world, own, at) ?? [])
        stepActs(world, one, (act) => step(phase, technique, act));
    }
};

/** Attacks on the web site. All of their steps are requests that others make, too. */
export const WEB_RECIPES = {
  scan: {
    summary:
      'From three addresses, some 40 vulnerable paths each, in between pages of the shop; then a backup is found and downloaded.',
    acts: ['request_web'],
    write: (scene) => {
      const { world, own, step } = scene;
      for (let scanners = 3; scanners > 0; scanners--) {
        const first = own.integer(0, HOLES.length - 1);
        let last: readonly [Micros, WebVisit] | null = null;
        for (const [index, [at, visit]] of browse(
          scene,
          ['scan', 'T1595.003'],
          12,
          someAccess(scene),
        ).entries()) {
          const hole = HOLES[(first + index) % HOLES.length] as (typeof HOLES)[number];
          const facts = holeFacts(world, own, visit, hole);
          stepActs(world, bareStep(at, facts), (act) => step('scan', 'T1595.003', act));
          last = [at, visit];
        }
        if (last === null) continue;
        const [at, visit] = last;
        for (let count = own.integer(1, 2), when = at; count > 0; count--) {
          when += humanGap(own);
          const facts = backupFacts(world, own, visit);
          stepActs(world, bareStep(when, facts), (act) => step('download', 'T1530', act));
        }
      }
      blendInVisits(scene, ['scan', 'T1595.003'], 36);
    },
  },
  credential_stuffing: {
    summary:
      'From 44 addresses, some 150 passwords of other sites, each of another customer, in between pages of the shop; few are right.',
    acts: ['request_web'],
    write: (scene) => {
      const { world, own, step } = scene;
      for (let addresses = 44; addresses > 0; addresses--)
        for (const [at, visit] of browse(scene, ['guess', 'T1110.004'], 1, someAccess(scene))) {
          const account = customerName(own);
          const facts = loginFacts(world, own, visit, account, 0.03);
          stepActs(world, bareStep(at, facts), (act) => step('guess', 'T1110.004', act));
          if (facts['status'] !== 302) continue;
          const orders = ordersFacts(world, own, visit, account);
          stepActs(world, bareStep(at + humanGap(own), orders), (act) => step('look', 'T1078', act));
        }
      blendInVisits(scene, ['guess', 'T1110.004'], 44);
    },
  },
  customer_theft: {
    summary:
      'With the keys of three partners, the list of customers is read page by page over the API from other addresses, then exported.',
    acts: ['request_web'],
    write: (scene) => {
      const { world, own, step, from } = scene;
      for (let partners = 3; partners > 0; partners--) {
        const access = someAccess(scene);
        const program = partnerVisit(world, own, from, ({ plan }) => plan === 'partner', access);
        let last = from;
        let page = own.integer(1, 30);
        for (const [at] of browse(scene, ['look', 'T1594'], 12, access)) {
          const facts = customersFacts(world, own, program, page++);
          stepActs(world, bareStep(at, facts), (act) => step('collect', 'T1119', act));
          last = at;
        }
        const facts = exportFacts(world, own, program, 'customers');
        stepActs(world, bareStep(last + humanGap(own), facts), (act) => step('collect', 'T1567', act));
      }
      blendInVisits(scene, ['look', 'T1594'], 36);
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
