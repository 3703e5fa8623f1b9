/** Who and what a world has. All of it follows from the seed and a number; nothing is stored. */

/** Part of an organization at one location. */
export interface Site {
  readonly name: string;
  readonly city: string;
  /** ISO 3166, two letters. */
  readonly country: string;
  /** IANA name. */
  readonly time_zone: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Share of the people, relative to the other sites. */
  readonly weight: number;
}

/** Where an internet access is, and the address that others see. */
export interface InternetAccess {
  readonly ip: string;
  readonly city: string;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly provider: string;
  readonly as_number: number;
}

export interface OperatingSystem {
  readonly family: 'windows' | 'linux';
  readonly name: string;
  readonly version: string;
  readonly kernel: string;
}

export const HOST_ROLES = [
  'workstation',
  'domain_controller',
  'file_server',
  'mail_server',
  'web_server',
  'application_server',
  'database_server',
  'dns_server',
  'proxy',
  'vpn_gateway',
  'firewall',
  'jump_host',
  'build_server',
  'kubernetes_node',
] as const;
export type HostRole = (typeof HOST_ROLES)[number];

/** What hosts are called that are made up, such as WS-00001 and FS-01. */
export const MADE_UP_HOST = /^(?:WS|DC|FS|MX|WEB|APP|DB|NS|PROXY|VPN|FW|JUMP|CI|K8S)-\d/i;

export interface WorldHost {
  /** Number in the world: workstations as their person, servers from `FIRST_SERVER`. */
  readonly number: number;
  /** Upper case on Windows. */
  readonly name: string;
  readonly fqdn: string;
  readonly ip: string;
  readonly mac: string;
  readonly role: HostRole;
  readonly os: OperatingSystem;
  readonly site: Site;
  /** A UUID that agents report. */
  readonly id: string;
}

export interface Person {
  readonly number: number;
  /** Unique, such as `ada.lovelace`. */
  readonly user: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly full_name: string;
  readonly email: string;
  readonly department: string;
  readonly title: string;
  /** Last part of the security identifier, unique. */
  readonly rid: number;
  /** Administers servers and accounts. */
  readonly is_admin: boolean;
  /** Writes software: works on servers, clouds and clusters. */
  readonly is_engineer: boolean;
  readonly site: Site;
  readonly workstation: WorldHost;
  readonly home: InternetAccess;
  /** Address in the network of the VPN. */
  readonly vpn_ip: string;
  /** User agent of the browser. */
  readonly user_agent: string;
  readonly browser: string;
  /** How much the person does, relative to others; median 1. */
  readonly pace: number;
}
