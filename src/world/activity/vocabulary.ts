import type { ActivityKind } from './kinds.js';

/** What each kind means, with its facts. The documentation is made from it; no thread needs it. */
export const MEANINGS: Readonly<Record<ActivityKind, string>> = {
  sign_in:
    'A person signs in at their workstation. `type`, `package`, `is_online` (the domain can be reached), `typos`.',
  sign_out: 'The person signs out.',
  lock: 'The person leaves the screen.',
  unlock: 'The person is back. `package`.',
  browse:
    'A person or a machine opens a page. `name`, `to_ip`, `is_known` (its address is in the cache), `bytes`.',
  use_share: 'The person opens a file of a file server. `server`, `path`, `logon_id`, `has_ticket`.',
  run_program:
    'An account runs a program. `program`, `seconds`, `account`, `pid`, `parent_image`, `parent_pid`.',
  close_program: 'The person closes a program. `program`, `pid`.',
  use_application:
    'The person opens an application behind the single sign-on. `application`, `name`, `is_known`.',
  send_mail: 'The person sends a message. `to`, `subject`, `bytes`.',
  administer:
    'An account begins to work on a server. `server`, `protocol` (rdp, ssh, smb, wmi), `logon_id`, `account`, `method` (of SSH: publickey unless it says password).',
  finish_work: 'The session on the server ends. `server`, `protocol`, `logon_id`.',
  connect_vpn:
    'Somebody connects to the VPN from outside. `tries` (the last one is right unless `is_refused`), `is_refused`, `ip`, `access` (where).',
  disconnect_vpn: 'The connection ends. `ip`, `access`, `reason`, `seconds`.',
  keep_vpn:
    'The VPN gateway counts what a session has carried so far, or renews its keys. `what` (accounting, keys), `count`, `ip`, `access`, `seconds`, `bytes_in`, `bytes_out`.',
  use_cloud:
    'Somebody or a program does something in the cloud. `principal`, `client`, `calls` (such as s3:GetObject), `bucket`, `target` (user that it is about), `grants`, `pace_ms`.',
  save_file:
    'A program that runs writes a file. `path`, `replaced` (what it removes then, or null), `image`, `pid`.',
  set_value: 'A program that runs writes a value of the registry. `key`, `value`, `image`, `pid`.',
  open_process:
    'A program that runs opens another process. `target_image`, `target_pid`, `rights`, `image`, `pid`.',
  use_pipe: 'A program that runs makes a named pipe or connects to one. `pipe`, `is_new`, `image`, `pid`.',
  change_account: 'An administrator changes an account or a group. `action`, `target`, `group`.',
  try_password:
    'A program or person uses a password that is wrong. `account`, `target`, `reason`, `type`, `locks` (the account is locked after it).',
  probe:
    'Somebody outside tries an address of the organization. `ip`, `to_ip`, `port`, `protocol` (tcp, udp).',
  look_up:
    'A program asks for a name without opening a page. `name`, `type`, `status`, `answers`, `ttl`, `is_signed`, `by`, `policy`, `zone`, `is_suffixed` (then tried below the domain of the organization).',
  report_load:
    'A device of the network, such as a firewall, writes down how it is. `router` and `router_ip` (of a router inside).',
  count_queries: 'A resolver writes down its counters. `cpu`, `pending`.',
  receive_mail:
    'Somebody outside writes to a person. `from`, `subject`, `bytes`, `ip`, `name`, `verdict`, `sort` (business, notice, bulk, spam, lure, stray), `to` (of a stray message, which is to nobody).',
  try_ssh:
    'Somebody uses a wrong password over SSH, or an account that is not there. `server`, `account`, `reason`, `from_ip` (of a stranger, or null).',
  run_job: 'Cron of a Linux server starts a job. `account`, `command`, `pid`.',
  finish_job: 'The job is over. `account`, `command`, `pid`.',
  use_sudo:
    'An account runs a command as root, or becomes root. `command`, `by` (sudo, su), `refusal` (not_allowed, bad_password, or null), `account`, `pid`, `parent_pid`.',
  open_file:
    'A program on Linux opens a file that is watched. `path`, `writes`, `is_refused`, `image`, `pid`, `parent_pid`, `account`, `login` (who signed in, or null).',
  reach_server:
    'A program on Linux connects. `to` (host or null), `to_name`, `to_ip`, `port`, `application`, `bytes_out`, `is_refused`, `image`, `pid`, `account`.',
  change_unit:
    'A service of a Linux server starts or stops. `unit`, `action` (started, stopped), `is_refused`.',
  set_up_host:
    'A Linux server gets other settings. `setting` (packet_filter, audit_rule, promiscuous), `pid`.',
  change_local_account:
    'An account of a Linux server itself changes. `action` (created, removed, changed, password_changed, group_created), `target`, `is_refused`, `account`, `pid`.',
  update_package:
    'A package of a Linux server gets another version. `name`, `before`, `version`, `step` (upgraded, configured, installed), `pid`.',
  report_state: 'A service or the kernel of a Linux server tells how it is. `by` (daemon, kernel).',
  try_port:
    'A port of a Linux server is tried that its packet filter has closed. `ip`, `port`, `to_port`, `protocol` (tcp, udp).',
  sign_on:
    'A person, or somebody with the account, gives a password to the identity provider from any device. `access` (where), `agent`, `device`, `is_proxy`, `is_new` (device or place is new), `outcome`, `reason`, `factor`.',
  check_factor:
    'The identity provider asks for a second factor. `factor` (push, code, key), `answer` (accepted, denied, timed_out), `access` and what follows it as in `sign_on`.',
  open_application:
    'An application is opened in a session that `sign_on` began. `application`, `access` and so on.',
  change_sign_on:
    'An administrator changes what the identity provider knows of a person, or a person does. `action`, `target` (person), `group`, `application`, `factor`, `access` and so on.',
  sign_off: 'A session that `sign_on` began is ended. `access` and so on.',
  try_outside:
    'A program tries something outside that the firewall refuses. `name`, `to_ip`, `port`, `protocol` (tcp, udp).',
  start_service: 'A service starts under an account of the machine. `service`, `account`.',
  request_ticket: 'A program asks for a Kerberos ticket. `service`, `server`, `status`, `is_first`.',
  mistype_password: 'A person mistypes their password at the screen. `type`.',
  use_credentials:
    'A program is started with another account. `server`, `program`, `account`, `logon_id` (of the new session).',
  try_remotely:
    'Somebody outside tries a password on a published server. `account`, `target`, `reason`, `ip`, `workstation`.',
  work_remotely: 'A person opens a desktop on a published server from outside. `server`, `ip`, `logon_id`.',
  finish_remotely: 'That session ends. `server`, `logon_id`.',
  request_web:
    'Somebody asks the web site for something. `visit` (who: one for all requests of a visit), `sort` (visitor, partner, crawler, monitor, stranger), `action`, `method`, `path`, `query`, `status`, `bytes`, `bytes_in`, `seconds`, `referrer` (a path of the site, a URL or null), `upstream` (the address that answers, or null), `cache`, `login` (a customer, or the key of a partner), `item`, `quantity`, `amount`, `text` (what else is known, by `action`).',
  use_database:
    'A program or a person uses the database: a line of its log. `connection` (one for all of its lines: `id`, `user`, `database`, `application`, `ip`, `port`, `pid`, `backend`, `began`, `protocol`, `cipher`, `bits`), `line` (its number in the connection), `seconds` (age of the connection), `action` (connection-received, connection-authorized, authentication-failed, statement, prepared-execute and others, temporary-file, lock-waiting, lock-acquired, lock-deadlock, error, disconnection), `severity`, `code` (SQLSTATE), `condition`, `text` (what is wrong), `detail`, `hint`, `statement`, `tag`, `query_id`, `step` and `name` (of a prepared statement), `milliseconds`, `rows`, `bytes` (of a temporary file), `transaction` (of a change or a lock), `holder` and `mode` (of a lock).',
  keep_database:
    'The database does something for itself. `action` (checkpoint-starting, checkpoint-complete, autovacuum-vacuum, autovacuum-analyze), `by`, `pid`, `seconds` (age of the process), `line` (its number since then), `reason`, `table`, `oid`, `table_rows`, `table_pages`, `pages`, `tuples`, `buffers`, `milliseconds`, `wal` (bytes of changes so far).',
  meter_flow:
    'A router tells of a connection inside that lasts, once a minute and at its end. Facts of `flow_record`.',
  keep_network:
    'A router tells of what passes it without anybody asking: monitoring, devices of the office, copies, pings, strays of the internet, version 6. Facts of `flow_record`, with 256 times the type and the code of ICMP as `to_port`.',
  use_cluster:
    'Somebody asks the API server of the Kubernetes cluster: a line of its audit log. `user` (`username`, `uid`, `groups`, `grant`, `cluster_grant`), `agent`, `ip`, `pod` and `node` (that the token is for, or null), `call_id` (the same at the begin and end of a watch), `stage`, `level`, `verb`, `uri`, `group`, `version`, `resource`, `subresource`, `namespace`, `name` and `uid` (of what it is about, or null), `code`, `refusal` and `message` (of an error, or null), `decision` (allow, forbid, or null for a wrong token), `reason`, `microseconds` (until the answer), `body` (JSON, or null).',
  use_broker:
    'A device of a site says something to the MQTT broker, or somebody about it. `device` (one for all of its messages: `number`, `id`, `serial`, `kind`, `manufacturer`, `model`, `hardware`, `mac`, `ip`, `site`, `area`, `gateway`, `power`, `link`, `interval`), `action` (telemetry, health, online, offline, alert-raised, alert-cleared, command-sent, command-acknowledged, command-timeout, firmware-started and so on, tamper-opened, config-changed, firmware-downgraded, tamper-closed, connect-refused, connect-accepted, subscribed, flood), `outcome`, `type` (of the event), `packet` (of MQTT), `topic` (last level), `qos`, `retain`, `is_repeated`, `packet_id`, `client`, `ip`, `port`, `firmware`, `battery` (percent, or null), `rssi` (dBm), `delay_ms` (until the broker has it), `payload` (JSON, with `{topic}`, `{prefix}` and `{domain}` for what the source calls them).',
  pay: 'A service of the payment API does a step of a payment. `event` (such as payment.captured), `payment` (one for all of its steps: `id`, `amount`, `shop`, `customer`, `card`, `agent`, `capture`, `began`, `key`), `state` (after the step), `pod` (`service`, `name`, `node`, `zone`, `version`, `language`, `instance`), `trace`, `span`, `parent`, `milliseconds`, `lag_ms` (until it was collected), `ip` and `agent` (of who asks, or null), `status` (HTTP), `id` (a UUID), `reference` (16 hexadecimal digits), `number` (15 digits), `acquirer`, `code` and `reason` (answer of the acquirer, decision about the risk, result of 3-D Secure, or why it is refunded or canceled), `is_failover`, `score`, `signals`, `card_tries`, `address_tries`, `shop_payments`, `seconds` (age of the payment), `amount` (of a refund), `origin`, `destination` (fingerprint of the card), `actor` (of the dashboard, or null), `expand`, `about` (news for the shop), `attempt`, `batch`, `offset`, `circuit`, `failures`.',
  serve_payments:
    'A service of the payment API refuses a request, or checks what it depends on. `event` (request.refused, dependency.checked), `pod` and what follows it as in `pay`, `shop`, `route` (what was asked of a payment, or empty), `reason`, `code` and `message` (of the error), `remaining` (requests), `dependency`, `is_slow`, `used` and `waiting` (connections), `calls`, `failures` (their share), `thread`.',
  logon:
    'An account opens a session on a host. `type` (2, 3, 5, 7, 10, 11), `package`, `from` (host), `ip`, `port`, `is_elevated`, `account`, `rid`.',
  logoff: 'The session ends. `type`, `account`, `ip` (of a session on a server).',
  logon_failed:
    'A logon is refused. `reason` (bad_password, unknown_user, locked, expired), `type`, `package`, `from`, `ip`, `port`, `account`.',
  special_privileges: 'The session has the rights of an administrator. `account`.',
  explicit_logon: 'A program uses other credentials. `target` (host), `program`, `account`.',
  kerberos:
    'The domain controller answers for a ticket. `service`, `status`, `ip`, `port`, `account`, `is_first` (a ticket-granting ticket).',
  ntlm: 'The domain controller checks an NTLM answer. `account`, `workstation`, `status`.',
  account_changed: 'An account is created, changed, enabled, disabled or removed. `action`, `target`.',
  group_changed: 'A member is added to or removed from a group. `action`, `group`, `target`.',
  locked_out: 'An account is locked after failed logons. `account`, `from`.',
  sso_login:
    'A sign-in at the identity provider. `outcome`, `reason`, `factor` (null when it is asked for later), `ip`, `access`, `agent`, `device`, `is_proxy`, `is_new`.',
  sso_access:
    'The identity provider lets a session into an application. `application`, `opened_at`, `answer` (to a second factor that it asks for, or null when it is open), `ip`, `access`, `agent`, `device`, `is_proxy`, `is_new`.',
  sso_logout:
    'The session at the identity provider ends. `ip`, `access`, `agent`, `device`, `is_proxy`, `is_new`.',
  sso_factor:
    'A second factor is asked for or answered. `factor`, `step` (sent, accepted, denied, timed_out), `application` and `opened_at` (when one asks for it), `ip`, `access`, `agent`, `device`, `is_proxy`, `is_new`.',
  sso_policy:
    'A policy decides about a sign-in or an application. `application` (null for the sign-in), `result` (challenge, allow, deny), `ip`, `access`, `agent`, `device`, `is_proxy`, `is_new`.',
  sso_token:
    'An application gets a token. `application`, `token` (id, access, refresh), `ip`, `access`, `agent`, `device`, `is_proxy`, `is_new`.',
  sso_changed:
    'A factor, password, profile, group or assignment is changed at the identity provider. `action`, `target` (person), `group`, `application`, `factor`, `ip`, `access`, `agent`, `device`, `is_proxy`, `is_new`.',
  vpn_start:
    'The VPN knows who it is: a session begins. `ip` (outside), `access`, `assigned` (inside), `client`.',
  vpn_step:
    'A step of a VPN session that begins. `step` (address, accounting), and the facts of `vpn_start`.',
  vpn_end: 'It ends. `ip`, `access`, `assigned`, `seconds`, `bytes_in`, `bytes_out`, `reason`.',
  vpn_failed:
    'The VPN refuses a login. `ip`, `access`, `account`, `reason` (bad_password, unknown_user, locked, factor_timed_out, factor_denied, certificate_expired, not_in_group).',
  session_step:
    'A step of a session on Linux. `step` (key, cipher, account, credentials, login_id, open, login, close, dispose, removed), `program` (sshd, cron, sudo, su), `account`, `pid`, `ip`, `port`.',
  process_start:
    'A process starts. `image`, `command_line`, `pid`, `parent_image`, `parent_pid`, `parent_command_line`, `account`.',
  process_end: 'It ends. `image`, `pid`, `exit_code`, `account`.',
  file_created: 'A file is written. `path`, `image`, `pid`, `account`.',
  file_removed: 'A file is removed. `path`, `image`, `pid`, `account`.',
  registry_set: 'A value of the registry is written. `key`, `value`, `image`, `pid`, `account`.',
  process_opened:
    'A process opens another one. `target_image`, `target_pid`, `rights`, `image`, `pid`, `account`.',
  pipe_used: 'A named pipe is made or connected to. `pipe`, `is_new`, `image`, `pid`, `account`.',
  library_loaded: 'A process loads a library. `path`, `image`, `pid`, `account`.',
  share_access: 'A file of a share is opened. `share`, `path`, `from`, `ip`, `port`, `account`.',
  dns_query:
    'A host asks its resolver. `name`, `type`, `status` (NOERROR, NXDOMAIN, SERVFAIL), `answers`, `ttl`, `is_signed`, `by` (recursion, zone, policy, failure), `policy` (category of the block list), `zone`, `resolver`, `ip`, `port`, `milliseconds` (of an answer that is not in the cache), `image` and `pid` (of the program, or null).',
  dns_update:
    'The zone of the organization gets or loses the address of a host. `action` (add, delete), `zone`, `name`, `address`, `ttl`, `resolver`, `ip`, `port`, `milliseconds`.',
  connection:
    'A connection or flow; one of 58 seconds and more may be told when it is over. `ip`, `port`, `to` (host or null), `to_ip`, `to_port`, `to_name`, `protocol` (tcp, udp, icmp), `application`, `action` (allow, deny), `bytes_out`, `bytes_in`, `packets_out`, `packets_in`, `seconds`, `zone`, `to_zone`, `edge` (which way it passes the firewall at the edge: out, in, none), `flow_id` (number of the session there), `public_ip` (address that the internet sees, or null), `vpn_user`, `vpn_session`, `vpn_seconds` (age of the session) and `access` (of one over the VPN, or null), `image` and `pid` (of the program, or null).',
  connection_end:
    'A connection that the firewall at the edge let through is over. Facts of `connection`, and `reason` (tcp-fin, aged-out, tcp-rst-from-client, tcp-rst-from-server).',
  inspection:
    'The firewall at the edge finds something in a connection. Facts of `connection`, `what` (page, file, signature, translation), and `age_seconds` (how long the connection has been open).',
  flow_record:
    'A router or the firewall at the edge tells what one direction of a connection carried. `connection` (its id), `is_back` (the way back), `began_at` (microseconds), `seconds`, `bytes`, `packets`, `end` (over, idle, active), `part` (number of the record of the connection, from 0), `flags` (of TCP), `service_class`, `as_number` (of the network outside, or null), `router`, `router_ip`, and `ip`, `port`, `to_ip`, `to_port`, `protocol`, `application`, `action`, `zone` and `edge` of `connection`.',
  message:
    'The mail gateway takes, delivers or refuses a message. `from`, `to`, `subject`, `bytes`, `direction`, `verdict` (delivered, spam, virus, rejected), `ip`, `name`, `sort` (of one from outside, or null).',
  mail_step:
    'The mail gateway does the next thing with a message. `step` (connect, refuse, greylist, queue, authenticate, filter, scan, activate, disconnect, deliver, defer, bounce, remove), `mail` (all that the gateway learns of the message), `recipient` (who gets it in this step, or null), `connected_at` and `queued_at` (microseconds; null until then), `place` (number of the step, from 0).',
  cloud_sign_in:
    'A person gets a session of a role in the cloud by the single sign-on. Facts of `cloud_call` and `use_cloud`; `grants` is the session.',
  cloud_call:
    'An interface of the cloud is called. `service`, `action`, `call` (both), `principal` (`type`, `name`, `role`, `id`, `access_key_id`, `mfa`, `since`), `client` (`access`, `agent`, `agent_name`, `os`, `region`), `resource` (name of what it is about, or null), `error` (code or null), `through` (service that calls for it, or null), `grants` (the session that it opens, or null).',
};
