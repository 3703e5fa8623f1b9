import { MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import { jobOf, SENSITIVE_BUCKETS } from '../activity/cloud/calls.js';
import { type CloudPace, cloudFacts, shellPrincipal } from '../activity/cloud/minute.js';
import {
  type CloudClient,
  type CloudPrincipal,
  type CloudWork,
  consoleBegin,
  consoleClient,
  consoleSession,
  estateOf,
  toolClient,
  toolUserAt,
} from '../activity/cloud/principals.js';
import { gap, humanGap } from '../activity/gaps.js';
import type { Visitor } from '../activity/signOn.js';
import { clientElsewhere } from '../activity/visits.js';
import type { InternetAccess, Person } from '../population/entities.js';
import { accessAbroad } from '../population/population.js';
import { type ClusterThief, useClusterAs } from './cluster.js';
import { begin, type CampaignScene, isManned, type Recipe } from './scene.js';
import { guessAndEnter } from './signOn.js';

/** A key or session that an intruder has, and the program with which it is used. */
interface Loot {
  readonly person: Person | null;
  readonly principal: CloudPrincipal;
  readonly client: CloudClient;
  readonly work: CloudWork;
  readonly pace: CloudPace;
}

/** Places of intruders are those from which people work abroad. */
const somewhere = ({ world, own }: CampaignScene): InternetAccess => accessAbroad(world, own);

const ofMachine = (scene: CampaignScene): Loot => {
  const { world, own, from } = scene;
  const estate = estateOf(world);
  const machine = own.pick(estate.machines);
  const { principal } = estate.sessionAt(machine, from);
  const client = { ...machine.client, access: somewhere(scene) };
  return { person: null, principal, client, work: machine.role.work, pace: 'machine' };
};

/** Share of the sessions of people that are used while their owners sleep: few are open then. */
const AT_NIGHT = 0.15;

/** Whether a session of a person is open, as often as people are at work at that time: by day, always. */
type IsOpen = () => boolean;

const openAt = (scene: CampaignScene): IsOpen => {
  const isThere = isManned(scene);
  return () => isThere() || scene.own.chance(AT_NIGHT);
};

/** The key of a tool of the organization stays the same for years. */
const ofTool = (scene: CampaignScene): Loot => {
  const { world, own } = scene;
  const [name, tool] = toolUserAt(own.next());
  const principal = estateOf(world).user(name);
  return { person: null, principal, client: toolClient(somewhere(scene), tool), work: 'tool', pace: 'tool' };
};

const ofEngineer = (scene: CampaignScene, isOpen: IsOpen): Loot => {
  const { world, own, from, somebody } = scene;
  if (!isOpen()) return ofMachine(scene);
  const person = somebody(({ is_engineer }) => is_engineer);
  const { principal, work } = shellPrincipal(world, own, person, from);
  return { person, principal, client: toolClient(somewhere(scene), own.integer(0, 3)), work, pace: 'shell' };
};

const ofConsole = (scene: CampaignScene, isOpen: IsOpen): Loot => {
  const { world, from, somebody } = scene;
  if (!isOpen()) return ofMachine(scene);
  const person = somebody();
  const principal = consoleSession(world, person, from);
  const client = consoleClient(somewhere(scene), person.user_agent);
  return { person, principal, client, work: principal.role?.work ?? 'reader', pace: 'console' };
};

/** How many sessions and keys of whom. */
type Haul = Readonly<Record<'machines' | 'tools' | 'engineers' | 'consoles', number>>;

const SIXTEEN: Haul = { machines: 12, tools: 2, engineers: 1, consoles: 1 };

/** What the account has most of is stolen most: sessions of machines, then keys of tools and sessions of engineers. */
const stolen = (
  scene: CampaignScene,
  { machines, tools, engineers, consoles }: Haul,
  isOpen: IsOpen = openAt(scene),
): readonly Loot[] => [
  ...Array.from({ length: machines }, () => ofMachine(scene)),
  ...Array.from({ length: tools }, () => ofTool(scene)),
  ...Array.from({ length: engineers }, () => ofEngineer(scene, isOpen)),
  ...Array.from({ length: consoles }, () => ofConsole(scene, isOpen)),
];

/** Calls that belong to a step of an attack. */
interface Phase {
  readonly phase: string;
  readonly technique: string;
  readonly bucket?: string;
  readonly target?: string;
}

const LOOK: Phase = { phase: 'look', technique: 'T1087.004' };

const call = (
  { own, step }: CampaignScene,
  { person, principal, client, pace }: Loot,
  at: Micros,
  calls: readonly string[],
  { phase, technique, ...about }: Phase,
): void => {
  const facts = { ...cloudFacts(own, principal, client, calls, pace), ...about };
  step(phase, technique, { kind: 'use_cloud', at, person, host: null, session: null, facts });
};

/** Does what the owner does, so many times, and now and then something else. Returns when the next thing is due. */
const blendIn = (
  scene: CampaignScene,
  loot: Loot,
  from: Micros,
  count: number,
  other: {
    readonly share: number;
    readonly phase: Phase;
    readonly calls: () => readonly string[];
  } | null = null,
): Micros => {
  const { own } = scene;
  let at = from;
  for (let index = 0; index < count; index++) {
    if (other !== null && own.chance(other.share)) call(scene, loot, at, other.calls(), other.phase);
    else call(scene, loot, at, jobOf(own, loot.work), LOOK);
    at += loot.pace === 'machine' ? gap(own, 22, 0.9) : gap(own, 28, 0.8);
  }
  return at;
};

const ENUMERATION = [
  ['sts:GetCallerIdentity', 'iam:GetUser', 'iam:ListAttachedUserPolicies'],
  ['iam:ListUsers', 'iam:ListRoles', 'iam:ListGroups'],
  ['s3:ListBuckets', 's3:GetBucketAcl', 's3:GetBucketPolicy'],
  ['ec2:DescribeInstances', 'ec2:DescribeSecurityGroups', 'ec2:DescribeRegions'],
  ['secretsmanager:ListSecrets', 'secretsmanager:GetSecretValue'],
  ['ssm:DescribeParameters', 'lambda:ListFunctions'],
];
const NEW_USER = ['iam:CreateUser', 'iam:CreateAccessKey', 'iam:AttachUserPolicy', 'iam:CreateLoginProfile'];

const TURNED_OFF: readonly (readonly string[])[] = [
  ['cloudtrail:DescribeTrails', 'cloudtrail:GetTrailStatus', 'cloudtrail:GetEventSelectors'],
  ['config:DescribeConfigurationRecorders', 'guardduty:ListDetectors', 'guardduty:GetDetector'],
  ['config:StopConfigurationRecorder', 'guardduty:UpdateDetector'],
  ['guardduty:DeleteDetector', 'ec2:DeleteFlowLogs'],
  ['cloudtrail:PutEventSelectors', 'cloudtrail:StopLogging', 'cloudtrail:UpdateTrail'],
  ['cloudtrail:DeleteTrail', 'logs:DeleteLogGroup', 's3:DeleteBucketPolicy'],
];

/** Signs in with a guessed password, and opens the console of the cloud. Returns the session there. */
const takeConsole = (scene: CampaignScene): { readonly loot: Loot; readonly at: Micros } => {
  const { world, own, somebody, step } = scene;
  const person = somebody(({ is_engineer }) => is_engineer);
  const client = clientElsewhere(world, own, person, somewhere(scene), false);
  const visitor: Visitor = { person, client, session: own.hex(16), isAdmin: false, isAway: true };
  let at = guessAndEnter(scene, visitor, { tries: [3, 6], opened: [9, 14] }, begin(scene));
  at += humanGap(own);
  const facts = { ...client, application: 'Cloud Console', answer: 'accepted' };
  const { session } = visitor;
  step('enter', 'T1078.004', { person, host: null, session, kind: 'open_application', at, facts });
  const principal = consoleSession(world, person, at);
  const loot: Loot = {
    ...{ person, principal, work: principal.role?.work ?? 'reader', pace: 'console' },
    client: consoleClient(client.access, client.agent),
  };
  return { loot, at: consoleBegin(at) + 20 * MICROS_PER_SECOND };
};

/** Attacks in the cloud. Whoever has a key or a session does what its owner does, and something else besides. */
export const CLOUD_RECIPES = {
  credential_theft: {
    summary:
      'Sixteen stolen keys and sessions are used from new addresses to look through the account; four of them make users with all rights.',
    acts: ['use_cloud'],
    write: (scene) => {
      const { own } = scene;
      for (const [index, loot] of stolen(scene, SIXTEEN).entries()) {
        const at = blendIn(scene, loot, begin(scene), own.integer(6, 9), {
          ...{ share: 0.14, phase: LOOK },
          calls: () => own.pick(ENUMERATION),
        });
        if (index % 4 === 3) call(scene, loot, at, NEW_USER, { phase: 'persist', technique: 'T1136.003' });
      }
    },
  },
  bucket_theft: {
    summary: 'Sixteen stolen keys and sessions read buckets with sensitive files from new addresses.',
    acts: ['use_cloud'],
    write: (scene) => {
      const { own } = scene;
      for (const loot of stolen(scene, SIXTEEN)) {
        const bucket = own.pick(SENSITIVE_BUCKETS);
        blendIn(scene, loot, begin(scene), own.integer(6, 9), {
          ...{ share: 0.16, phase: { phase: 'collect', technique: 'T1530', bucket } },
          calls: () => ['s3:ListObjects', ...Array.from({ length: own.integer(2, 4) }, () => 's3:GetObject')],
        });
      }
    },
  },
  logging_off: {
    summary:
      'With four of sixteen stolen keys and sessions, the recorders of the account are looked at and turned off, the trail last.',
    acts: ['use_cloud'],
    write: (scene) => {
      const { own } = scene;
      for (const [index, loot] of stolen(scene, SIXTEEN).entries()) {
        let at = blendIn(scene, loot, begin(scene), own.integer(7, 10));
        if (index % 4 !== 1) continue;
        for (const calls of TURNED_OFF) {
          call(scene, loot, at, calls, { phase: 'silence', technique: 'T1562.008' });
          at = blendIn(scene, loot, at + humanGap(own), 1);
        }
      }
    },
  },
  cloud_key_theft: {
    summary:
      'Up to three accounts are guessed at the single sign-on; at the console of the cloud, the intruder makes access keys, which are then used from elsewhere. From there the secrets of the cluster are read, too.',
    acts: ['sign_on', 'check_factor', 'open_application', 'use_cloud', 'use_cluster'],
    write: (scene) => {
      const { own, world } = scene;
      const isOpen = openAt(scene);
      const thieves: ClusterThief[] = [];
      for (let accounts = isOpen() ? 3 : 1; accounts > 0; accounts--) {
        const { loot, at } = takeConsole(scene);
        let next = blendIn(scene, loot, at, own.integer(2, 4));
        const name = loot.person?.user ?? '';
        const persist: Phase = { phase: 'persist', technique: 'T1098.001', target: name };
        call(scene, loot, next, ['iam:CreateAccessKey', 'iam:ListAccessKeys'], persist);
        next += humanGap(own) + 30 * MICROS_PER_SECOND;
        const principal = estateOf(world).newKey(name);
        const client = toolClient(somewhere(scene), own.integer(0, 3));
        if (loot.person !== null) thieves.push({ person: loot.person, ip: client.access.ip, at: next });
        blendIn(scene, { ...loot, principal, client, work: 'tool', pace: 'shell' }, next, own.integer(6, 9), {
          ...{ share: 0.2, phase: { phase: 'collect', technique: 'T1530' } },
          calls: () => ['s3:ListObjects', 's3:GetObject', 's3:GetObject'],
        });
      }
      // The same intruder has sessions of machines, whose keys were in a repository.
      for (const loot of stolen(scene, { machines: 9, tools: 0, engineers: 2, consoles: 0 }, isOpen))
        blendIn(scene, loot, begin(scene), own.integer(8, 12));
      useClusterAs(scene, thieves);
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
