/** The library generator cloud-cloudtrail by hand, without its attacks. */
import { createHash } from 'node:crypto';
import { endsOf } from './draws.mjs';
import { json } from './texts.mjs';

const TLS = [['1.3', '1.2'], endsOf([82, 18])];
const LOGIN_OUTCOMES = [['success', 'failure'], endsOf([93, 7])];
const MFA = [['Yes', 'No'], endsOf([88, 12])];
const MOBILE = [['No', 'Yes'], endsOf([97, 3])];
const TARGETS = ['console/home', 'ec2/home', 's3/buckets', 'cloudwatch/home', 'rds/home'];
const REGION_ENDS = endsOf([80, 12, 8]);
const WRITES = [['none', 'PutObject', 'PutImage', 'PublishVersion'], endsOf([60, 22, 12, 6])];
const WRITE_SERVICES = { PutObject: 's3', PutImage: 'ecr', PublishVersion: 'lambda' };
const WRITE_PARAMETERS = { PutObject: 'key', PutImage: 'imageTag', PublishVersion: 'functionName' };
const OBJECT_ACTIONS = [
  ['GetObject', 'PutObject', 'HeadObject', 'ListObjects', 'DeleteObject', 'CopyObject'],
  endsOf([58, 18, 10, 8, 3, 3]),
];
const FAILURES = [['', 'ThrottlingException', 'ValidationException'], endsOf([97, 2, 1])];
const FAILURE_TEXTS = {
  '': '',
  ThrottlingException: 'Rate exceeded',
  ValidationException: 'The value of a parameter is not valid.',
};
const PAGE_SIZES = [[20, 50, 100, 1_000], endsOf([20, 40, 30, 10])];
const BROWSERS = new Set(['Chrome', 'Firefox', 'Safari', 'Edge']);
const KEY_ACTIONS = [['Decrypt', 'GenerateDataKey', 'DescribeKey', 'Encrypt'], endsOf([55, 30, 10, 5])];
const THROUGH = [['s3.amazonaws.com', 'secretsmanager.amazonaws.com', ''], endsOf([70, 12, 18])];
const KEY_RETRIES = [[0, 1, 2], endsOf([94, 5, 1])];
const FUNCTION_ACTIONS = [
  ['Invoke', 'GetFunction', 'UpdateFunctionCode', 'UpdateFunctionConfiguration'],
  endsOf([86, 7, 4, 3]),
];
const INVOCATIONS = [['Event', 'RequestResponse', 'DryRun'], endsOf([60, 38, 2])];
const INSTANCE_ACTIONS = [
  ['RunInstances', 'StopInstances', 'StartInstances', 'TerminateInstances'],
  endsOf([40, 20, 15, 25]),
];
const NEEDED_STATES = {
  RunInstances: 'none',
  StopInstances: 'running',
  StartInstances: 'stopped',
  TerminateInstances: 'running',
};
const NEXT_STATES = { StopInstances: 'stopped', StartInstances: 'running', TerminateInstances: 'terminated' };
const PREVIOUS = {
  RunInstances: 'pending',
  StopInstances: 'running',
  StartInstances: 'stopped',
  TerminateInstances: 'running',
};
const CURRENT = {
  RunInstances: 'running',
  StopInstances: 'stopping',
  StartInstances: 'pending',
  TerminateInstances: 'shutting-down',
};
const INSTANCE_TYPES = {
  RunInstances: 'creation',
  StopInstances: 'end',
  StartInstances: 'start',
  TerminateInstances: 'deletion',
};
const MACHINES = [
  ['t3.medium', 'm7g.large', 'm7i.xlarge', 'c7g.2xlarge', 'r7i.xlarge'],
  endsOf([40, 25, 15, 12, 8]),
];
const IAM_ACTIONS = [
  [
    'AddUserToGroup',
    'RemoveUserFromGroup',
    'TagUser',
    'UpdateAccessKey',
    'AttachRolePolicy',
    'PutRolePolicy',
    'UpdateAssumeRolePolicy',
    'ChangePassword',
  ],
  endsOf([18, 10, 14, 8, 20, 14, 8, 8]),
];
const ON_ROLES = new Set(['AttachRolePolicy', 'PutRolePolicy', 'UpdateAssumeRolePolicy']);
const IAM_OUTCOMES = [['success', 'failure'], endsOf([97, 3])];
const POLICIES = [
  'ReadOnlyAccess',
  'AmazonS3ReadOnlyAccess',
  'CloudWatchLogsFullAccess',
  'AmazonSQSFullAccess',
  'AWSLambda_FullAccess',
];
const DENIALS = [['AccessDenied', 'UnauthorizedOperation', 'AccessDeniedException'], endsOf([50, 20, 30])];
const REASONS = [
  [
    'no identity-based policy allows',
    'a service control policy denies',
    'a permissions boundary does not allow',
    'no session policy allows',
  ],
  endsOf([70, 15, 10, 5]),
];

const base64 = (text) => Buffer.from(text, 'latin1').toString('base64');

export const make = ({ draws, samples, params }) => {
  const { integer, choice, chance, one, uuid4, hex, uppercase, lognormal } = draws;
  const { account_id, account_name, partner_account_id, domain } = params;
  const weighted = ([items, ends]) => draws.weighted(items, ends);
  const withEnds = (rows) => [rows, endsOf(rows.map(({ weight }) => weight))];
  const users = withEnds(samples.users);
  const calls = withEnds(samples.read_calls);
  const roles = withEnds(samples.roles);
  const buckets = withEnds(samples.buckets);
  const regions = [[params.region, 'eu-central-1', 'eu-west-1'], REGION_ENDS];
  const people = samples.users.filter(({ kind }) => kind === 'person');
  const networksOf = (...uses) => samples.networks.filter(({ use }) => uses.includes(use));
  const agentsOf = (...kinds) => samples.agents.filter(({ kind }) => kinds.includes(kind));
  const [inside, cloud, office] = [networksOf('office', 'home'), networksOf('cloud'), networksOf('office')];
  const [browsers, tools] = [agentsOf('browser'), agentsOf('tool')];
  const roleNetworks = { sso: inside, service: cloud, cross: cloud };
  const roleAgents = {
    sso: agentsOf('browser', 'tool'),
    service: agentsOf('sdk'),
    cross: agentsOf('sdk', 'tool'),
  };
  const functionRoles = samples.roles.filter(({ service }) => service === 'lambda.amazonaws.com');

  const sessions = [];
  let instances = [];
  const keyCalls = new Map();
  const keyUses = new Map();
  const versions = new Map();
  let changes = 0;
  let denials = 0;

  const addSession = (session) => {
    if (sessions.length >= params.max_sessions) sessions.shift();
    sessions.push(session);
  };

  const head = (iso, region, service, more = '') =>
    `{"@timestamp": "${iso}", "ecs": {"version": "8.17.0"}, "cloud": {"provider": "aws", "region": "${region}", "account": {"id": "${account_id}", "name": "${account_name}"}, "service": {"name": "${service}"}${more}}, `;

  const event = (id, service, action, rest) =>
    `"event": {"id": "${id}", "kind": "event", "module": "aws", "dataset": "aws.cloudtrail", "provider": "${service}.amazonaws.com", "action": "${action}", ${rest}}, `;

  const trail = (requestId, isReadOnly, { type = 'AwsApiCall', isManagement = true } = {}) =>
    `"aws": {"cloudtrail": {"event_version": "1.11", "event_type": "${type}", "event_category": "${isManagement ? 'Management' : 'Data'}", "management_event": ${isManagement}, "read_only": ${isReadOnly}, "recipient_account_id": "${account_id}", "request_id": "${requestId}", `;

  const identity = (session, more = '') =>
    `"user_identity": {"type": "${session.type}", "arn": "${session.arn}", "access_key_id": "${session.key}", ${more}"session_context": {"mfa_authenticated": "${session.mfa}", "creation_date": "${session.created}", "session_issuer": ${session.issuer}}}, `;

  const addressOf = (ip, network) =>
    `"address": "${ip}", "ip": "${ip}", "as": {"number": ${network.asn}, "organization": {"name": "${network.organization}"}}, "geo": {"country_iso_code": "${network.country}", "city_name": "${network.city}"}`;

  const agentOf = (original, agent) =>
    `"user_agent": {"original": ${original}, "name": "${agent.name}", "os": {"name": "${agent.os}"}}, `;

  const end = (tls, host, related, ip) =>
    `"tls": {"version": "${tls}", "version_protocol": "tls", "cipher": "${tls === '1.3' ? 'TLS_AES_128_GCM_SHA256' : 'ECDHE-RSA-AES128-GCM-SHA256'}", "client": {"server_name": "${host}"}}, "labels": {"anomaly": "none"}, "related": {"user": [${related}], "ip": ["${ip}"]}}`;

  /** The part of a session's event behind the trail. */
  const sessionEnd = (session, tls, host, target = null) => {
    const more = target === null ? '' : `, "target": {"name": "${target}"}`;
    const related = target === null ? `"${session.name}"` : `"${session.name}", "${target}"`;
    return `"source": {${addressOf(session.ip, session.network)}}, "user": {"id": "${session.principalId}", "name": "${session.name}"${more}}, ${agentOf(session.original, session.agent)}${end(tls, host, related, session.ip)}`;
  };

  const assumeRole = (iso) => {
    const role = weighted(roles);
    const person = one(people);
    const network = one(roleNetworks[role.kind]);
    const agent = one(roleAgents[role.kind]);
    const ip = network.prefix + integer(0, 9);
    const region = weighted(regions);
    const isSso = role.kind === 'sso';
    const isService = role.kind === 'service';
    const action = isSso ? 'AssumeRoleWithSAML' : 'AssumeRole';
    const name = isSso ? `${person.name}@${domain}` : `${role.name.toLowerCase()}-${hex(8)}`;
    const key = `ASIA${uppercase(9)}EXAMPLE`;
    const roleArn = `arn:aws:iam::${account_id}:role${role.path}${role.name}`;
    const arn = `arn:aws:sts::${account_id}:assumed-role/${role.name}/${name}`;
    const mfa = isSso && chance(0.9) ? 'true' : 'false';
    const eventId = uuid4();
    const requestId = uuid4();
    const tls = weighted(TLS);
    const principalId = `${role.id}:${name}`;
    addSession({
      type: 'AssumedRole',
      key,
      arn,
      principalId,
      name,
      isPerson: isSso,
      mfa,
      created: iso,
      region,
      ip,
      network,
      agent,
      original: json(agent.original),
      issuer: `{"type": "Role", "principal_id": "${role.id}", "arn": "${roleArn}", "account_id": "${account_id}"}`,
    });
    const who = isService
      ? `"type": "AWSService", "invoked_by": "${role.service}"`
      : isSso
        ? `"type": "SAMLUser", "principal_id": "${person.principal_id}:${name}"`
        : `"type": "AWSAccount", "account_id": "${partner_account_id}"`;
    const source = isService ? `"address": "${role.service}"` : addressOf(ip, network);
    const original = json(isService ? role.service : agent.original);
    return `${head(iso, region, 'sts')}${event(eventId, 'sts', action, '"category": ["authentication"], "type": ["start"], "outcome": "success"')}${trail(requestId, true)}"user_identity": {${who}}, "resources": [{"type": "AWS::IAM::Role", "account_id": "${account_id}", "arn": "${roleArn}"}], "request_parameters": "{durationSeconds=${role.max_seconds}, roleSessionName=${name}, roleArn=${roleArn}}", "response_elements": "{assumedRoleUser={assumedRoleId=${principalId}, arn=${arn}}, credentials={accessKeyId=${key}}}", "flattened": {"request_parameters": {"roleArn": "${roleArn}", "roleSessionName": "${name}", "durationSeconds": ${role.max_seconds}}, "response_elements": {"credentials": {"accessKeyId": "${key}"}}}}}, "source": {${source}}, "user": {"id": "${principalId}", "name": "${name}", "roles": ["${role.name}"]}, ${agentOf(original, agent)}${end(tls, 'sts.amazonaws.com', `"${name}", "${role.name}"`, ip)}`;
  };

  const consoleLogin = (iso) => {
    const user = one(people);
    const network = one(inside);
    const agent = one(browsers);
    const ip = network.prefix + integer(0, 9);
    const outcome = weighted(LOGIN_OUTCOMES);
    const mfa = weighted(MFA);
    const mobile = weighted(MOBILE);
    const arn = `arn:aws:iam::${account_id}:user/${user.team}/${user.name}`;
    const loginTo = `https://console.aws.amazon.com/${choice(TARGETS)}?region=${params.region}`;
    const key = `ASIA${uppercase(9)}EXAMPLE`;
    const eventId = uuid4();
    const requestId = uuid4();
    const tls = weighted(TLS);
    const isGood = outcome === 'success';
    const original = json(agent.original);
    if (isGood) {
      addSession({
        type: 'IAMUser',
        key,
        arn,
        principalId: user.principal_id,
        name: user.name,
        isPerson: true,
        mfa: mfa === 'Yes' ? 'true' : 'false',
        created: iso,
        region: params.region,
        ip,
        network,
        agent,
        original,
        issuer: '{}',
      });
    }
    const shown = isGood ? 'Success' : 'Failure';
    const target = json(loginTo);
    return `${head(iso, params.region, 'signin')}${event(eventId, 'signin', 'ConsoleLogin', `"category": ["authentication"], "type": ["start"], "outcome": "${outcome}"`)}${trail(requestId, false, { type: 'AwsConsoleSignIn' })}"user_identity": {"type": "IAMUser", ${isGood ? `"arn": "${arn}"` : '"access_key_id": ""'}}, ${isGood ? '' : '"error_message": "Failed authentication", '}"response_elements": "{ConsoleLogin=${shown}}", "additional_eventdata": "{LoginTo=${loginTo}, MobileVersion=${mobile}, MFAUsed=${mfa}}", "console_login": {"additional_eventdata": {"login_to": ${target}, "mobile_version": ${mobile === 'Yes'}, "mfa_used": ${mfa === 'Yes'}}}, "flattened": {"response_elements": {"ConsoleLogin": "${shown}"}, "additional_eventdata": {"LoginTo": ${target}, "MobileVersion": "${mobile}", "MFAUsed": "${mfa}"}}}}, "source": {${addressOf(ip, network)}}, "user": {"id": "${user.principal_id}", "name": "${user.name}"}, ${agentOf(original, agent)}${end(tls, `${params.region}.signin.aws.amazon.com`, `"${user.name}"`, ip)}`;
  };

  const userKey = (iso) => {
    const user = weighted(users);
    const call = weighted(calls);
    const network = one(user.kind === 'service' ? cloud : office);
    const agent = one(tools);
    const ip = network.prefix + integer(0, 9);
    const write = weighted(WRITES);
    const isRead = write === 'none';
    const service = isRead ? call.service : WRITE_SERVICES[write];
    const action = isRead ? call.action : write;
    const parameter = isRead ? call.parameter : WRITE_PARAMETERS[write];
    const version = `v${integer(1, 9)}.${integer(0, 40)}.${integer(0, 12)}`;
    const value = isRead ? one(call.examples) : version;
    const isThrottled = chance(0.02);
    const arn = `arn:aws:iam::${account_id}:user/${user.team}/${user.name}`;
    const eventId = uuid4();
    const requestId = uuid4();
    const tls = weighted(TLS);
    const count = (keyCalls.get(user.name) ?? 0) + 1;
    keyCalls.set(user.name, count);
    const problem = isThrottled
      ? '"error_code": "ThrottlingException", "error_message": "Rate exceeded", '
      : '';
    const made = `"category": ["${isRead ? call.category : 'configuration'}"], "type": ["${isRead ? 'info' : 'change'}"], "outcome": "${isThrottled ? 'failure' : 'success'}", "sequence": ${count}`;
    return `${head(iso, params.region, service)}${event(eventId, service, action, made)}${trail(requestId, isRead)}"user_identity": {"type": "IAMUser", "arn": "${arn}", "access_key_id": "${user.access_key_id}"}, ${problem}"api_version": "${call.api_version}", "request_parameters": "{${parameter}=${value}}", "response_elements": "${isRead ? 'null' : `{status=ACTIVE, version=${version}}`}", "flattened": {"request_parameters": {"${parameter}": ${json(value)}}}}}, "source": {${addressOf(ip, network)}}, "user": {"id": "${user.principal_id}", "name": "${user.name}"}, ${agentOf(json(agent.original), agent)}${end(tls, `${service}.${params.region}.amazonaws.com`, `"${user.name}"`, ip)}`;
  };

  const s3Object = (iso) => {
    if (sessions.length === 0) return null;
    const session = one(sessions);
    const bucket = weighted(buckets);
    const action = weighted(OBJECT_ACTIONS);
    const isRead = action === 'GetObject' || action === 'HeadObject' || action === 'ListObjects';
    const prefix = one(bucket.prefixes);
    const key = `${prefix}/${iso.slice(0, 4)}/${iso.slice(5, 7)}/${iso.slice(8, 10)}/${hex(12)}.${bucket.extension}`;
    const arn = `arn:aws:s3:::${bucket.name}`;
    const size = Math.trunc(lognormal(bucket.size_mu, 1.1));
    const isMissing = action === 'HeadObject' && chance(0.15);
    const bytesOut = action === 'GetObject' ? size : integer(0, 900);
    const bytesIn = action === 'PutObject' ? size : 0;
    const extended = base64(hex(36));
    const eventId = uuid4();
    const requestId = uuid4();
    const tls = weighted(TLS);
    const kind = isRead ? 'access' : action === 'DeleteObject' ? 'deletion' : 'change';
    const problem = isMissing
      ? '"error_code": "NoSuchKey", "error_message": "The key is not in the bucket.", '
      : '';
    return `${head(iso, session.region, 's3')}${event(eventId, 's3', action, `"category": ["file"], "type": ["${kind}"], "outcome": "${isMissing ? 'failure' : 'success'}"`)}${trail(requestId, isRead, { isManagement: false })}${identity(session)}${problem}"resources": [{"type": "AWS::S3::Object", "arn": "${arn}/${key}"}, {"type": "AWS::S3::Bucket", "account_id": "${account_id}", "arn": "${arn}"}], "request_parameters": "{bucketName=${bucket.name}, Host=${bucket.name}.s3.amazonaws.com, key=${key}}", "flattened": {"request_parameters": {"bucketName": "${bucket.name}", "key": "${key}"}, "additional_eventdata": {"SignatureVersion": "SigV4", "AuthenticationMethod": "AuthHeader", "x-amz-id-2": "${extended}", "bytesTransferredIn": ${bytesIn}, "bytesTransferredOut": ${bytesOut}}}}}, ${sessionEnd(session, tls, 's3.amazonaws.com')}`;
  };

  const apiRead = (iso) => {
    if (sessions.length === 0) return null;
    const session = one(sessions);
    const call = weighted(calls);
    const { service, action, parameter } = call;
    const value = one(call.examples);
    const failure = weighted(FAILURES);
    const pageSize = weighted(PAGE_SIZES);
    const token = base64(`${action}:${pageSize}`);
    const isFromConsole = BROWSERS.has(session.agent.name);
    const eventId = uuid4();
    const requestId = uuid4();
    const tls = weighted(TLS);
    const endpoint = isFromConsole ? '' : `"vpc_endpoint_id": "vpce-${hex(17)}", `;
    const problem =
      failure === '' ? '' : `"error_code": "${failure}", "error_message": "${FAILURE_TEXTS[failure]}", `;
    return `${head(iso, session.region, service)}${event(eventId, service, action, `"category": ["${call.category}"], "type": ["info"], "outcome": "${failure === '' ? 'success' : 'failure'}"`)}${trail(requestId, true)}${identity(session)}"session_credential_from_console": "${isFromConsole}", ${problem}${endpoint}"api_version": "${call.api_version}", "request_parameters": "{${parameter}=${value}, maxResults=${pageSize}, nextToken=${token}}", "flattened": {"request_parameters": {"${parameter}": ${json(value)}, "maxResults": ${pageSize}, "nextToken": "${token}"}}}}, ${sessionEnd(session, tls, `${service}.${session.region}.amazonaws.com`)}`;
  };

  const kms = (iso) => {
    if (sessions.length === 0) return null;
    const session = one(sessions);
    const bucket = weighted(buckets);
    const action = weighted(KEY_ACTIONS);
    const keyArn = `arn:aws:kms:${session.region}:${account_id}:key/${bucket.key_id}`;
    const through = weighted(THROUGH);
    const isDisabled = chance(0.01);
    const bucketArn = `arn:aws:s3:::${bucket.name}`;
    const retries = weighted(KEY_RETRIES);
    const material = hex(64);
    const eventId = uuid4();
    const requestId = uuid4();
    const tls = weighted(TLS);
    const uses = (keyUses.get(bucket.key_id) ?? 0) + 1;
    keyUses.set(bucket.key_id, uses);
    const invoked = through === '' ? '' : `"invoked_by": "${through}", `;
    const problem = isDisabled
      ? `"error_code": "DisabledException", "error_message": "${keyArn} is disabled.", `
      : '';
    return `${head(iso, session.region, 'kms')}${event(eventId, 'kms', action, `"category": ["configuration"], "type": ["access"], "outcome": "${isDisabled ? 'failure' : 'success'}", "sequence": ${uses}`)}${trail(requestId, true)}${identity(session, invoked)}${problem}"resources": [{"type": "AWS::KMS::Key", "account_id": "${account_id}", "arn": "${keyArn}"}], "request_parameters": "{encryptionContext={aws:s3:arn=${bucketArn}}, keyId=${keyArn}, encryptionAlgorithm=SYMMETRIC_DEFAULT}", "flattened": {"request_parameters": {"keyId": "${keyArn}", "encryptionAlgorithm": "SYMMETRIC_DEFAULT", "encryptionContext": {"aws:s3:arn": "${bucketArn}"}}, "additional_eventdata": {"keyMaterialId": "${material}", "retries": ${retries}}}}}, ${sessionEnd(session, tls, 'kms.amazonaws.com')}`;
  };

  const lambda = (iso) => {
    if (sessions.length === 0) return null;
    const session = one(sessions);
    const role = one(functionRoles);
    const action = weighted(FUNCTION_ACTIONS);
    const isRead = action === 'GetFunction';
    const isManagement = action !== 'Invoke';
    const name = role.name.replaceAll('Function', '').toLowerCase();
    const arn = `arn:aws:lambda:${session.region}:${account_id}:function:${name}`;
    if (action === 'UpdateFunctionCode') versions.set(name, (versions.get(name) ?? 1) + 1);
    const version = versions.get(name) ?? 1;
    const invocation = weighted(INVOCATIONS);
    const isBusy = action === 'Invoke' && chance(0.02);
    const payload = Math.trunc(lognormal(6.5, 1));
    const digest = createHash('sha256').update(`${name}:${version}`).digest('hex');
    const eventId = uuid4();
    const requestId = uuid4();
    const tls = weighted(TLS);
    const problem = isBusy
      ? `"error_code": "TooManyRequestsException", "error_message": "The function ${name} is at its limit of concurrent executions.", `
      : '';
    const made = `"category": ["${isManagement ? 'configuration' : 'process'}"], "type": ["${isRead ? 'info' : isManagement ? 'change' : 'start'}"], "outcome": "${isBusy ? 'failure' : 'success'}"`;
    return `${head(iso, session.region, 'lambda')}${event(eventId, 'lambda', action, made)}${trail(requestId, isRead, { isManagement })}${identity(session)}${problem}"resources": [{"type": "AWS::Lambda::Function", "account_id": "${account_id}", "arn": "${arn}"}], "api_version": "2015-03-31", "request_parameters": "{functionName=${arn}, invocationType=${invocation}, qualifier=${version}}", "flattened": {"request_parameters": {"functionName": "${arn}", "invocationType": "${invocation}", "qualifier": "${version}"}, "additional_eventdata": {"functionVersion": "${arn}:${version}", "codeSha256": "${digest}", "payloadBytes": ${payload}}}}}, ${sessionEnd(session, tls, 'lambda.amazonaws.com')}`;
  };

  const ec2Change = (iso) => {
    const open = sessions.filter(({ isPerson }) => isPerson);
    if (open.length === 0) return null;
    const session = one(open);
    const wanted = weighted(INSTANCE_ACTIONS);
    const fitting = instances.filter(({ state }) => state === NEEDED_STATES[wanted]);
    const action =
      fitting.length > 0
        ? wanted
        : instances.length >= params.max_instances
          ? 'TerminateInstances'
          : 'RunInstances';
    const isNew = action === 'RunInstances';
    let instance;
    if (isNew) {
      instance = {
        id: `i-0${hex(16)}`,
        kind: weighted(MACHINES),
        image: `ami-0${hex(16)}`,
        subnet: `subnet-0${hex(16)}`,
        address: `10.${integer(20, 23)}.${integer(0, 255)}.${integer(4, 254)}`,
        state: 'running',
      };
      instances.push(instance);
    } else {
      instance = fitting.length > 0 ? one(fitting) : instances[0];
      instance.state = NEXT_STATES[action];
    }
    instances = instances.filter(({ state }) => state !== 'terminated');
    const eventId = uuid4();
    const requestId = uuid4();
    const tls = weighted(TLS);
    const { id, kind, image, subnet, address } = instance;
    const request = isNew
      ? `{imageId=${image}, instanceType=${kind}, subnetId=${subnet}, minCount=1, maxCount=1}`
      : `{instancesSet={items=[{instanceId=${id}}]}, force=false}`;
    return `${head(iso, session.region, 'ec2', `, "instance": {"id": "${id}"}, "machine": {"type": "${kind}"}`)}${event(eventId, 'ec2', action, `"category": ["host"], "type": ["${INSTANCE_TYPES[action]}"], "outcome": "success"`)}${trail(requestId, false)}${identity(session)}"resources": [{"type": "AWS::EC2::Instance", "account_id": "${account_id}", "arn": "arn:aws:ec2:${session.region}:${account_id}:instance/${id}"}], "request_parameters": "${request}", "response_elements": "{instancesSet={items=[{instanceId=${id}, currentState=${CURRENT[action]}, previousState=${PREVIOUS[action]}}]}}", "flattened": {"request_parameters": {"instanceId": "${id}", "imageId": "${image}", "subnetId": "${subnet}"}, "response_elements": {"instanceId": "${id}", "privateIpAddress": "${address}", "instanceState": {"name": "${CURRENT[action]}"}}}}}, ${sessionEnd(session, tls, 'ec2.amazonaws.com')}`;
  };

  const detailOf = (action, user, policy) => {
    switch (action) {
      case 'AddUserToGroup':
      case 'RemoveUserFromGroup':
        return `groupName=${user.team}`;
      case 'TagUser':
        return `tags=[{key=team, value=${user.team}}]`;
      case 'UpdateAccessKey':
        return `accessKeyId=${user.access_key_id}, status=Inactive`;
      case 'ChangePassword':
        return 'oldPassword=HIDDEN, newPassword=HIDDEN';
      case 'AttachRolePolicy':
        return `policyArn=arn:aws:iam::aws:policy/${policy}`;
      case 'PutRolePolicy':
        return `policyName=inline-${policy}`;
      default:
        return 'policyName=trust';
    }
  };

  const iamChange = (iso) => {
    const open = sessions.filter(({ isPerson }) => isPerson);
    if (open.length === 0) return null;
    const session = one(open);
    const user = one(samples.users);
    const role = one(samples.roles);
    const action = weighted(IAM_ACTIONS);
    const isOnRole = ON_ROLES.has(action);
    const isGroup = action === 'AddUserToGroup' || action === 'RemoveUserFromGroup';
    const kind = isOnRole ? 'admin' : isGroup ? 'group' : 'user';
    const outcome = weighted(IAM_OUTCOMES);
    const target = isOnRole ? role.name : user.name;
    const key = isOnRole ? 'roleName' : 'userName';
    const policy = choice(POLICIES);
    const detail = detailOf(action, user, policy);
    const eventId = uuid4();
    const requestId = uuid4();
    const tls = weighted(TLS);
    changes++;
    const problem =
      outcome === 'failure'
        ? `"error_code": "NoSuchEntityException", "error_message": "${target} was not found.", `
        : '';
    return `${head(iso, 'us-east-1', 'iam')}${event(eventId, 'iam', action, `"category": ["iam"], "type": ["${kind}", "change"], "outcome": "${outcome}", "sequence": ${changes}`)}${trail(requestId, false)}${identity(session)}${problem}"resources": [{"type": "AWS::IAM::${isOnRole ? 'Role' : 'User'}", "account_id": "${account_id}", "arn": "arn:aws:iam::${account_id}:${isOnRole ? 'role' : 'user'}/${target}"}], "api_version": "2010-05-08", "request_parameters": "{${key}=${target}, ${detail}}", "response_elements": "null", "flattened": {"request_parameters": {"${key}": "${target}", "detail": ${json(detail)}}}}}, ${sessionEnd(session, tls, 'iam.amazonaws.com', target)}`;
  };

  const accessDenied = (iso) => {
    if (sessions.length === 0) return null;
    const session = one(sessions);
    const call = one(samples.read_calls);
    const { service, action, parameter } = call;
    const code = weighted(DENIALS);
    const reason = weighted(REASONS);
    const value = one(call.examples);
    const message = json(
      `User ${session.arn} is not authorized to perform ${service}:${action}: ${reason} the action`,
    );
    const retries = integer(0, 3);
    const wait = lognormal(5, 0.8).toFixed(1);
    const eventId = uuid4();
    const requestId = uuid4();
    const tls = weighted(TLS);
    denials++;
    return `${head(iso, session.region, service)}${event(eventId, service, action, `"category": ["${call.category}"], "type": ["denied", "info"], "outcome": "failure", "sequence": ${denials}, "reason": ${message}`)}${trail(requestId, true)}${identity(session)}"error_code": "${code}", "error_message": ${message}, "resources": [{"account_id": "${account_id}", "arn": "arn:aws:${service}:${session.region}:${account_id}:*"}], "api_version": "${call.api_version}", "request_parameters": "{${parameter}=${value}}", "flattened": {"request_parameters": {"${parameter}": ${json(value)}}, "additional_eventdata": {"retries": ${retries}, "waitMs": ${wait}}}}}, ${sessionEnd(session, tls, `${service}.amazonaws.com`)}`;
  };

  const nothing = () => null;
  return {
    'assume-role': assumeRole,
    'console-login': consoleLogin,
    'user-key': userKey,
    's3-object': s3Object,
    'api-read': apiRead,
    kms,
    lambda,
    'ec2-change': ec2Change,
    'iam-change': iamChange,
    'access-denied': accessDenied,
    'credential-theft': nothing,
    'data-theft': nothing,
    'logging-off': nothing,
  };
};
