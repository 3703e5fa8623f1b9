import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../../../domain/errors.js';
import type { Json } from '../../../domain/json.js';
import { zoneOf } from '../../../domain/time/zone.js';
import {
  decode,
  defaulted,
  expandDotted,
  integer,
  listOf,
  number,
  optional,
  record,
  required,
  type Shape,
  text,
} from '../../../schema/index.js';
import { defect } from '../../../schema/issues.js';
import type { RuleBreach } from '../../../schema/shape.js';
import {
  DEFAULT_WORLD,
  MAX_WORLD_LOAD,
  MAX_WORLD_PEOPLE,
  tooManyPeople,
  type WorldSpec,
} from '../../../world/spec.js';
import { readStaff } from './staff.js';

const MAX_SITES = 100;
const MAX_DEPARTMENTS = 50;
const MAX_WEIGHT = 1_000_000;
const MAX_PROBES_PER_HOUR = 10_000;
const MAX_NAME_LENGTH = 64;
/** Some two hundred characters a person. */
const MAX_STAFF_LENGTH = 1_000_000;
/** What a site is called is part of the names of its machines. */
const MAX_SITE_NAME_LENGTH = 32;
/** RFC 1035, 2.3.4. */
const MAX_DOMAIN_LENGTH = 253;
/** A NetBIOS name has 16 octets, the last of which is its type (RFC 1002, 4.1). */
const MAX_NETBIOS_LENGTH = 15;

/** Labels of letters, digits and hyphens (RFC 1123, 2.1), and two of them at least: it is the domain of mail, too. */
const DNS_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const checkDomain = (value: string) => {
  if (DNS_NAME.test(value)) return null;
  const isUpper = DNS_NAME.test(value.toLowerCase());
  return defect(
    'bad_format',
    'must be a DNS name in lower case, with a dot',
    isUpper ? `Write ${value.toLowerCase()}.` : 'For example corp.example.com.',
  );
};

const checkNetbios = (value: string) => {
  const isName = (one: string): boolean => /^[A-Z0-9-]+$/.test(one) && /[A-Z]/.test(one);
  if (isName(value)) return null;
  return defect(
    'bad_format',
    'must have capital letters, digits and hyphens only, and a letter',
    isName(value.toUpperCase()) ? `Write ${value.toUpperCase()}.` : 'For example CORP.',
  );
};

const checkZone = (value: string) =>
  zoneOf(value) === null
    ? defect('not_allowed', "must be an IANA time zone in its exact spelling, like 'Europe/Berlin' or 'UTC'")
    : null;

const share = () => number({ min: 0, max: 1 });
const weight = () => number({ exclusiveMin: 0, max: MAX_WEIGHT });

const site = record({
  name: required(
    text({
      label: 'a name of lower-case letters, digits and hyphens',
      pattern: /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
      maxLength: MAX_SITE_NAME_LENGTH,
    }),
    { help: 'Name of the site, each once.', example: 'hamburg' },
  ),
  city: required(text({ minLength: 1, maxLength: MAX_NAME_LENGTH }), {
    help: 'City, for people and for the location of addresses.',
    example: 'Hamburg',
  }),
  country: required(text({ label: 'two capital letters, such as DE (ISO 3166)', pattern: /^[A-Z]{2}$/ }), {
    help: 'Country.',
    example: 'DE',
  }),
  time_zone: required(text({ label: 'IANA time zone', check: checkZone }), {
    help: 'Time zone by which its people work.',
    example: 'Europe/Berlin',
  }),
  latitude: required(number({ min: -90, max: 90 }), { help: 'Latitude.', unit: 'degrees', example: 53.55 }),
  longitude: required(number({ min: -180, max: 180 }), {
    help: 'Longitude.',
    unit: 'degrees',
    example: 9.99,
  }),
  weight: defaulted(weight(), 1, { help: 'Share of the people, relative to the other sites.' }),
});

const department = record({
  name: required(text({ minLength: 1, maxLength: MAX_NAME_LENGTH }), {
    help: 'Name, each once. The people of `it` administer, those of `it` and `engineering` work on servers.',
    example: 'engineering',
  }),
  weight: defaulted(weight(), 1, { help: 'Share of the people, relative to the other departments.' }),
});

/** Finds the first item whose name an earlier one has; `at` leads to the list. */
const nameTwice = (at: string, items: readonly { readonly name: string }[]): RuleBreach | null => {
  const names = items.map(({ name }) => name);
  const index = names.findIndex((name, position) => names.indexOf(name) < position);
  if (index < 0) return null;
  return {
    at: [at, String(index), 'name'],
    type: 'not_allowed',
    message: `'${names[index]}' is there twice`,
    hint: 'Give it another name, or remove one.',
  };
};

const organization = record(
  {
    domain: defaulted(
      text({ label: 'DNS name', maxLength: MAX_DOMAIN_LENGTH, check: checkDomain }),
      DEFAULT_WORLD.organization.domain,
      { help: 'Domain of hosts and mail addresses.' },
    ),
    netbios: defaulted(
      text({
        label: 'NetBIOS name',
        minLength: 1,
        maxLength: MAX_NETBIOS_LENGTH,
        check: checkNetbios,
      }),
      DEFAULT_WORLD.organization.netbios,
      { help: 'Short name of the Windows domain.' },
    ),
    sites: defaulted(listOf(site, { min: 1, max: MAX_SITES }), DEFAULT_WORLD.organization.sites, {
      help: 'Where its people and hosts are.',
    }),
  },
  { rules: [{ fields: ['sites'], check: ({ sites }) => nameTwice('sites', sites) }] },
);

/** Content of a file: as a world, but for the people. */
type WorldFile = Omit<WorldSpec, 'people' | 'staff'> & {
  readonly people: number | null;
  readonly staff: string | null;
};

const checkStaff = (value: string) => {
  const staff = readStaff(value);
  return E.isRight(staff) ? null : defect('bad_format', `is no table of people: ${staff.left}`);
};

const staffOf = (staff: string | null): WorldSpec['staff'] =>
  staff === null ? [] : E.getOrElse((): WorldSpec['staff'] => [])(readStaff(staff));

/** A table has somebody in it: without people there is none. */
const peopleOf = (people: number | null, staff: WorldSpec['staff']): number =>
  people ?? (staff.length === 0 ? DEFAULT_WORLD.people : staff.length);

/** Finds what the people of a table have that the world has not. */
const strayStaff = ({ people, staff, organization: { sites } }: WorldFile): RuleBreach | null => {
  const found = staffOf(staff);
  if (people !== null && people < found.length)
    return {
      at: 'people',
      type: 'out_of_range',
      message: `must be at least ${found.length}, the people of staff`,
      hint: 'Raise it, or leave it out.',
    };
  const index = found.findIndex(({ site }) => site !== null && !sites.some(({ name }) => name === site));
  if (index < 0) return null;
  return {
    at: 'staff',
    type: 'not_allowed',
    message: `has '${found[index]?.site}' as site of person ${index + 1}`,
    hint: `Sites: ${sites.map(({ name }) => name).join(', ')}.`,
  };
};

/** A file below `worlds/`. Every field has a default. */
export const worldShape: Shape<WorldFile> = record(
  {
    seed: defaulted(integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), DEFAULT_WORLD.seed, {
      help: 'Everything follows from it: the same seed is the same world.',
    }),
    people: optional(integer({ min: 1, max: MAX_WORLD_PEOPLE }), {
      help: 'People of the organization. Hosts and servers follow from their number. Default: those of `staff`, or 200.',
    }),
    staff: optional(text({ label: 'CSV with a header', maxLength: MAX_STAFF_LENGTH, check: checkStaff }), {
      help: 'People as the organization knows them. Columns: `user`, and any of `first_name`, `last_name`, `department`, `title`, `site`, `email`, `host`, `ip`. What is empty is drawn or follows from `user`; further people up to `people` are made up.',
      example: 'user,department,host\nada.lovelace,it,HH-LT-0815\n',
    }),
    load: defaulted(number({ min: 0.01, max: MAX_WORLD_LOAD }), DEFAULT_WORLD.load, {
      help: 'Factor of the number of people and visitors. It never changes how long something takes.',
    }),
    organization: defaulted(organization, DEFAULT_WORLD.organization, {
      help: 'Who they work for, and where.',
    }),
    departments: defaulted(listOf(department, { min: 1, max: MAX_DEPARTMENTS }), DEFAULT_WORLD.departments, {
      help: 'What people work at.',
    }),
    home_share: defaulted(share(), DEFAULT_WORLD.home_share, {
      help: 'Share of the working days that people work from home, through the VPN.',
    }),
    weekend_share: defaulted(share(), DEFAULT_WORLD.weekend_share, {
      help: 'Share of the people who work on a day of the weekend.',
    }),
    probes_per_hour: defaulted(number({ min: 0, max: MAX_PROBES_PER_HOUR }), DEFAULT_WORLD.probes_per_hour, {
      help: 'Tries from outside on each public address.',
      unit: 'tries an hour',
    }),
  },
  {
    rules: [
      { fields: ['people', 'staff', 'organization'], check: strayStaff },
      { fields: ['departments'], check: ({ departments }) => nameTwice('departments', departments) },
      {
        fields: ['people', 'staff', 'load'],
        check: ({ people, staff, load }) => {
          const message = tooManyPeople(peopleOf(people, staffOf(staff)), load);
          return message === null
            ? null
            : { at: 'load', type: 'out_of_range', message, hint: 'Lower people or load.' };
        },
      },
    ],
  },
);

/** Decodes the content of a file. An empty file is the default world. */
export const readWorld = (value: Json): E.Either<readonly Issue[], WorldSpec> => {
  const expanded = expandDotted(value ?? {}, worldShape);
  if (E.isLeft(expanded)) return expanded;
  return E.map((file: WorldFile) => {
    const staff = staffOf(file.staff);
    return { ...file, staff, people: peopleOf(file.people, staff) };
  })(decode(worldShape, expanded.right));
};
