import type { Activity } from '../kinds.js';
import type { MailMessage, MailStep } from '../mail/mailMessage.js';
import { mailMessage } from '../mail/message.js';
import type { CausalRules } from '../scribe.js';
import { OUTGOING_MAIL } from './edge.js';
import { fact, leadsTo } from './shared.js';

/** Median time from a step to the next one. */
const AFTER_MS: Readonly<Record<MailStep, number>> = {
  connect: 420,
  refuse: 90,
  greylist: 90,
  queue: 140,
  authenticate: 110,
  filter: 260,
  scan: 40,
  activate: 22,
  disconnect: 350,
  deliver: 180,
  defer: 7_000,
  bounce: 15,
  remove: 1,
};
/** After the last recipient, and after a message that is not delivered. */
const REMOVED_MS = 12;

const mailIn = (cause: Activity): MailMessage => fact<MailMessage>(cause, 'mail');
const placeOf = (cause: Activity): number => fact<number>(cause, 'place');
const nextOf = (cause: Activity): MailStep | undefined => mailIn(cause).steps[placeOf(cause) + 1];

/** Recipients get the message one after the other. */
const recipientAt = ({ to, steps }: MailMessage, place: number): string | null => {
  const step = steps[place];
  if (step !== 'deliver' && step !== 'defer' && step !== 'bounce') return null;
  return to[steps.slice(0, place).filter((one) => one === 'deliver').length] ?? null;
};

/** What follows from a message: each step at the gateway leads to the next one. */
export const MAIL_RULES: CausalRules = {
  message: [
    OUTGOING_MAIL,
    leadsTo('mail_step', 60, 0.5, (cause, world, own) => {
      const mail = mailMessage(cause, world, own);
      return {
        session: own.hex(32),
        facts: { step: 'connect', mail, recipient: null, connected_at: null, queued_at: null, place: 0 },
      };
    }),
  ],
  mail_step: [
    leadsTo(
      'mail_step',
      (cause) => (nextOf(cause) === 'remove' ? REMOVED_MS : AFTER_MS[fact<MailStep>(cause, 'step')]),
      0.5,
      (cause) => {
        const mail = mailIn(cause);
        const place = placeOf(cause) + 1;
        const { step, connected_at, queued_at } = cause.facts;
        return {
          facts: {
            ...{ step: mail.steps[place] ?? 'remove', mail, recipient: recipientAt(mail, place) },
            connected_at: (connected_at as number | null) ?? (step === 'connect' ? cause.at : null),
            queued_at: (queued_at as number | null) ?? (step === 'queue' ? cause.at : null),
            place,
          },
        };
      },
      (cause) => (nextOf(cause) === undefined ? 0 : 1),
    ),
  ],
};
