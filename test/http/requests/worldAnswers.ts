import type {
  WorldActivity,
  WorldContents,
  WorldDay,
  WorldPeople,
} from '../../../src/domain/worlds/reports.js';

const PERSON = {
  number: 0,
  user: 'ada.lovelace',
  full_name: 'Ada Lovelace',
  title: 'Engineer',
  department: 'it',
  site: 'vienna',
};
const AT = '2026-03-10T09:00:00+01:00';

const contents: WorldContents = {
  seed: 7,
  people: 1,
  domain: 'corp.example.com',
  netbios: 'CORP',
  sites: [{ name: 'vienna', city: 'Vienna', country: 'AT', time_zone: 'Europe/Vienna', people: 1 }],
  departments: [{ name: 'it', people: 1 }],
  hosts: [{ role: 'workstation', count: 1 }],
  campaign_minutes: 20,
  attacks: [
    {
      name: 'dga',
      summary: 'Workstations try random names.',
      campaign: 1,
      steps: [
        {
          phase: 'search',
          technique: 'T1568.002',
          from: AT,
          to: AT,
          acts: 1,
          kinds: ['look_up'],
          people: ['ada.lovelace'],
          hosts: ['WS-00001'],
        },
      ],
    },
  ],
};

const activity: WorldActivity = {
  site: 'vienna',
  time_zone: 'Europe/Vienna',
  date: '2026-03-10',
  hours: Array.from({ length: 24 }, (_, hour) => hour / 2),
  busiest_hour: 23,
  per_minute: 11.5,
  groups: [{ group: 'acts', kinds: [{ kind: 'browse', per_minute: 11.5 }] }],
};

const people: WorldPeople = {
  total: 6,
  items: [{ ...PERSON, email: 'ada.lovelace@corp.example.com', host: 'WS-00001', ip: '10.20.0.1' }],
};

const day: WorldDay = {
  person: PERSON,
  date: '2026-03-10',
  time_zone: 'Europe/Vienna',
  parts: [{ from: AT, to: '2026-03-10T17:00:00+01:00', what: 'at the office', host: 'WS-00001' }],
  activities: [
    {
      id: 1,
      at: AT,
      kind: 'browse',
      host: 'WS-00001',
      session: null,
      cause: null,
      truth: null,
      facts: { name: 'news.example', bytes: 5, is_known: true, answers: ['192.0.2.1'] },
    },
  ],
};

/** What is told of a world, by the kind of the question. */
export const LOOKED_AT = { contents, activity, people, day };
