/** What a gateway does with a message, in order. After `defer` a recipient is tried again. */
export type MailStep =
  | 'connect'
  | 'refuse'
  | 'greylist'
  | 'queue'
  | 'authenticate'
  | 'filter'
  | 'scan'
  | 'activate'
  | 'disconnect'
  | 'deliver'
  | 'defer'
  | 'bounce'
  | 'remove';

/** A message as a mail gateway sees it, and all that happens to it there. */
export interface MailMessage {
  readonly queue_id: string;
  readonly message_id: string;
  readonly direction: 'inbound' | 'outbound';
  /** User name with which a person of the organization sends; null from outside. */
  readonly login: string | null;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly bytes: number;
  /** Name of the attached file, or null. */
  readonly file: string | null;
  readonly file_bytes: number;
  readonly file_hash: string;
  /** The client: address, name by reverse lookup, what it calls itself. */
  readonly ip: string;
  readonly name: string;
  readonly helo: string;
  readonly port: number;
  readonly is_encrypted: boolean;
  /** Process of the gateway that serves the client. */
  readonly pid: number;
  readonly spf: string;
  readonly dkim: string;
  readonly dmarc: string;
  readonly policy: string;
  /** Score of the filter: 1 is quarantined, 2.5 refused. */
  readonly score: number;
  readonly verdict: 'deliver' | 'tag' | 'quarantine' | 'reject';
  readonly symbols: readonly string[];
  /** Name of the virus, or null. */
  readonly virus: string | null;
  /** Why it is refused before it is taken, or null: blocklist, unknown-mailbox, relay, sender-domain. */
  readonly refusal: string | null;
  /** Reply code of recipients that do not take it at once, or null. */
  readonly trouble: string | null;
  /** Server to which it is delivered: of the recipient, or the mail store. */
  readonly relay_ip: string;
  readonly steps: readonly MailStep[];
}
