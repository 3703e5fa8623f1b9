/** The attacks of a world, by name. This file is for those, too, who name one without making it. */
export const ATTACK_NAMES = [
  ...(['brute_force', 'lateral_movement', 'privilege_change', 'data_theft'] as const),
  ...(['tunnel', 'dga', 'beaconing', 'credential_dump', 'ransomware'] as const),
  ...(['ssh_brute_force', 'root_shell', 'sudo_abuse', 'host_scan', 'archive_theft'] as const),
  ...(['sso_brute_force', 'mfa_fatigue', 'impossible_travel', 'port_scan'] as const),
  ...(['vpn_brute_force', 'vpn_data_theft', 'account_takeover'] as const),
  ...(['phishing', 'spam_outbreak', 'mail_theft'] as const),
  ...(['scan', 'credential_stuffing', 'customer_theft'] as const),
  ...(['credential_theft', 'bucket_theft', 'logging_off', 'cloud_key_theft'] as const),
  ...(['sql_injection', 'database_brute_force', 'table_theft'] as const),
  ...(['ddos'] as const),
  ...(['secret_theft', 'privileged_pod', 'anonymous_scan'] as const),
  ...(['sensor_fault', 'tampering', 'botnet'] as const),
  ...(['card_testing', 'outage', 'refund_fraud'] as const),
] as const;

/** Campaigns of an attack begin once in so many minutes, and are over by the end of the next such time. */
export const CAMPAIGN_MINUTES = 20;

export type AttackName = (typeof ATTACK_NAMES)[number];
