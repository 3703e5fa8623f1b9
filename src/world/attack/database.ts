import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import {
  addressOfProgram,
  clientOf,
  connect,
  DATABASE_PROGRAMS,
  type DatabaseClient,
  type DatabaseProgram,
  loadAt,
  SITE_PROGRAMS,
} from '../activity/database/clients.js';
import { refuse } from '../activity/database/databaseMinute.js';
import { INJECTED, INJECTED_READS } from '../activity/database/faults.js';
import {
  type AimedWork,
  connectionSteps,
  type DatabaseStep,
  stepAct,
} from '../activity/database/sessions.js';
import { type DatabaseLine, STATEMENTS } from '../activity/database/statements.js';
import { weighted } from '../draw.js';
import type { Person } from '../population/entities.js';
import { begin, type CampaignScene, type Recipe } from './scene.js';

/** Within so much time an intruder begins the connections of a campaign. */
const BUSY = 8 * MICROS_PER_MINUTE;

type Aim = readonly [phase: string, technique: string];

/** Says what belongs to the attack: lines of what is aimed at something, and those of all else. */
const play = (
  { world, step }: CampaignScene,
  steps: readonly DatabaseStep[],
  aimOf: (line: DatabaseLine) => Aim,
): void => {
  const [host = null] = world.population.serversOf('database_server');
  for (const one of steps) {
    const [phase, technique] = aimOf(one.line);
    step(phase, technique, stepAct(host, one));
  }
};

/** As many programs as normal traffic has connections of them at that time, in the same shares. */
const programsAt = (
  { world, own, from }: CampaignScene,
  programs: readonly DatabaseProgram[],
  count: number,
): readonly DatabaseProgram[] => {
  const programOf = weighted(
    programs.map((program) => [connectionsPerHour(program) * loadAt(program, world, from), program] as const),
  );
  return Array.from({ length: count }, (_, index) => programOf((index + own.next()) / count));
};

const connectionsPerHour = ({ perHour, schedule }: DatabaseProgram): number =>
  schedule === null ? perHour : 60 / schedule[0];

const addressOfPerson = ({ world, from }: CampaignScene, person: Person): string =>
  world.addressOf(person, from)?.ip ?? person.workstation.ip;

/** A time within the campaign. */
const sometime = (scene: CampaignScene): Micros => begin(scene) + Math.floor(scene.own.next() * BUSY);

/** Attacks on the database. All of their lines are such that normal traffic has, too. */
export const DATABASE_RECIPES = {
  sql_injection: {
    summary:
      'SQL in requests of the site reaches five services; in between it their usual statements, at last it reads other tables.',
    acts: ['use_database'],
    write: (scene) => {
      const { world, own } = scene;
      const found = new Set<DatabaseLine>([...INJECTED, ...INJECTED_READS]);
      const reads = new Set<DatabaseLine>(INJECTED_READS);
      for (const program of programsAt(scene, SITE_PROGRAMS, 42)) {
        const at = sometime(scene);
        const aimed: AimedWork = {
          share: 0.3,
          line: (drawn) => drawn.pick(at - scene.from > BUSY / 2 ? INJECTED_READS : INJECTED),
        };
        const connection = connect(own, program, addressOfProgram(world, own, program), at);
        play(scene, connectionSteps(own, connection, program, null, aimed), (line) =>
          reads.has(line)
            ? ['collect', 'T1213.006']
            : found.has(line)
              ? ['inject', 'T1190']
              : ['use', 'T1190'],
        );
      }
    },
  },
  database_brute_force: {
    summary:
      'From ten servers and workstations, some passwords of an account each; then each uses the database as the program of that account.',
    acts: ['use_database'],
    write: (scene) => {
      const { world, own, somebody } = scene;
      const { catalog } = STATEMENTS.shop;
      const roles = new Set(catalog);
      for (const [index, program] of programsAt(scene, DATABASE_PROGRAMS, 40).entries()) {
        let at = sometime(scene);
        const ip = own.chance(0.2)
          ? addressOfPerson(scene, somebody())
          : addressOfProgram(world, own, own.pick(DATABASE_PROGRAMS));
        if (index % 4 === 0)
          for (let tries = own.integer(4, 6); tries > 0; tries--)
            at = refuse(own, program, ip, at, (steps) => play(scene, steps, () => ['guess', 'T1110.001']));
        const aimed: AimedWork = { share: 0.08, line: (drawn) => drawn.pick(catalog) };
        const steps = connectionSteps(own, connect(own, program, ip, at), program, null, aimed);
        play(scene, steps, (line) => (roles.has(line) ? ['look', 'T1087'] : ['use', 'T1078']));
      }
    },
  },
  table_theft: {
    summary:
      'With accounts of programs and of three people, tables are copied one after another, in between the usual statements.',
    acts: ['use_database'],
    write: (scene) => {
      const { world, own, somebody } = scene;
      const copies = new Set(Object.values(STATEMENTS).flatMap((book) => book.copies));
      const use = (client: DatabaseClient, ip: string, person: Person | null): void => {
        const book = STATEMENTS[client.database];
        const aimed: AimedWork = { share: 0.26, line: (drawn) => drawn.pick(book.copies) };
        const connection = connect(own, client, ip, sometime(scene));
        play(scene, connectionSteps(own, connection, client, person, aimed), (line) =>
          copies.has(line) ? ['collect', 'T1213.006'] : ['use', 'T1078'],
        );
      };
      for (const program of programsAt(scene, DATABASE_PROGRAMS, 36))
        use(program, addressOfProgram(world, own, program), null);
      for (let people = 3; people > 0; people--) {
        const person = somebody((one) => clientOf(one) !== null);
        const client = clientOf(person);
        const ip = addressOfPerson(scene, person);
        if (client !== null) use(client, ip, person);
      }
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
