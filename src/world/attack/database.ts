import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { addressOfProgram, connectToDatabase, loadAt } from '../activity/database/clients.js';
import { refuseLogin, USUAL_PEOPLE } from '../activity/database/databaseMinute.js';
import { INJECTED, INJECTED_READS } from '../activity/database/faults.js';
import {
  DATABASE_PROGRAMS,
  type DatabaseClient,
  type DatabaseProgram,
  databaseClientOf,
  SITE_PROGRAMS,
} from '../activity/database/programs.js';
import {
  type AimedWork,
  connectionSteps,
  type DatabaseStep,
  stepAct,
} from '../activity/database/sessions.js';
import { type DatabaseLine, STATEMENTS } from '../activity/database/statements.js';
import { weighted } from '../draw.js';
import type { Person } from '../population/entities.js';
import type { CampaignScene, Recipe } from './scene.js';

/** Within so much time an intruder begins the connections of a campaign: no shorter than campaigns are apart, so that the time tells nothing. */
const BUSY = 20 * MICROS_PER_MINUTE;

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

/** At night, and in a small organization, an intruder uses fewer connections, as others do. */
const LEAST_SHARE = 0.35;
const LEAST_SIZE = 0.25;

/** Programs of connections in the shares that normal traffic has at that time: at most so many. */
const programsAt = ({ world, own, from }: CampaignScene, atMost: number): readonly DatabaseProgram[] => {
  const size = world.population.size / USUAL_PEOPLE;
  const rows = DATABASE_PROGRAMS.map((program) => {
    const { perHour, schedule } = program;
    const connections = schedule === null ? perHour * size * loadAt(program, world, from) : 60 / schedule[0];
    return [connections, program] as const;
  });
  const programOf = weighted(rows);
  const load = loadAt(SITE_PROGRAMS[0] as DatabaseProgram, world, from);
  const most = Math.min(1, Math.max(LEAST_SIZE, size)) * atMost;
  const count = Math.round(most * (LEAST_SHARE + (1 - LEAST_SHARE) * load));
  return Array.from({ length: count }, (_, index) => programOf((index + own.next()) / count));
};

const usesDatabase = (person: Person): boolean => databaseClientOf(person) !== null;
const addressOfPerson = ({ world, from }: CampaignScene, person: Person): string =>
  world.addressOf(person, from)?.ip ?? person.workstation.ip;

/** A time within the campaign. */
const sometime = ({ from, own }: CampaignScene): Micros => from + Math.floor(own.next() * BUSY);

/** Attacks on the database. All of their lines are such that normal traffic has, too. */
export const DATABASE_RECIPES = {
  sql_injection: {
    summary:
      'SQL in requests of the site reaches five services, at last it reads other tables; in between are usual statements, of jobs that follow, too.',
    acts: ['use_database'],
    write: (scene) => {
      const { world, own } = scene;
      const found = new Set<DatabaseLine>([...INJECTED, ...INJECTED_READS]);
      const reads = new Set<DatabaseLine>(INJECTED_READS);
      for (const [turn, program] of programsAt(scene, 110).entries()) {
        const isReached = SITE_PROGRAMS.includes(program);
        const at = sometime(scene);
        const aimed: AimedWork = {
          share: 0.3,
          line: (drawn) => drawn.pick(at - scene.from > BUSY / 2 ? INJECTED_READS : INJECTED),
        };
        const connection = connectToDatabase(own, program, addressOfProgram(world, program, turn), at);
        play(scene, connectionSteps(own, connection, program, null, isReached ? aimed : null), (line) =>
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
      'From some ten servers and workstations, passwords of an account each; then accounts of programs are used from elsewhere.',
    acts: ['use_database'],
    write: (scene) => {
      const { world, own, somebody } = scene;
      const { catalog } = STATEMENTS.shop;
      const roles = new Set(catalog);
      const programs = programsAt(scene, 100);
      const first = own.integer(0, programs.length - 1);
      for (const [turn, program] of programs.entries()) {
        let at = sometime(scene);
        // What runs by a schedule runs where it does: some such programs have one server only.
        const other = programs[(first + turn) % programs.length] as DatabaseProgram;
        const elsewhere = program.schedule === null ? other : program;
        const ip = own.chance(0.12)
          ? addressOfPerson(scene, somebody(usesDatabase))
          : addressOfProgram(world, elsewhere, turn);
        if (turn % 6 === 0)
          for (let tries = own.integer(4, 6); tries > 0; tries--)
            at = refuseLogin(own, program, ip, at, (steps) =>
              play(scene, steps, () => ['guess', 'T1110.001']),
            );
        const aimed: AimedWork = { share: 0.08, line: (drawn) => drawn.pick(catalog) };
        const steps = connectionSteps(own, connectToDatabase(own, program, ip, at), program, null, aimed);
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
        const connection = connectToDatabase(own, client, ip, sometime(scene));
        play(scene, connectionSteps(own, connection, client, person, aimed), (line) =>
          copies.has(line) ? ['collect', 'T1213.006'] : ['use', 'T1078'],
        );
      };
      for (const [turn, program] of programsAt(scene, 100).entries())
        use(program, addressOfProgram(world, program, turn), null);
      for (let people = 3; people > 0; people--) {
        const person = somebody(usesDatabase);
        const client = databaseClientOf(person);
        const ip = addressOfPerson(scene, person);
        if (client !== null) use(client, ip, person);
      }
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
