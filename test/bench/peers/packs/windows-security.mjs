/** The library generator windows-security by hand, without its attacks. */
import { endsOf } from './draws.mjs';
import { isoOf, json } from './texts.mjs';

const TYPE_NAMES = {
  2: 'Interactive',
  3: 'Network',
  5: 'Service',
  7: 'Unlock',
  10: 'RemoteInteractive',
  11: 'CachedInteractive',
};
const SYSTEM32 = 'C:\\\\Windows\\\\System32\\\\';
const LSASS = `"name": "lsass.exe", "executable": "${SYSTEM32}lsass.exe"`;
const SECOND = 1_000_000;

const SERVER_TYPES = [['3', '10', '5'], endsOf([82, 8, 10])];
const CLIENT_TYPES = [['2', '3', '7', '11'], endsOf([30, 28, 34, 8])];
const FAILED_TYPES = [['2', '3', '7', '10'], endsOf([25, 45, 25, 5])];
const PACKAGES = [['Kerberos', 'NTLM', 'Negotiate'], endsOf([76, 12, 12])];
const FAILED_PACKAGES = [['Negotiate', 'NTLM', 'Kerberos'], endsOf([50, 40, 10])];
const LOGON_PROCESSES = ['lsass.exe', 'services.exe', 'winlogon.exe'];
const RUNNERS = [['runas.exe', 'consent.exe', 'svchost.exe', 'taskhostw.exe'], endsOf([4, 3, 10, 5])];
const SERVICES = ['cifs', 'HTTP', 'TERMSRV', 'RPCSS', 'host'];
const PORTS = [445, 443, 3389, 135];
const ACCOUNTS = [
  [
    ['SYSTEM', 'S-1-5-18', '0x3e7'],
    ['LOCAL SERVICE', 'S-1-5-19', '0x3e5'],
    ['NETWORK SERVICE', 'S-1-5-20', '0x3e4'],
  ],
  endsOf([8, 1, 1]),
];
const PRIVILEGES = [
  'SeTakeOwnershipPrivilege',
  'SeLoadDriverPrivilege',
  'SeSystemEnvironmentPrivilege',
  'SeDelegateSessionUserImpersonatePrivilege',
  'SeEnableDelegationPrivilege',
  'SeAuditPrivilege',
];
const EXITS = [[0, 1, 259, 3221225786, 3221225477], endsOf([92, 5, 1, 1, 1])];
const TICKET_STATES = [['0x0', '0x18', '0x6', '0x12', '0x20'], endsOf([960, 15, 6, 4, 15])];
const CIPHERS = [['0x12', '0x11', '0x17'], endsOf([94, 4, 2])];
const TICKET_OPTIONS = ['0x40810000', '0x40810010', '0x40800000'];
const NTLM_STATES = [
  ['0x0', '0xc000006a', '0xc0000064', '0xc0000234', '0xc0000072'],
  endsOf([90, 6, 2, 1, 1]),
];
const CHANGES = [
  [
    ['4720', 'added-user-account', 'creation', 'created'],
    ['4722', 'enabled-user-account', 'change', 'enabled'],
    ['4723', 'changed-password', 'change', 'password changed'],
    ['4724', 'reset-password', 'change', 'password reset'],
    ['4725', 'disabled-user-account', 'change', 'disabled'],
    ['4726', 'deleted-user-account', 'deletion', 'deleted'],
    ['4738', 'modified-user-account', 'change', 'modified'],
    ['4767', 'unlocked-user-account', 'change', 'unlocked'],
  ],
  endsOf([4, 4, 24, 22, 5, 3, 30, 8]),
];
const LOCKOUTS = [[3, 5, 10], endsOf([2, 6, 2])];

const hex = (value) => `0x${value.toString(16)}`;

/** `%m/%d/%Y %I:%M:%S %p` in UTC. */
const usTime = (micros) => {
  const at = new Date(micros / 1_000);
  const two = (value) => String(value).padStart(2, '0');
  const date = `${two(at.getUTCMonth() + 1)}/${two(at.getUTCDate())}/${at.getUTCFullYear()}`;
  const time = `${two(at.getUTCHours() % 12 || 12)}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
  return `${date} ${time} ${at.getUTCHours() < 12 ? 'AM' : 'PM'}`;
};

export const make = ({ draws, samples, params }) => {
  const { integer, choice, chance, one, uuid4 } = draws;
  const { domain, netbios, domain_sid, agent_version } = params;
  const weighted = ([items, ends]) => draws.weighted(items, ends);
  const withEnds = (rows) => [rows, endsOf(rows.map(({ weight }) => weight))];
  const hosts = withEnds(samples.hosts);
  const controllers = withEnds(samples.controllers);
  const users = withEnds(samples.users);
  const programs = withEnds(
    samples.programs.map((program) => ({
      ...program,
      pathJson: json(program.path),
      parentJson: json(program.parent),
    })),
  );
  const failures = withEnds(samples.failures);
  const groups = withEnds(samples.groups);
  const admins = samples.users.filter(({ admin }) => admin);
  const container = domain.replaceAll('.', ',DC=');

  const sessions = [];
  const processes = [];
  const failed = [];
  const tickets = [];
  const accounts = [];
  const members = [];
  const records = new Map();
  let luid = 1_048_576;
  let nextRid = 5_001;

  const recordOf = (host) => {
    const record = (records.get(host.name) ?? host.first_record) + 1;
    records.set(host.name, record);
    return record;
  };
  const nextLuid = () => {
    luid += integer(17, 4_000);
    return luid;
  };

  const head = (iso, host, label, code, action) =>
    `{"@timestamp": "${iso}", "ecs": {"version": "8.17.0"}, "agent": {"id": "${host.agent_id}", "name": "${host.name}", "type": "winlogbeat", "version": "${agent_version}"}, "host": {"name": "${host.name.toLowerCase()}.${domain}", "hostname": "${host.name}", "ip": ["${host.ip}"], "mac": ["${host.mac}"], "os": {"kernel": "${host.kernel}", "name": "${host.os}", "platform": "windows", "build": "${host.build}"}}, "labels": {"anomaly": "${label}"}, "log": {"level": "information"}, "event": {"kind": "event", "module": "security", "dataset": "windows.security", "code": "${code}", "action": "${action}", `;

  const lsassOf = (host) => (host.first_record % 200) * 4 + 600;

  const winlog = (host, code, audit, pid, record, task, version) =>
    `"winlog": {"channel": "Security", "computer_name": "${host.name}.${domain}", "event_id": "${code}", "keywords": ["Audit ${audit}"], "opcode": "Info", "provider_guid": "{54849625-5478-4994-A5BA-3E3B0328C30D}", "provider_name": "Microsoft-Windows-Security-Auditing", "process": {"pid": ${pid}, "thread": {"id": ${integer(20, 2_600) * 4}}}, "record_id": "${record}", "task": "${task}", "version": ${version}, `;

  const activity = (guid) => `"activity_id": "{${guid.toUpperCase()}}", `;

  const person = ({ rid, name, full_name }) =>
    `"id": "${domain_sid}-${rid}", "name": "${name}", "full_name": "${full_name}", "domain": "${netbios}"`;

  const logon = (iso, micros) => {
    if (sessions.length >= params.max_sessions) return null;
    const host = weighted(hosts);
    const user = weighted(users);
    const from = weighted(hosts);
    const type = weighted(host.kind === 'server' ? SERVER_TYPES : CLIENT_TYPES);
    const typeName = TYPE_NAMES[type];
    const isRemote = type === '3' || type === '10';
    const ip = isRemote ? from.ip : '127.0.0.1';
    const port = isRemote ? integer(49_152, 65_535) : 0;
    const packageName = weighted(PACKAGES);
    const process = isRemote ? choice(LOGON_PROCESSES) : 'svchost.exe';
    const pid = integer(150, 1_400) * 4;
    const guid = uuid4().toUpperCase();
    const id = hex(nextLuid());
    sessions.push({
      id,
      host,
      user,
      type,
      typeName,
      ip,
      start: micros / SECOND,
      processes: 0,
      special: user.admin,
    });
    const record = recordOf(host);
    const source = isRemote ? `"source": {"ip": "${ip}", "port": ${port}, "domain": "${from.name}"}, ` : '';
    const isNtlm = packageName === 'NTLM';
    return `${head(iso, host, 'none', '4624', 'logged-in')}"category": ["authentication"], "type": ["start"], "outcome": "success"}, "user": {${person(user)}}, ${source}"process": {"pid": ${pid}, "name": "${process}", "executable": "${SYSTEM32}${process}"}, ${winlog(host, '4624', 'Success', lsassOf(host), record, 'Logon', 2)}"activity_id": "{${guid}}", "logon": {"id": "${id}", "type": "${typeName}"}, "event_data": {"AuthenticationPackageName": "${packageName}", "ElevatedToken": "${user.admin ? '%%1842' : '%%1843'}", "ImpersonationLevel": "%%1833", "IpAddress": "${ip}", "IpPort": "${port}", "KeyLength": "${isNtlm ? 128 : 0}", "LmPackageName": "${isNtlm ? 'NTLM V2' : '-'}", "LogonGuid": "{${guid}}", "LogonProcessName": "${isRemote ? packageName : 'User32'}", "LogonType": "${type}", "SubjectDomainName": "${netbios}", "SubjectLogonId": "0x3e7", "SubjectUserName": "${host.name}$", "SubjectUserSid": "S-1-5-18", "TargetDomainName": "${netbios}", "TargetLogonId": "${id}", "TargetUserName": "${user.name}", "TargetUserSid": "${domain_sid}-${user.rid}", "VirtualAccount": "%%1843", "WorkstationName": "${isRemote ? from.name : host.name}"}}, "message": "Logon of ${netbios}\\\\${user.name} on ${host.name} from ${ip}, type ${type} (${typeName}), package ${packageName}"}`;
  };

  const logoff = (iso, micros) => {
    if (sessions.length < 5) return null;
    const index = integer(0, sessions.length - 1);
    const session = sessions[index];
    const seconds = Math.trunc(micros / SECOND - session.start);
    if (session.processes > 0 || seconds < 2) return null;
    sessions.splice(index, 1);
    const { host, user, type } = session;
    const isByUser = type === '2' || type === '10' || type === '11';
    const code = isByUser ? '4647' : '4634';
    const guid = uuid4();
    integer(20, 2_600);
    const record = recordOf(host);
    const pid = integer(150, 250) * 4;
    return `${head(iso, host, 'none', code, 'logged-out')}"category": ["authentication"], "type": ["end"], "outcome": "success", "start": "${isoOf(micros - seconds * SECOND)}", "end": "${iso}", "duration": ${seconds * 1_000_000_000}}, "user": {${person(user)}}, "source": {"ip": "${session.ip}"}, "process": {"pid": ${pid}, ${LSASS}}, ${winlog(host, code, 'Success', lsassOf(host), record, 'Logoff', 0)}${activity(guid)}"logon": {"id": "${session.id}", "type": "${session.typeName}"}, "event_data": {"LogonType": "${type}", "TargetDomainName": "${netbios}", "TargetLogonId": "${session.id}", "TargetUserName": "${user.name}", "TargetUserSid": "${domain_sid}-${user.rid}"}}, "message": "Logoff of ${netbios}\\\\${user.name} on ${host.name} after ${seconds} s, logon ${session.id}, type ${type} (${session.typeName}), ${isByUser ? 'asked for by the user' : 'connection closed'}"}`;
  };

  const logonFailed = (iso) => {
    const failure = weighted(failures);
    const host = weighted(hosts);
    const from = one(samples.hosts);
    const user = one(samples.users);
    const name =
      failure.known === 'yes'
        ? user.name
        : choice(['scanner', 'kiosk', 'administrator', 'svc-old', 'test', `${user.name}1`]);
    const type = weighted(FAILED_TYPES);
    const typeName = TYPE_NAMES[type];
    const isRemote = type === '3' || type === '10';
    const ip = isRemote ? from.ip : '127.0.0.1';
    const port = isRemote ? integer(49_152, 65_535) : 0;
    const packageName = weighted(FAILED_PACKAGES);
    const guid = uuid4();
    const pid = integer(150, 1_400) * 4;
    if (failure.sub_status === '0xc000006a') {
      failed.push({ user, from: from.name, ip: from.ip });
      if (failed.length > 50) failed.shift();
    }
    const record = recordOf(host);
    const source = isRemote ? `"source": {"ip": "${ip}", "port": ${port}, "domain": "${from.name}"}, ` : '';
    const { status, sub_status, reason } = failure;
    return `${head(iso, host, 'none', '4625', 'logon-failed')}"category": ["authentication"], "type": ["start"], "outcome": "failure", "reason": "${reason}"}, "user": {"id": "S-1-0-0", "name": "${name}", "domain": "${netbios}"}, ${source}"process": {"pid": ${pid}, "name": "svchost.exe", "executable": "${SYSTEM32}svchost.exe"}, ${winlog(host, '4625', 'Failure', lsassOf(host), record, 'Logon', 0)}${activity(guid)}"logon": {"type": "${typeName}", "failure": {"status": "${status}", "sub_status": "${sub_status}"}}, "event_data": {"AuthenticationPackageName": "${packageName}", "FailureReason": "${failure.code}", "IpAddress": "${ip}", "IpPort": "${port}", "KeyLength": "0", "LmPackageName": "-", "LogonProcessName": "${packageName === 'NTLM' ? 'NtLmSsp' : 'User32'}", "LogonType": "${type}", "Status": "${status}", "SubStatus": "${sub_status}", "SubjectDomainName": "${netbios}", "SubjectLogonId": "0x3e7", "SubjectUserName": "${host.name}$", "SubjectUserSid": "S-1-5-18", "TargetDomainName": "${netbios}", "TargetUserName": "${name}", "TargetUserSid": "S-1-0-0", "TransmittedServices": "-", "WorkstationName": "${isRemote ? from.name : host.name}"}}, "message": "Failed logon of ${netbios}\\\\${name} on ${host.name} from ${ip}, type ${type} (${typeName}): ${reason}"}`;
  };

  const explicitLogon = (iso) => {
    if (sessions.length < 5) return null;
    const session = one(sessions);
    const { host, user } = session;
    const server = weighted(hosts);
    const other = one(admins);
    const program = weighted(RUNNERS);
    const isLocal = chance(0.4);
    const target = isLocal ? 'localhost' : `${server.name}.${domain}`;
    const service = choice(SERVICES);
    const ip = isLocal ? '127.0.0.1' : server.ip;
    const drawnPort = choice(PORTS);
    const port = isLocal ? 0 : drawnPort;
    const pid = integer(300, 3_000) * 4;
    const guid = uuid4().toUpperCase();
    const record = recordOf(host);
    return `${head(iso, host, 'none', '4648', 'logged-in-explicit')}"category": ["authentication"], "type": ["start"], "outcome": "success"}, "user": {${person(user)}, "effective": {"id": "${domain_sid}-${other.rid}", "name": "${other.name}", "domain": "${netbios}"}}, "destination": {"ip": "${ip}", "port": ${port}, "domain": "${target.toLowerCase()}"}, "process": {"pid": ${pid}, "name": "${program}", "executable": "${SYSTEM32}${program}"}, ${winlog(host, '4648', 'Success', lsassOf(host), record, 'Logon', 0)}"activity_id": "{${guid}}", "logon": {"id": "${session.id}"}, "event_data": {"IpAddress": "${ip}", "IpPort": "${port}", "LogonGuid": "{00000000-0000-0000-0000-000000000000}", "ProcessId": "${hex(pid)}", "ProcessName": "${SYSTEM32}${program}", "SubjectDomainName": "${netbios}", "SubjectLogonId": "${session.id}", "SubjectUserName": "${user.name}", "SubjectUserSid": "${domain_sid}-${user.rid}", "TargetDomainName": "${netbios}", "TargetInfo": "${isLocal ? 'localhost' : `${service}/${target}`}", "TargetLogonGuid": "{${guid}}", "TargetServerName": "${target}", "TargetUserName": "${other.name}"}}, "message": "${netbios}\\\\${user.name} on ${host.name} used the credentials of ${netbios}\\\\${other.name} for ${target}"}`;
  };

  const specialPrivileges = (iso) => {
    const session = sessions.find(({ special }) => special);
    let [host, name, sid, accountDomain, logonId] = [];
    if (session !== undefined) {
      session.special = false;
      host = session.host;
      name = session.user.name;
      sid = `${domain_sid}-${session.user.rid}`;
      accountDomain = netbios;
      logonId = session.id;
    } else {
      host = weighted(hosts);
      [name, sid, logonId] = weighted(ACCOUNTS);
      accountDomain = 'NT AUTHORITY';
    }
    const more = PRIVILEGES.slice();
    for (let last = more.length - 1; last > 0; last--) {
      const other = integer(0, last);
      [more[last], more[other]] = [more[other], more[last]];
    }
    const list = `SeSecurityPrivilege, SeBackupPrivilege, SeRestorePrivilege, SeDebugPrivilege, SeImpersonatePrivilege, ${more[0]}, ${more[1]}, ${more[2]}`;
    const guid = uuid4();
    const pid = integer(150, 250) * 4;
    const record = recordOf(host);
    return `${head(iso, host, 'none', '4672', 'logged-in-special')}"category": ["iam"], "type": ["admin"], "outcome": "success"}, "user": {"id": "${sid}", "name": "${name}", "domain": "${accountDomain}", "roles": ["administrator"]}, "process": {"pid": ${pid}, ${LSASS}}, ${winlog(host, '4672', 'Success', lsassOf(host), record, 'Special Logon', 0)}${activity(guid)}"logon": {"id": "${logonId}"}, "event_data": {"PrivilegeList": ["${list.replaceAll(', ', '", "')}"], "SubjectDomainName": "${accountDomain}", "SubjectLogonId": "${logonId}", "SubjectUserName": "${name}", "SubjectUserSid": "${sid}"}}, "message": "Special privileges for ${accountDomain}\\\\${name} on ${host.name}, logon ${logonId}: ${list}"}`;
  };

  const processStart = (iso, micros) => {
    if (processes.length >= params.max_processes) return null;
    const program = weighted(programs);
    let session = program.who === 'user' && sessions.length > 0 ? one(sessions) : null;
    if (session !== null && (session.type === '3' || session.type === '5')) session = null;
    const host = session === null ? weighted(hosts) : session.host;
    const name = session === null ? `${host.name}$` : session.user.name;
    const sid = session === null ? 'S-1-5-18' : `${domain_sid}-${session.user.rid}`;
    const logonId = session === null ? '0x3e7' : session.id;
    if (session !== null) session.processes++;
    const pid = integer(300, 6_000) * 4;
    const parentPid = integer(150, 3_000) * 4;
    const args = one(program.args);
    const command = json(`"${program.path}" ${args}`.trim());
    const entity = uuid4();
    processes.push({ entity, pid, program, host, session, name, sid, logonId, start: micros / SECOND });
    const record = recordOf(host);
    const shownPid = hex(pid);
    return `${head(iso, host, 'none', '4688', 'created-process')}"category": ["process"], "type": ["start"], "outcome": "success"}, "user": {"id": "${sid}", "name": "${name}", "domain": "${netbios}"}, "process": {"entity_id": "${entity}", "pid": ${pid}, "name": "${program.name}", "executable": ${program.pathJson}, "command_line": ${command}, "start": "${iso}", "parent": {"pid": ${parentPid}, "name": "${program.parent_name}", "executable": ${program.parentJson}}}, ${winlog(host, '4688', 'Success', 4, record, 'Process Creation', 2)}"logon": {"id": "${logonId}"}, "event_data": {"CommandLine": ${command}, "MandatoryLabel": "${program.integrity}", "NewProcessId": "${shownPid}", "NewProcessName": ${program.pathJson}, "ParentProcessName": ${program.parentJson}, "ProcessId": "${hex(parentPid)}", "SubjectDomainName": "${netbios}", "SubjectLogonId": "${logonId}", "SubjectUserName": "${name}", "SubjectUserSid": "${sid}", "TargetDomainName": "-", "TargetLogonId": "0x0", "TargetUserName": "-", "TargetUserSid": "S-1-0-0", "TokenElevationType": "${program.who === 'system' ? '%%1936' : '%%1938'}"}}, "message": "Process ${program.name} (${shownPid}) started by ${netbios}\\\\${name} on ${host.name}, parent ${program.parent_name}"}`;
  };

  const processEnd = (iso, micros) => {
    if (processes.length < 5) return null;
    const [process] = processes.splice(integer(0, processes.length - 1), 1);
    const { host, program, pid, session, name, sid, logonId } = process;
    if (session !== null) session.processes--;
    const seconds = Math.trunc(micros / SECOND - process.start);
    const status = weighted(EXITS);
    const started = isoOf(micros - seconds * SECOND);
    const guid = uuid4();
    const record = recordOf(host);
    const shownPid = hex(pid);
    const shownStatus = hex(status);
    return `${head(iso, host, 'none', '4689', 'exited-process')}"category": ["process"], "type": ["end"], "outcome": "success", "start": "${started}", "duration": ${seconds * 1_000_000_000}}, "user": {"id": "${sid}", "name": "${name}", "domain": "${netbios}"}, "process": {"entity_id": "${process.entity}", "pid": ${pid}, "name": "${program.name}", "executable": ${program.pathJson}, "exit_code": ${status}, "start": "${started}", "end": "${iso}", "uptime": ${seconds}, "parent": {"name": "${program.parent_name}", "executable": ${program.parentJson}}, "hash": {"sha256": "${program.sha256}"}}, ${winlog(host, '4689', 'Success', 4, record, 'Process Termination', 0)}${activity(guid)}"logon": {"id": "${logonId}"}, "event_data": {"ProcessId": "${shownPid}", "ProcessName": ${program.pathJson}, "Status": "${shownStatus}", "SubjectDomainName": "${netbios}", "SubjectLogonId": "${logonId}", "SubjectUserName": "${name}", "SubjectUserSid": "${sid}"}}, "message": "Process ${program.name} (${shownPid}) of ${netbios}\\\\${name} on ${host.name} ended after ${seconds} s with status ${shownStatus}"}`;
  };

  const kerberos = (iso) => {
    const isFresh = tickets.length < 20 || chance(0.3);
    let [user, from, service, serviceRid] = [];
    if (isFresh) {
      user = weighted(users);
      from = weighted(hosts);
      tickets.push({ user, from });
      if (tickets.length > params.max_tickets) tickets.shift();
      [service, serviceRid] = ['krbtgt', 502];
    } else {
      ({ user, from } = one(tickets));
      const server = weighted(hosts);
      [service, serviceRid] = [`${server.name}$`, (server.first_record % 8_000) + 2_000];
    }
    const code = isFresh ? '4768' : '4769';
    const host = weighted(controllers);
    const status = weighted(TICKET_STATES);
    const port = integer(49_152, 65_535);
    const cipher = weighted(CIPHERS);
    const options = choice(TICKET_OPTIONS);
    const guid = uuid4().toUpperCase();
    const record = recordOf(host);
    const isGood = status === '0x0';
    const action = isFresh ? 'authentication' : 'service';
    return `${head(iso, host, 'none', code, `kerberos-${action}-ticket-requested`)}"category": ["authentication"], "type": ["start"], "outcome": "${isGood ? 'success' : 'failure'}"}, "user": {${person(user)}}, "service": {"name": "${service}"}, "source": {"ip": "${from.ip}", "port": ${port}}, ${winlog(host, code, isGood ? 'Success' : 'Failure', lsassOf(host), record, isFresh ? 'Kerberos Authentication Service' : 'Kerberos Service Ticket Operations', 0)}"activity_id": "{${guid}}", "event_data": {"IpAddress": "::ffff:${from.ip}", "IpPort": "${port}", ${isFresh ? `"PreAuthType": "${isGood ? 2 : 0}"` : `"LogonGuid": "{${guid}}"`}, "ServiceName": "${service}", "ServiceSid": "${domain_sid}-${serviceRid}", "Status": "${status}", "TargetDomainName": "${domain.toUpperCase()}", "TargetSid": "${domain_sid}-${user.rid}", "TargetUserName": "${isFresh ? user.name : `${user.name}@${domain.toUpperCase()}`}", "TicketEncryptionType": "${isGood ? cipher : '0xffffffff'}", "TicketOptions": "${options}"}}, "message": "Kerberos ${isFresh ? 'ticket-granting ticket' : 'service ticket'} for ${user.name} from ${from.ip}: service ${service}, status ${status}, encryption ${cipher}"}`;
  };

  const ntlm = (iso) => {
    const host = weighted(controllers);
    const user = weighted(users);
    const from = weighted(hosts);
    const status = weighted(NTLM_STATES);
    const name = status === '0xc0000064' ? `${user.name}${integer(1, 9)}` : user.name;
    const isGood = status === '0x0';
    const pid = integer(150, 250) * 4;
    const guid = uuid4();
    const record = recordOf(host);
    return `${head(iso, host, 'none', '4776', 'credential-validated')}"category": ["authentication"], "type": ["start"], "outcome": "${isGood ? 'success' : 'failure'}"}, "user": {"name": "${name}", "domain": "${netbios}"}, "source": {"ip": "${from.ip}", "domain": "${from.name}"}, "process": {"pid": ${pid}, ${LSASS}}, ${winlog(host, '4776', isGood ? 'Success' : 'Failure', lsassOf(host), record, 'Credential Validation', 0)}${activity(guid)}"event_data": {"PackageName": "MICROSOFT_AUTHENTICATION_PACKAGE_V1_0", "Status": "${status}", "TargetUserName": "${name}", "Workstation": "${from.name}"}}, "message": "NTLM password check of ${netbios}\\\\${name} from ${from.name} on ${host.name}: status ${status}${isGood ? '' : ', refused'}"}`;
  };

  const accountChange = (iso, micros) => {
    const host = weighted(controllers);
    let user = one(admins);
    const [code, action, kind, done] = weighted(CHANGES);
    const rid = nextRid;
    let target;
    if (code === '4720' && accounts.length < 50) {
      target = {
        name: `temp-${String(rid).padStart(4, '0')}`,
        rid,
        full_name: `Temporary account ${rid}`,
      };
      accounts.push(target);
      nextRid++;
    } else if (code === '4726' && accounts.length > 0) target = accounts.shift();
    else if (code === '4720' || code === '4726') return null;
    else target = weighted(users);
    if (code === '4723') user = target;
    const logonId = hex(nextLuid());
    const guid = uuid4();
    const record = recordOf(host);
    const start = `${head(iso, host, 'none', code, action)}"category": ["iam"], "type": ["user", "${kind}"], "outcome": "success"}, "user": {${person(user)}, "target": {${person(target)}}}, ${winlog(host, code, 'Success', lsassOf(host), record, 'User Account Management', 0)}${activity(guid)}"logon": {"id": "${logonId}"}, "event_data": {`;
    const details =
      code === '4720' || code === '4738'
        ? `"AccountExpires": "%%1794", "AllowedToDelegateTo": "-", "DisplayName": ${json(target.full_name)}, "HomeDirectory": "-", "NewUacValue": "${code === '4720' ? '0x15' : '0x10'}", "OldUacValue": "${code === '4720' ? '0x0' : '0x10'}", "PasswordLastSet": "${usTime(micros)}", "PrimaryGroupId": "513", "SamAccountName": "${target.name}", "UserPrincipalName": "${target.name}@${domain}", `
        : '';
    return `${start}${details}"SubjectDomainName": "${netbios}", "SubjectLogonId": "${logonId}", "SubjectUserName": "${user.name}", "SubjectUserSid": "${domain_sid}-${user.rid}", "TargetDomainName": "${netbios}", "TargetSid": "${domain_sid}-${target.rid}", "TargetUserName": "${target.name}"}}, "message": "Account ${netbios}\\\\${target.name} ${done} by ${netbios}\\\\${user.name} on ${host.name}"}`;
  };

  const groupChange = (iso) => {
    const isAdded = members.length < 10 || (members.length < 60 && chance(0.55));
    const user = one(admins);
    let pair;
    if (isAdded) {
      pair = { group: weighted(groups), member: weighted(users) };
      members.push(pair);
    } else [pair] = members.splice(integer(0, members.length - 1), 1);
    const { group, member } = pair;
    const isLocal = group.scope === 'local';
    const host = weighted(isLocal ? hosts : controllers);
    const groupSid = `${isLocal ? 'S-1-5-32' : domain_sid}-${group.rid}`;
    const code = isLocal ? (isAdded ? '4732' : '4733') : isAdded ? '4728' : '4729';
    const logonId = hex(nextLuid());
    const guid = uuid4();
    const record = recordOf(host);
    const groupDomain = isLocal ? 'Builtin' : netbios;
    const action = isAdded ? 'added-member-to-group' : 'removed-member-from-group';
    return `${head(iso, host, 'none', code, action)}"category": ["iam"], "type": ["group", "change"], "outcome": "success"}, "user": {${person(user)}, "target": {"id": "${domain_sid}-${member.rid}", "name": "${member.name}", "domain": "${netbios}"}}, "group": {"id": "${groupSid}", "name": "${group.name}", "domain": "${groupDomain}"}, ${winlog(host, code, 'Success', lsassOf(host), record, 'Security Group Management', 0)}${activity(guid)}"logon": {"id": "${logonId}"}, "event_data": {"MemberName": ${json(`CN=${member.full_name},OU=${member.department},DC=${container}`)}, "MemberSid": "${domain_sid}-${member.rid}", "PrivilegeList": "-", "SubjectDomainName": "${netbios}", "SubjectLogonId": "${logonId}", "SubjectUserName": "${user.name}", "SubjectUserSid": "${domain_sid}-${user.rid}", "TargetDomainName": "${groupDomain}", "TargetSid": "${groupSid}", "TargetUserName": "${group.name}"}}, "message": "${netbios}\\\\${member.name} ${isAdded ? 'joined' : 'left'} the group ${group.name} on ${host.name}, changed by ${netbios}\\\\${user.name}"}`;
  };

  const lockout = (iso) => {
    if (failed.length < 3) return null;
    const { user, ip, from } = failed.shift();
    const host = weighted(controllers);
    const guid = uuid4();
    const pid = integer(150, 250) * 4;
    const count = weighted(LOCKOUTS);
    const record = recordOf(host);
    return `${head(iso, host, 'none', '4740', 'locked-out-user-account')}"category": ["iam"], "type": ["user", "change"], "outcome": "success"}, "user": {"id": "S-1-5-18", "name": "${host.name}$", "domain": "${netbios}", "target": {${person(user)}}}, "source": {"ip": "${ip}", "domain": "${from}"}, "process": {"pid": ${pid}, ${LSASS}}, ${winlog(host, '4740', 'Success', lsassOf(host), record, 'User Account Management', 0)}${activity(guid)}"logon": {"id": "0x3e7"}, "event_data": {"SubjectDomainName": "${netbios}", "SubjectLogonId": "0x3e7", "SubjectUserName": "${host.name}$", "SubjectUserSid": "S-1-5-18", "TargetDomainName": "${from}", "TargetSid": "${domain_sid}-${user.rid}", "TargetUserName": "${user.name}"}}, "message": "Account ${netbios}\\\\${user.name} locked out after ${count} wrong passwords, caller ${from}"}`;
  };

  const nothing = () => null;
  return {
    logon,
    logoff,
    'logon-failed': logonFailed,
    'explicit-logon': explicitLogon,
    'special-privileges': specialPrivileges,
    'process-start': processStart,
    'process-end': processEnd,
    kerberos,
    ntlm,
    'account-change': accountChange,
    'group-change': groupChange,
    lockout,
    'attack-brute-force': nothing,
    'attack-privilege-change': nothing,
    'attack-lateral-movement': nothing,
  };
};
