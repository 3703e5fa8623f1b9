import type { Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import { compileDatedText } from '../../shared/text/compile.js';
import { placeholderDefect } from '../../shared/text/field.js';
import { LIMITS, limitBreach } from '../../shared/text/limits.js';
import { placeholderPartsOf } from '../../shared/text/placeholders.js';

/** How a bucket is named in an address: in the path, or in front of the host. */
type Addressing = 'auto' | 'path' | 'virtual';

export interface BucketAddress {
  /** Without a path. */
  readonly origin: URL;
  /** In front of `/` and the key; not encoded. */
  readonly prefix: string;
}

interface AddressOptions {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | null;
  readonly addressing: Addressing;
}

/** A name that is one label of a host name: certificates for `*.host` cover it. */
const LABEL = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/;

export const isIpAddress = (host: string): boolean => /^[\d.]+$/.test(host) || host.startsWith('[');

const awsEndpoint = (region: string): string =>
  `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

export const bucketAddress = ({ bucket, region, endpoint, addressing }: AddressOptions): BucketAddress => {
  const origin = new URL(endpoint ?? awsEndpoint(region));
  const isVirtual =
    addressing === 'virtual' || (addressing === 'auto' && endpoint === null && LABEL.test(bucket));
  if (!isVirtual) return { origin, prefix: `/${bucket}` };
  origin.hostname = `${bucket}.${origin.hostname}`;
  return { origin, prefix: '' };
};

const PLACEHOLDERS = ['id', 'generator', 'date'] as const;

const SUFFIX = '.gz';
const DIGITS = 6;

/** Returns what is wrong with a template of keys, or null when nothing is. */
export const keyProblem = (template: string): { readonly message: string; readonly hint?: string } | null => {
  const defect = placeholderDefect(template, PLACEHOLDERS);
  if (defect !== null) return defect;
  if (placeholderPartsOf(template)?.some(({ kind }) => kind === 'id') !== true) {
    return { message: 'must contain {id}', hint: 'Without it, objects would replace each other.' };
  }
  if (template.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return { message: 'must not start or end with a slash, or have an empty part, `.` or `..` between two' };
  }
  const problem = limitBreach(LIMITS['s3.key'], template);
  return problem === null ? null : { message: `cannot be used: ${problem}` };
};

interface KeyOptions {
  readonly template: string;
  readonly generator: string;
  readonly zone: Zone;
  readonly isCompressed: boolean;
  /** Id of the run of this output since it was opened. No other run has it. */
  readonly run: string;
}

/** Makes a key that no other object has. Numbers count up within a run, so its keys sort by time. */
export const keyMaker = (options: KeyOptions): ((now: Micros) => string) => {
  const { template, generator, zone, isCompressed, run } = options;
  const named = isCompressed && !template.endsWith(SUFFIX) ? `${template}${SUFFIX}` : template;
  let made = 0;
  let id = '';
  const dated = compileDatedText(named, { generator, zone, id: () => id });
  return (now) => {
    made++;
    id = `${run}-${String(made).padStart(DIGITS, '0')}`;
    return dated(now).text(undefined) ?? '';
  };
};
