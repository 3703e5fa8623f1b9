import { type KeyedDraws, weighted } from '../../draw.js';
import type { CloudWork } from './principals.js';

/** Calls that belong together: a page of the console, a command, a job of a service. */
type Job = readonly [weight: number, calls: string];

const split = (jobs: readonly Job[]) =>
  weighted(jobs.map(([weight, calls]) => [weight, calls.split(' ')] as const));

/** What people look at. */
const PAGES: readonly Job[] = [
  [9, 'ec2:DescribeInstances ec2:DescribeVolumes ec2:DescribeTags ec2:DescribeSecurityGroups'],
  [3, 'ec2:DescribeVpcs ec2:DescribeSubnets ec2:DescribeRouteTables ec2:DescribeRegions'],
  [2, 'ec2:DescribeSnapshots ec2:DescribeImages ec2:DescribeAddresses'],
  [8, 's3:ListBuckets s3:GetBucketLocation s3:GetBucketLocation s3:GetBucketVersioning'],
  [4, 's3:GetBucketAcl s3:GetBucketPolicy s3:GetBucketEncryption'],
  [14, 's3:ListObjects s3:HeadObject s3:GetObject kms:Decrypt'],
  [10, 's3:GetObject kms:Decrypt s3:GetObject s3:GetObject'],
  [3, 'iam:ListUsers iam:ListRoles iam:ListGroups iam:GetAccountSummary'],
  [3, 'iam:GetUser iam:ListAttachedUserPolicies iam:ListUserPolicies iam:ListAccessKeys'],
  [3, 'iam:GetRole iam:ListAttachedRolePolicies iam:GetPolicyVersion iam:ListPolicies'],
  [1, 'iam:GetAccountAuthorizationDetails'],
  [7, 'logs:DescribeLogGroups logs:DescribeLogStreams logs:StartQuery logs:GetQueryResults'],
  [6, 'monitoring:DescribeAlarms monitoring:ListMetrics'],
  [5, 'rds:DescribeDBInstances rds:DescribeDBClusters rds:DescribeDBSnapshots'],
  [4, 'dynamodb:ListTables dynamodb:DescribeTable dynamodb:DescribeContinuousBackups'],
  [5, 'cloudformation:ListStacks cloudformation:DescribeStacks cloudformation:DescribeStackEvents'],
  [6, 'lambda:ListFunctions lambda:GetFunction lambda:Invoke'],
  [4, 'secretsmanager:ListSecrets secretsmanager:DescribeSecret secretsmanager:GetSecretValue'],
  [3, 'ssm:DescribeParameters ssm:GetParameter ssm:DescribeInstanceInformation'],
  [2, 'ecr:DescribeRepositories ecr:BatchGetImage eks:ListClusters eks:DescribeCluster'],
  [2, 'elasticloadbalancing:DescribeLoadBalancers elasticloadbalancing:DescribeTargetHealth'],
  [3, 'cloudtrail:DescribeTrails cloudtrail:GetTrailStatus cloudtrail:GetEventSelectors'],
  [2, 'cloudtrail:LookupEvents cloudtrail:ListTags'],
  [2, 'config:DescribeConfigurationRecorders guardduty:ListDetectors guardduty:GetDetector'],
  [2, 'ec2:DescribeFlowLogs logs:DescribeLogGroups'],
  [1, 'organizations:ListAccounts organizations:DescribeOrganization'],
  [2, 'sts:GetCallerIdentity'],
];

/** A plan of changes looks at all that there is. */
const PLAN =
  'sts:GetCallerIdentity ec2:DescribeVpcs ec2:DescribeSubnets ec2:DescribeRouteTables ec2:DescribeSecurityGroups ec2:DescribeInstances ec2:DescribeVolumes ec2:DescribeAddresses iam:GetRole iam:ListAttachedRolePolicies iam:GetRole iam:GetPolicyVersion s3:GetBucketPolicy s3:GetBucketEncryption s3:GetBucketVersioning lambda:GetFunction rds:DescribeDBInstances elasticloadbalancing:DescribeLoadBalancers cloudtrail:DescribeTrails cloudtrail:GetTrailStatus cloudtrail:GetEventSelectors logs:DescribeLogGroups monitoring:DescribeAlarms ecr:DescribeRepositories';

/** What engineers change. */
const CHANGES: readonly Job[] = [
  [10, 's3:PutObject kms:GenerateDataKey'],
  [5, 'lambda:UpdateFunctionCode lambda:GetFunction'],
  [3, 'lambda:UpdateFunctionConfiguration'],
  [3, 'ec2:RunInstances ec2:DescribeInstances'],
  [3, 'ec2:StopInstances ec2:DescribeInstances'],
  [3, 'ec2:StartInstances ec2:DescribeInstances'],
  [2, 'ec2:TerminateInstances'],
  [2, 's3:DeleteObject'],
  [1, 'logs:DeleteLogGroup'],
  [2, 'iam:TagUser iam:ChangePassword'],
  [5, PLAN],
];

/** What administrators do with identities and with what records the account. Accounts for tests are built and removed. */
const ADMINISTRATION: readonly Job[] = [
  [6, 'iam:CreateUser iam:CreateAccessKey iam:AttachUserPolicy iam:CreateLoginProfile'],
  [5, 'iam:CreateAccessKey iam:ListAccessKeys iam:UpdateAccessKey'],
  [4, 'iam:DeleteAccessKey iam:DeleteUser'],
  [6, 'iam:AddUserToGroup iam:RemoveUserFromGroup'],
  [6, 'iam:AttachRolePolicy iam:PutRolePolicy iam:UpdateAssumeRolePolicy'],
  [4, 'iam:AttachUserPolicy iam:TagUser'],
  [5, 'cloudtrail:StopLogging cloudtrail:UpdateTrail cloudtrail:PutEventSelectors'],
  [4, 'cloudtrail:StopLogging cloudtrail:DeleteTrail logs:DeleteLogGroup s3:DeleteBucketPolicy'],
  [4, 'config:StopConfigurationRecorder guardduty:UpdateDetector'],
  [3, 'guardduty:DeleteDetector ec2:DeleteFlowLogs config:StopConfigurationRecorder'],
];

/** More of `one`, by a factor, along with `other`. */
const mixed = (...parts: readonly (readonly [share: number, jobs: readonly Job[]])[]) =>
  split(
    parts.flatMap(([share, jobs]) => {
      const total = jobs.reduce((sum, [weight]) => sum + weight, 0);
      return jobs.map(([weight, calls]): Job => [(weight / total) * share, calls]);
    }),
  );

const JOBS: Readonly<Record<CloudWork, (drawn: number) => readonly string[]>> = {
  admin: mixed([55, PAGES], [20, CHANGES], [25, ADMINISTRATION]),
  engineer: mixed([74, PAGES], [24, CHANGES], [2, ADMINISTRATION]),
  auditor: split(PAGES),
  reader: split(PAGES),
  container: split([
    [20, 's3:GetObject kms:Decrypt'],
    [14, 's3:PutObject'],
    [7, 'secretsmanager:GetSecretValue kms:Decrypt'],
    [8, 'ssm:GetParametersByPath'],
    [22, 'lambda:Invoke'],
    [5, 'dynamodb:DescribeTable'],
    [6, 's3:HeadObject s3:GetObject kms:Decrypt'],
    [5, 'sqs:GetQueueAttributes sqs:ListQueues'],
    [6, 'monitoring:DescribeAlarms monitoring:ListMetrics'],
    [4, 'rds:DescribeDBInstances'],
  ]),
  function: split([
    [16, 's3:GetObject kms:Decrypt s3:PutObject kms:GenerateDataKey'],
    [26, 's3:GetObject s3:PutObject'],
    [10, 'ssm:GetParameter'],
    [8, 'secretsmanager:GetSecretValue kms:Decrypt'],
    [18, 'lambda:Invoke'],
    [5, 'logs:DescribeLogStreams'],
    [4, 'dynamodb:DescribeTable'],
    [3, 's3:CopyObject s3:DeleteObject'],
  ]),
  batch: split([
    [22, 's3:ListObjects s3:GetObject kms:Decrypt s3:GetObject s3:GetObject'],
    [18, 's3:PutObject kms:GenerateDataKey s3:PutObject'],
    [6, 's3:CopyObject s3:DeleteObject'],
    [8, 's3:HeadObject s3:HeadObject'],
    [8, 'logs:DescribeLogGroups logs:DescribeLogStreams'],
    [5, 'kms:DescribeKey kms:Encrypt'],
    [6, 'rds:DescribeDBSnapshots ec2:DescribeSnapshots'],
  ]),
  deploy: split([
    [20, 'ecr:GetAuthorizationToken ecr:BatchGetImage'],
    [12, 'cloudformation:DescribeStacks cloudformation:DescribeStackEvents'],
    [6, 'lambda:UpdateFunctionCode lambda:GetFunction lambda:UpdateFunctionConfiguration'],
    [8, 'ecr:PutImage ecr:DescribeRepositories'],
    [8, 'iam:GetRole iam:ListAttachedRolePolicies'],
    [10, 's3:GetObject s3:PutObject'],
    [5, 'eks:DescribeCluster eks:ListNodegroups'],
    [2, 'iam:AttachRolePolicy iam:PutRolePolicy'],
    [1, 'cloudtrail:StopLogging cloudtrail:DeleteTrail logs:DeleteLogGroup ec2:DeleteFlowLogs'],
    [1, 'guardduty:DeleteDetector config:StopConfigurationRecorder s3:DeleteBucketPolicy'],
    [1, 'iam:CreateUser iam:CreateAccessKey iam:AttachUserPolicy iam:DeleteUser'],
  ]),
  fleet: split([
    [10, 'ec2:DescribeInstances elasticloadbalancing:DescribeTargetHealth'],
    [3, 'ec2:RunInstances'],
    [3, 'ec2:TerminateInstances'],
    [4, 'monitoring:DescribeAlarms elasticloadbalancing:DescribeTargetGroups'],
  ]),
  partner: split([
    [10, 's3:ListObjects s3:GetObject s3:GetObject s3:GetObject'],
    [4, 's3:PutObject'],
    [2, 's3:HeadObject'],
  ]),
  tool: split([
    [20, 's3:PutObject kms:GenerateDataKey s3:PutObject'],
    [16, 's3:GetObject kms:Decrypt'],
    [10, 'ecr:GetAuthorizationToken ecr:PutImage'],
    [8, 'ec2:DescribeInstances ec2:DescribeTags'],
    [6, 'cloudformation:DescribeStacks'],
    [6, 'lambda:PublishVersion lambda:GetFunction'],
    [5, 'ssm:GetParametersByPath'],
    [5, 'iam:ListUsers iam:GetUser iam:ListAccessKeys'],
    [4, 's3:ListBuckets s3:GetBucketPolicy'],
    [3, 'sts:GetCallerIdentity'],
  ]),
};

/** What somebody does next who has such work. */
export const jobOf = (own: KeyedDraws, work: CloudWork): readonly string[] => JOBS[work](own.next());

const BUCKETS: readonly (readonly [weight: number, item: string])[] = [
  [14, 'shop-assets'],
  [8, 'shop-orders-archive'],
  [7, 'customer-documents'],
  [12, 'data-lake-raw'],
  [9, 'data-lake-curated'],
  [4, 'backup-databases'],
  [9, 'build-artifacts'],
  [3, 'terraform-state'],
  [2, 'hr-exports'],
  [4, 'finance-reports'],
  [5, 'mail-attachments'],
  [3, 'call-recordings'],
  [3, 'ml-models'],
  [10, 'access-logs'],
  [6, 'trail-archive'],
  [4, 'public-downloads'],
  [4, 'support-tickets'],
  [3, 'warehouse-unload'],
  [1, 'legal-hold'],
  [5, 'sandbox-scratch'],
];
const bucketAt = weighted(BUCKETS);
export const SENSITIVE_BUCKETS = ['customer-documents', 'backup-databases', 'finance-reports', 'hr-exports'];

export const someBucket = (own: KeyedDraws): string => bucketAt(own.next());

/** A user of the cloud that is made for a tool or a guest. */
export const newUserName = (own: KeyedDraws): string =>
  `${own.pick(['svc', 'backup', 'sync', 'audit', 'guest'])}-${own.pick(['etl', 'web', 'report', 'stage', 'mobile', 'partner'])}${own.integer(10, 99)}`;
