import { MICROS_PER_MINUTE, MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import { programFor } from '../activity/endpoint.js';
import { gap } from '../activity/gaps.js';
import type { ActivityFacts } from '../activity/kinds.js';
import { type GivenMail, mailFromOutside, sortsOfMail } from '../activity/mail/inbox.js';
import {
  anyContact,
  businessSender,
  lureDomain,
  lureSender,
  type MailSort,
  mailSubject,
  privateAddress,
  spamDomain,
  spamSender,
} from '../activity/mail/senders.js';
import { pageFacts } from '../activity/nameAddress.js';
import { CHROME, OUTLOOK } from '../activity/people.js';
import { SESSION_BROWSER } from '../activity/programs.js';
import { SUBJECTS } from '../activity/sites.js';
import { weighted } from '../draw.js';
import type { Person } from '../population/entities.js';
import { begin, type CampaignScene, isManned, type Recipe, shareOfPeople } from './scene.js';

/** A campaign is over after so long. */
const SPAN = 12 * MICROS_PER_MINUTE;

type Marked = readonly [phase: string, technique: string];

const anybodyIn = ({ own, world: { population } }: CampaignScene): Person =>
  population.person(own.integer(0, population.size - 1));

const within = (scene: CampaignScene): Micros => begin(scene) + Math.floor(scene.own.next() * SPAN);

/** A message reaches the organization as messages of its sort do. */
const receive = (
  { world, own, step }: CampaignScene,
  [phase, technique]: Marked,
  person: Person,
  at: Micros,
  sort: MailSort,
  given: GivenMail = {},
): void => {
  const facts = mailFromOutside(world, own, sort, given);
  step(phase, technique, { kind: 'receive_mail', at, person, host: null, session: null, facts });
};

/** A mailbox of the organization sends, at the workstation of its person. */
const send = (
  { own, logonOf, planOf, step }: CampaignScene,
  [phase, technique]: Marked,
  person: Person,
  at: Micros,
  letter: { readonly to: string; readonly subject: string; readonly median: number },
): void => {
  const { to, subject, median } = letter;
  const plan = planOf(person);
  const bytes = Math.round(own.lognormal(median, 1.3));
  const facts: ActivityFacts = {
    ...{ to, subject, bytes },
    ...(plan === null ? {} : programFor(plan, at, [OUTLOOK])),
  };
  const base = { person, host: person.workstation, session: logonOf(person) };
  step(phase, technique, { ...base, kind: 'send_mail', at, facts });
};

const open = (
  { world, own, logonOf, planOf, step }: CampaignScene,
  person: Person,
  at: Micros,
  name: string,
): void => {
  const plan = planOf(person);
  if (plan === null || world.addressOf(person, at) === null) return;
  const page = pageFacts(world, own, name, false, [40_000, 1]);
  const facts = { ...page, ...programFor(plan, at, [CHROME, SESSION_BROWSER]) };
  const base = { person, host: person.workstation, session: logonOf(person) };
  step('open', 'T1204.001', { ...base, kind: 'browse', at, facts });
};

const lureVerdict = weighted([
  [66, 'delivered'],
  [14, 'spam'],
  [18, 'rejected'],
  [2, 'virus'],
] as const);
const outbreakVerdict = weighted([
  [10, 'delivered'],
  [36, 'spam'],
  [2, 'virus'],
  [52, 'rejected'],
] as const);

const LURE: Marked = ['lure', 'T1566.002'];
const ANSWER: Marked = ['answer', 'T1598.002'];
const PASS_ON: Marked = ['pass on', 'T1534'];
const FLOOD: Marked = ['flood', 'T1667'];
const BOXES: Marked = ['spread', 'T1586.002'];
const TAKE: Marked = ['take', 'T1048.003'];

const secondsAfter = (scene: CampaignScene, median: number): Micros => gap(scene.own, median, 0.6);

/** Attacks by mail. Each message is one that a gateway sees every day; what tells it is how many are alike. */
export const MAIL_RECIPES = {
  phishing: {
    summary:
      'Five lookalike domains write to 32 to 42 mailboxes, among mail as everybody gets it; some people open the link, answer, or pass it on to colleagues.',
    acts: ['receive_mail', 'send_mail', 'browse'],
    write: (scene) => {
      const { own, world, somebody } = scene;
      const domains = Array.from({ length: 5 }, () => lureDomain(own));
      for (let count = own.integer(32, 42); count > 0; count--) {
        const domain = own.pick(domains);
        const sender = lureSender(world, own, domain);
        const subject = mailSubject(own, 'lure');
        const verdict = lureVerdict(own.next());
        const person = own.chance(0.6) ? somebody() : anybodyIn(scene);
        const at = within(scene);
        receive(scene, LURE, person, at, 'lure', { sender, subject, verdict });
        if (verdict !== 'delivered') continue;
        const read = at + secondsAfter(scene, 90) + 20 * MICROS_PER_SECOND;
        if (own.chance(0.2)) open(scene, person, read, `www.${domain}`);
        if (!own.chance(0.45) || scene.planOf(person) === null) continue;
        send(scene, ANSWER, person, read, { to: sender.from, subject: `Re: ${subject}`, median: 16_000 });
        if (own.chance(0.5)) {
          const letter = { to: anybodyIn(scene).email, subject, median: 16_000 };
          send(scene, PASS_ON, person, read + secondsAfter(scene, 80), letter);
        }
        if (own.chance(0.5)) {
          const reply = { sender, subject: `Re: Re: ${subject}`, verdict: 'delivered' };
          receive(scene, LURE, person, read + secondsAfter(scene, 60), 'business', reply);
        }
      }
      const sortOf = sortsOfMail(shareOfPeople(scene, (person) => scene.planOf(person) !== null));
      for (let count = own.integer(32, 42); count > 0; count--)
        receive(scene, FLOOD, anybodyIn(scene), within(scene), sortOf(own.next()));
    },
  },
  spam_outbreak: {
    summary: 'Many hosts, and mailboxes of the organization that were taken over, send advertisement.',
    acts: ['receive_mail', 'send_mail'],
    write: (scene) => {
      const { own, world, somebody } = scene;
      const domains = Array.from({ length: 5 }, () => spamDomain(own));
      for (let count = own.integer(56, 76); count > 0; count--) {
        const sender = spamSender(world, own, own.pick(domains));
        const verdict = outbreakVerdict(own.next());
        receive(scene, FLOOD, anybodyIn(scene), within(scene), 'spam', { sender, verdict });
      }
      const isSent = isManned(scene);
      for (let count = own.integer(13, 18); count > 0; count--) {
        if (!isSent()) continue;
        const to = own.chance(0.5) ? anybodyIn(scene).email : anyContact(world, own, own.integer(1, 60));
        const subject = own.pick(SUBJECTS);
        send(scene, BOXES, somebody(), within(scene), { to, subject, median: 16_000 });
        if (own.chance(0.6)) receive(scene, BOXES, somebody(), within(scene), 'business');
      }
    },
  },
  mail_theft: {
    summary:
      'Ten mailboxes send documents to private addresses, while newsletters and spam bury what warns their people.',
    acts: ['receive_mail', 'send_mail'],
    write: (scene) => {
      const { own, world, somebody } = scene;
      const isOpen = isManned(scene);
      for (let boxes = 10; boxes > 0; boxes--) {
        const person = somebody();
        const isUsed = isOpen();
        // Newsletters come by day.
        for (let count = own.integer(1, 4); count > 0; count--)
          receive(scene, FLOOD, person, within(scene), own.chance(isUsed ? 0.3 : 0.07) ? 'bulk' : 'spam');
        if (!isUsed) continue;
        const to = privateAddress(own, person.user);
        let at = begin(scene);
        for (let count = own.integer(2, 4); count > 0; count--) {
          at += secondsAfter(scene, 70);
          // What is in the mailbox is sent on as it is.
          send(scene, TAKE, person, at, {
            to,
            subject: `${own.pick(['', 'Fw: '])}${own.pick(SUBJECTS)}`,
            median: 34_000,
          });
          if (own.chance(0.35))
            receive(scene, TAKE, person, at + secondsAfter(scene, 30), 'business', {
              sender: businessSender(world, own),
            });
        }
      }
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
