/** A program that asks the web site for something, as it names itself. */
export interface WebAgent {
  readonly original: string;
  readonly name: string;
  readonly version: string;
  /** Null for programs that do not tell. */
  readonly os: string | null;
  readonly os_version: string | null;
  readonly device: string | null;
}

/** A partner whose programs use the API. */
export interface WebClient {
  readonly id: string;
  readonly full_name: string;
  readonly plan: 'basic' | 'plus' | 'partner';
}

/** Something that the shop sells. */
export interface WebItem {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly category: string;
  readonly price: number;
}

/** Who comes to the web site: a person, a program of a partner, a crawler, a monitor or a stranger who looks for holes. */
export interface WebVisit {
  readonly sort: 'visitor' | 'partner' | 'crawler' | 'monitor' | 'stranger';
  /** Names the visit of a person; null for programs, which have no cookies. */
  readonly visit_id: string | null;
  readonly ip: string;
  readonly port: number;
  /** Null inside of the organization, as are the country and the network. */
  readonly city: string | null;
  readonly country: string | null;
  readonly provider: string | null;
  readonly as_number: number | null;
  readonly agent: WebAgent;
  /** Version of HTTP: 1.1, 2.0 or 3.0. */
  readonly protocol: string;
  /** Connections are counted: later ones have higher numbers. */
  readonly connection: number;
  readonly client: WebClient | null;
}
