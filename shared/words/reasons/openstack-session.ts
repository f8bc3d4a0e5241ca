import { type Finding, type Items, type Names, someItems, someNames, type TextsOf } from '../steps/coded.ts'
import { type Came, cameWords, type OfService } from './openstack.ts'
import { type Login, loginWords } from './openstack-policy.ts'

type OfCloud = { readonly cloud: string }

type CloudFile = OfCloud & {
  readonly path: string
  readonly setting: 'cacert' | 'cert' | 'key'
  readonly fault: Finding
}

/** An address in a catalogue; `region` null: none given. */
type Offered = { readonly interface: string; readonly region: string | null }

/** Longest list of addresses in a text. */
const MOST_OFFERED = 20

/** Failures of the login, of the catalogue and of API versions. */
export const OPENSTACK_SESSION_REASONS = {
  AuthUrlNotAnAddress: ({ cloud }: OfCloud) =>
    `The auth_url of cloud ${cloud} is not an address: it must begin with http:// or https://. Correct clouds.yaml.`,
  NotKeystone: ({
    call,
    address,
    came,
  }: {
    readonly call: Finding
    readonly address: string
    readonly came: Came
    readonly why: Finding
  }) =>
    `Could not ${call.message}: the server at ${address} does not answer as Keystone's v3 API (${cameWords(came)}). Is the auth_url right, is a proxy or a login page in between?`,
  KeystoneRefusesLogin: ({ address, who, cloud }: OfCloud & { readonly address: string; readonly who: Login }) =>
    `Keystone at ${address} refused ${loginWords(who)} of cloud ${cloud}. Check ${checkOf(who)}.`,
  CloudFileUnreadable: ({ cloud, path, setting }: CloudFile) =>
    `Cannot read ${path}, which cloud ${cloud} names as its ${setting}. Correct clouds.yaml or the file.`,
  CloudCertificatesNotVerified: ({ cloud }: OfCloud) =>
    `Lockkeeper does not verify certificates of cloud ${cloud} (insecure or verify: false in clouds.yaml), so others on the network can read the password. Name the authority with cacert instead.`,
  KeystoneWithoutEncryption: ({ cloud, host }: OfCloud & { readonly host: string }) =>
    `The connection to Keystone of cloud ${cloud} at ${host} is not encrypted, so others on the network can read the password. Use an https auth_url.`,

  CloudListsNoService: ({ cloud, service, type }: OfCloud & OfService & { readonly type: string }) =>
    `Cloud ${cloud} lists no ${service} (service type ${type}) in its catalogue.`,
  ServiceHasNoSuchAddress: ({
    cloud,
    service,
    wanted,
    offered,
  }: OfCloud & OfService & { readonly wanted: Offered; readonly offered: Items<Offered> }) =>
    `Cloud ${cloud} has no ${wanted.interface} address of ${service}${
      wanted.region === null ? '' : ` in region ${wanted.region}`
    }; it has: ${
      someItems(offered, each => `${each.interface} in ${each.region ?? 'no region'}`, MOST_OFFERED) || 'none'
    }. Correct region_name or interface in clouds.yaml.`,
  ServiceInSeveralRegions: ({ cloud, service, regions }: OfCloud & OfService & { readonly regions: Names }) =>
    `Cloud ${cloud} has ${service} in several regions (${someNames(regions, MOST_OFFERED)}). Say which with region_name in clouds.yaml.`,
  ServiceAddressWrong: ({ cloud, service }: OfCloud & OfService) =>
    `Cloud ${cloud} has a wrong address of ${service}: it must begin with http:// or https://.`,
  TokenNotAgreedThere: ({
    call,
    cloud,
    service,
    type,
    origin,
    keystone,
    isOtherHost,
  }: OfCloud &
    OfService & {
      readonly call: Finding
      readonly type: string
      readonly origin: string
      readonly keystone: string
      readonly isOtherHost: boolean
    }) =>
    `Could not ${call.message}: the catalogue of cloud ${cloud} has ${service} at ${origin}, which ${
      isOtherHost
        ? `is on another host than Keystone (${keystone})`
        : `is not encrypted, although Keystone (${keystone}) is`
    }, and nobody has agreed to send a token there. Nothing was sent. Is this the address of your ${service}? Then agree once, in the cloud's settings or with \`lockkeeper cluster consent CLUSTER\`, or name it in clouds.yaml (${type.replaceAll('-', '_')}_endpoint_override).`,

  ApiVersionsNotTold: ({ service }: OfService) =>
    `${service} does not show its API versions. Is this the address of a ${service} API?`,
  ApiTooOld: ({
    service,
    version,
    needed,
    isLimited,
  }: OfService & { readonly version: string; readonly needed: string; readonly isLimited: boolean }) =>
    `${service} of this cloud supports up to microversion ${version}; Lockkeeper needs at least ${needed}. ${
      isLimited ? 'Raise the limit set in clouds.yaml.' : 'This cloud is too old.'
    }`,

  // What an operator can correct after a broken connection.
  NameCacert: () => 'Name the authority with cacert in clouds.yaml.',
  UseNameOfCertificate: () => 'Use the name in the certificate, or correct the certificate.',
  CorrectCertAndKey: () => 'Correct cert and key in clouds.yaml.',

  // Why an answer of Keystone is not the requested token.
  NotARefusalOfKeystone: () => 'not a refusal of Keystone',
  NotHowATokenIsGiven: () => 'not how Keystone gives a token',
  NoSubjectToken: () => 'no X-Subject-Token',
  TokenEndsBeforeItBegins: () => 'it expired before it was issued',
  TokenWithoutRoles: () => 'no roles or no catalogue',
  TokenWithoutProject: () => 'no project',
  TokenOfOtherProject: () => 'another project',
} satisfies TextsOf<string>

function checkOf({ kind }: Login): string {
  switch (kind) {
    case 'user':
      return 'user name, password, project and both domains (Keystone does not say which is wrong)'
    case 'application-credential':
      return 'the application credential and its secret; it may have expired or been deleted'
    case 'token':
      return 'the token; it may have expired, and a bare token cannot be renewed'
  }
}

/** Requests to Keystone, and the first requests to each service. */
export const OPENSTACK_SESSION_CALLS = {
  LogIn: ({ cloud }: OfCloud) => `log in to cloud ${cloud}`,
  AskApiVersions: ({ service }: OfService) => `ask ${service} for its API versions`,
  AskTime: () => 'ask for the time',
  ListProjects: () => 'list the projects',
} satisfies TextsOf<string>
