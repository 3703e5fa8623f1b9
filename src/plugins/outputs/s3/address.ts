/** How a bucket is named in an address: in the path, or in front of the host. */
export type Addressing = 'auto' | 'path' | 'virtual';

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
