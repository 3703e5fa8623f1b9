import { type KeyedDraws, weighted } from '../../draw.js';
import { FIRST_NAMES, LAST_NAMES } from '../../population/names.js';
import { outsideAddress } from '../../population/population.js';
import { NAME_WORDS } from '../names.js';
import type { Surroundings } from '../scribe.js';

/** What a message is like: letters of people and programs, advertisement that was asked for, and what nobody wants. */
export type MailSort = 'business' | 'notice' | 'bulk' | 'spam' | 'lure' | 'stray';

/** Who writes from outside: the address of the sender, and the server that brings the message. */
export interface MailSender {
  readonly from: string;
  readonly ip: string;
  readonly name: string;
}

/** Purpose of the draws of the people at customers. */
const WHY_CONTACT = 462;

/** Numbers of outsiders: servers of customers, of services and of newsletters, machines that send spam, and servers of lures. */
const SERVERS = { customer: 1_000, service: 2_000, list: 2_100, bot: 40_000, lure: 44_000 } as const;
const CUSTOMERS = 900;
const CONTACTS = 7;
const BOTS = 2_400;
const LISTS = 180;
const FREE_MAIL = ['post-box', 'mail-home', 'letter-free', 'in-touch', 'my-mail'];

const wordOf = (own: KeyedDraws): string => own.pick(NAME_WORDS);

/** Somebody at a customer: a few people and the addresses of the firm. */
export const contactAt = ({ draws }: Surroundings, customer: number, contact: number): string => {
  const domain = `customer-${customer}.example`;
  if (contact === 0) return `orders@${domain}`;
  const own = draws.of(customer, contact, WHY_CONTACT);
  return `${own.pick(FIRST_NAMES)}.${own.pick(LAST_NAMES)}@${domain}`.toLowerCase();
};

/** A few customers write most. */
const customerOf = (own: KeyedDraws): number => 1 + Math.floor(CUSTOMERS * own.next() ** 1.6);
export const anyContact = (world: Surroundings, own: KeyedDraws, customer: number): string =>
  contactAt(world, customer, own.integer(0, CONTACTS - 1));

/** A mailbox that somebody has besides the one of the organization. */
export const privateAddress = (own: KeyedDraws, user: string): string =>
  `${user}${own.integer(1, 99)}@${own.pick(FREE_MAIL)}.example`;

export const isOfCustomer = (address: string): boolean => /@customer-\d+\.example$/.test(address);

export const businessSender = (world: Surroundings, own: KeyedDraws): MailSender => {
  const customer = customerOf(own);
  return {
    from: anyContact(world, own, customer),
    ip: world.population.outsider(SERVERS.customer + customer).ip,
    name: `mail.customer-${customer}.example`,
  };
};

const SERVICES = [
  ...['helpdesk', 'code-forge', 'sales-cloud', 'people-suite', 'mailsuite', 'big-files', 'finance-suite'],
  ...['cloud-house', 'parcel-way', 'rail-booking', 'hotel-desk', 'office-depot', 'identity-hub'],
];
const ROBOTS = ['noreply', 'notifications', 'billing', 'support'];

const noticeSender = ({ population }: Surroundings, own: KeyedDraws): MailSender => {
  const service = Math.floor(SERVICES.length * own.next() ** 1.4);
  const domain = `${SERVICES[service]}.example`;
  const machine = own.integer(1, 3);
  return {
    from: `${own.pick(ROBOTS)}@${domain}`,
    ip: population.outsider(SERVERS.service + service * 4 + machine).ip,
    name: `out${machine}.${domain}`,
  };
};

const bulkSender = ({ population }: Surroundings, own: KeyedDraws): MailSender => {
  const list = own.integer(1, LISTS);
  const machine = own.integer(1, 24);
  return {
    from: `news@list-${list}.example`,
    ip: population.outsider(SERVERS.list + machine).ip,
    name: `mta${machine}.bulk-house.example`,
  };
};

export const spamDomain = (own: KeyedDraws): string => `${wordOf(own)}-${wordOf(own)}.example`;

/** A machine that sends spam: somebody's computer, or a server that is rented for it. Few of them send most. */
export const spamSender = (
  { population }: Surroundings,
  own: KeyedDraws,
  domain: string | null = null,
): MailSender => {
  const { ip } = population.outsider(SERVERS.bot + Math.floor(BOTS * own.next() ** 1.5));
  const sent = domain ?? spamDomain(own);
  const from = own.chance(0.5)
    ? `offer${own.integer(100, 9_999)}@${sent}`
    : `${own.pick(FIRST_NAMES)}.${own.pick(LAST_NAMES)}@${sent}`.toLowerCase();
  const name = own.chance(0.4)
    ? 'unknown'
    : own.chance(0.5)
      ? `host-${ip.replaceAll('.', '-')}.pool.example`
      : `mx${own.integer(1, 9)}.${sent}`;
  return { from, ip, name };
};

// As long as other names on the internet, and without numbers: a look at the log of a resolver tells nothing.
const BRANDS = [
  ...['payroll', 'mailbox', 'parcel', 'benefit', 'docs', 'voice', 'refund', 'invoice', 'account', 'customs'],
  ...['travel', 'badge', 'bonus', 'tax'],
];
const PRETEXTS = [
  ...['login', 'check', 'portal', 'secure', 'update', 'center', 'online', 'desk', 'help', 'team', 'link'],
  ...['sign', 'form', 'view', 'office', 'direct'],
];
export const lureDomain = (own: KeyedDraws): string => `${own.pick(BRANDS)}-${own.pick(PRETEXTS)}.example`;

const REASSURING = ['notice', 'service', 'hr', 'security', 'team', 'support', 'no-reply'];

/** Somebody who wants a password. Some write by way of a mailbox of a customer that they have taken over. */
export const lureSender = (world: Surroundings, own: KeyedDraws, domain: string): MailSender => {
  if (own.chance(0.35)) return businessSender(world, own);
  const number = [...domain].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 3_000, 7);
  return {
    from: `${own.pick(REASSURING)}@${domain}`,
    ip: world.population.outsider(SERVERS.lure + number + own.integer(0, 3)).ip,
    name: own.chance(0.7) ? `out.${domain}` : 'unknown',
  };
};

export const senderOf = (world: Surroundings, own: KeyedDraws, sort: MailSort): MailSender => {
  switch (sort) {
    case 'business':
      return businessSender(world, own);
    case 'notice':
      return noticeSender(world, own);
    case 'bulk':
      return bulkSender(world, own);
    case 'lure':
      return lureSender(world, own, lureDomain(own));
    default:
      return spamSender(world, own);
  }
};

/** Where a server of a domain is that mail of the organization goes to. */
export const relayAddress = ({ draws }: Surroundings, number: number): string =>
  outsideAddress(draws.of(number, 1, WHY_CONTACT));

const BUSINESS = [
  ...['Order {n} is on its way', 'Invoice {n}', 'Your quote {n}', 'Re: delivery window for {n}'],
  ...['Offer for the spring trade fair', 'Question about item {n}', 'Re: Re: contract renewal'],
  ...['Updated price list', 'Site visit next week', 'Signed agreement attached', 'Customs papers for {n}'],
  ...['Feedback on design {n}', 'Agenda for Thursday', 'Payment received for {n}'],
];
const NOTICES = [
  ...['Ticket {n} was answered', 'Your ticket {n} is closed', 'Build {n} passed', 'Build {n} failed'],
  ...['Reminder: invoice {n} is due', 'Your booking {n}', 'New document shared with you'],
  ...['Your password expires soon', 'Backup report of node {n}', 'Travel expenses of trip {n}'],
];
const BULK = [
  ...['Newsletter: three ideas for smaller boxes', 'This week in logistics', 'Your webinar invitation'],
  ...['New in the shop: autumn', 'Training dates {n}', 'Five reads for the weekend'],
];
const SPAM = [
  ...['Win a voucher today {n}', 'Cheap watches, last call', 'Your parcel waits at the depot {n}'],
  ...['Lose weight in nine days', 'A loan without papers', 'Hot shares: buy before Monday'],
  ...['You have {n} unread offers', 'Casino bonus of {n} percent', 'Printer ink for half the price'],
  ...['Meet new friends near you', 'Claim number {n} is approved', 'Double your followers'],
];
const LURES = [
  ...['Payroll: confirm your bank details', 'Your mailbox is 98% full', 'A document was shared with you'],
  ...['Password expires in 4 hours', 'New benefits: sign in to accept', 'You missed a voice message'],
  ...['Delivery failed, pay the fee', 'New account number for payments', 'Re: invoice {n}', 'Invoice {n}'],
];
const SUBJECTS_OF: Readonly<Record<MailSort, readonly string[]>> = {
  ...{ business: BUSINESS, notice: NOTICES, bulk: BULK, spam: SPAM, lure: LURES, stray: BUSINESS },
};

export const mailSubject = (own: KeyedDraws, sort: MailSort): string =>
  own.pick(SUBJECTS_OF[sort]).replace('{n}', String(own.integer(10_000, 99_999)));

const STEMS_OF_FILES = ['invoice', 'report', 'prices', 'photo', 'drawing', 'archive', 'event', 'letter'];
const extensionOf = weighted([
  [24, 'pdf'],
  [20, 'docx'],
  [16, 'xlsx'],
  [10, 'jpg'],
  [8, 'png'],
  [10, 'zip'],
  [6, 'ics'],
  [6, 'txt'],
] as const);

export const attachmentName = (own: KeyedDraws): string =>
  `${own.pick(STEMS_OF_FILES)}-${own.integer(100, 9_999)}.${extensionOf(own.next())}`;
