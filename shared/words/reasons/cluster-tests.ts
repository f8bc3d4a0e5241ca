import type { AccessQuestion } from '../../domain/kubernetes.ts'
import { counted } from '../../grammar/counts.ts'
import { permissionWords } from '../access-questions.ts'
import { clockWords } from '../clocks.ts'
import type { OfServer, TextsOf } from '../steps/coded.ts'

/** A cloud of a clouds.yaml; `region` null: any. */
type OfCloud = { readonly cloud: string; readonly file: string; readonly region: string | null }

/** The login to a cloud; `project` null: without a project. */
type Login = { readonly user: string; readonly project: string | null; readonly roles: readonly string[] }

/** A service under its common name. */
type OfService = {
  readonly service: string
  readonly interface: string
  readonly region: string | null
  readonly needed: keyof typeof NEEDED
}

/** An address in the catalogue on another host than Keystone. */
type Foreign = { readonly service: string; readonly origin: string; readonly keystone: string }

type Version = { readonly major: number; readonly minor: number }

type OfVersion = { readonly version: string }

export const CLUSTER_TESTS_REASONS = {
  AddressAgreed: (foreign: Foreign) => `${foreignWords(foreign)}; an operator agreed that a token goes there.`,
  AddressNotAgreed: (foreign: Foreign) =>
    `${foreignWords(foreign)}: another host, or without its encryption. No token goes there until you agree.`,
  ApiServerAnswers: ({ host, version }: { readonly host: string } & OfVersion) =>
    `${host} answers; it is Kubernetes ${version}.`,
  ClockApart: ({ server, aheadMs }: OfServer & { readonly aheadMs: number }) => clockWords({ server, aheadMs }),
  ClockNotMeasured: ({ server }: OfServer) => `Not measured: ${server} sent no time, or did not answer.`,
  ClocksAgree: ({ server }: OfServer) => `The clocks of ${server} and this machine agree.`,
  CloudSettingsRead: ({ cloud, file, region }: OfCloud) => `Cloud ${cloud} in ${file}${regionWords(region)}.`,
  ContextGone: (kubeconfig: {
    readonly files: readonly string[]
    readonly context: string
    readonly contexts: readonly string[]
  }) =>
    `${kubeconfig.files.join(', ')} no longer has the context ${kubeconfig.context}. Contexts there: ${kubeconfig.contexts.join(', ') || 'none'}.`,
  ContextRead: (read: {
    readonly context: string
    readonly file: string
    readonly kubernetesCluster: string
    readonly host: string | null
    readonly user: string | null
    readonly credentials: string
  }) =>
    `Context ${read.context} in ${read.file}: cluster ${read.kubernetesCluster} at ${read.host ?? 'no usable address'}, ${read.credentials === 'none' ? `user ${read.user ?? 'none'}, without credentials` : `user ${read.user ?? 'none'} by ${read.credentials}`}.`,
  EvictionAbsent: () => 'The API server has no Eviction API: a drain deletes pods, and budgets do not protect them.',
  EvictionServed: ({ version }: OfVersion) => `The drain evicts pods with ${version}; budgets protect them.`,
  ExecCommandAgreed: ({ command }: { readonly command: string }) =>
    `You agreed that Lockkeeper runs ${command} for credentials.`,
  ExecCommandNotAgreed: ({ file, command }: { readonly file: string; readonly command: string }) =>
    `${file} asks to run ${command} for credentials, but no operator has agreed to that yet.`,
  JujuAccountRead: ({ user, endpoints }: { readonly user: string; readonly endpoints: readonly string[] }) =>
    `${user} at ${endpoints.join(', ')}.`,
  JujuAgentsLost: ({ units }: { readonly units: readonly string[] }) =>
    `The agents of ${units.join(', ')} do not report to Juju.`,
  JujuAnswers: ({ version }: OfVersion) => `Juju ${version} answers.`,
  JujuModelRead: (read: {
    readonly model: string
    readonly cloudType: string
    readonly units: number
    readonly machines: number
  }) => `${read.model} (${read.cloudType}) has ${counted(read.units, 'unit')} on ${counted(read.machines, 'machine')}.`,
  JujuModelWithoutCeph: ({ model, application }: { readonly model: string; readonly application: string }) =>
    `Model ${model} has no unit of ${application}, through which Lockkeeper asks this cloud's Ceph.`,
  JujuNotNamed: () =>
    'The settings of this cloud name no Juju controller, which Lockkeeper needs to ask its MicroCeph.',
  LoggedIn: ({ user, project }: Omit<Login, 'roles'>) => `Logged in as ${loginWords(user, project)}.`,
  LoginHasNoProject: ({ user, roles }: Omit<Login, 'project'>) =>
    `User ${user} is logged in without a project (roles: ${roles.join(', ') || 'none'}). Newer versions of Nova and Placement refuse such a login, whatever its roles.`,
  LoginIsAdmin: ({ roles }: Pick<Login, 'roles'>) => `Roles: ${roles.join(', ')}.`,
  LoginIsNoAdmin: ({ user, project, roles }: Login) =>
    `Roles of ${loginWords(user, project)}: ${roles.join(', ') || 'none'}. Most clouds require admin to move the instances of others.`,
  NotAskedApiServerSilent: () => 'Not asked: the API server did not answer.',
  NotAskedNovaUnspoken: () => 'Not asked: Lockkeeper shares no API version with Nova.',
  NotAskedWithoutCloudSettings: () => 'Not asked: its settings are unusable.',
  NotAskedWithoutConsent: () => 'Not asked: its credentials come from a command that you have not agreed to.',
  NotAskedWithoutJujuLogin: () => 'Not asked: Lockkeeper has no login.',
  NotAskedWithoutKubeconfig: () => 'Not asked: the kubeconfig is unusable.',
  NotAskedWithoutLogin: () => 'Not asked: there is no login.',
  NotAskedWithoutNova: () => 'Not asked: the catalogue has no Nova.',
  NotAskedWithoutSession: () => 'Not asked: Lockkeeper could not open a session.',
  NovaSpoken: ({ major, minor }: Version) =>
    `Lockkeeper uses microversion ${major}.${minor} of Nova (services by id need 2.53, tags 2.26).`,
  NovaTooOld: ({ version, neededMinor }: { readonly version: Version | null; readonly neededMinor: number }) =>
    `Nova offers ${version === null ? 'no microversion' : `microversion ${version.major}.${version.minor}`}; Lockkeeper needs 2.${neededMinor}.`,
  PermissionGranted: (asked: AccessQuestion) => `Allowed: ${permissionWords(asked)}.`,
  PermissionMissing: ({ reason, ...asked }: AccessQuestion & { readonly reason: string }) =>
    `These credentials may not ${permissionWords(asked)}${reason === '' ? '' : ` (${reason})`}.`,
  RbacManifestHead: ({ user }: { readonly user: string }) =>
    `# Grants exactly what this test found missing. Apply it with an account that may grant it.
# ${user} is the name in the kubeconfig; put the name by which the API server knows the user
# (the common name of its certificate, or \`kubectl auth whoami\`).`,
  ServiceInCatalogue: ({ service }: Pick<OfService, 'service'>) => `The catalogue has ${service}.`,
  ServiceNotInCatalogue: ({ service, interface: face, region, needed }: OfService) =>
    `The catalogue has no ${face} address of ${service}${regionWords(region)}; Lockkeeper needs it for ${NEEDED[needed]}.`,
  TestedWithoutCloud: () =>
    'This cloud was added without OpenStack credentials: Lockkeeper cannot empty compute nodes.',
  WatcherInCatalogue: ({ version }: { readonly version: Version | null }) =>
    `The catalogue has Watcher, which empties compute nodes${version === null ? '' : `; Lockkeeper uses API ${version.major}.${version.minor}`}.`,
  WatcherNotInCatalogue: () => 'The catalogue has no Watcher, which should empty compute nodes of this cloud.',
} satisfies TextsOf<string>

/** The purpose of each service, by its type in the catalogue. */
const NEEDED = {
  compute: 'compute services and instances',
  network: 'the agents of a node on its way back',
  placement: 'the free room on the other hosts',
} as const

function foreignWords({ service, origin, keystone }: Foreign): string {
  return `The catalogue has ${service} at ${origin}, Keystone is at ${keystone}`
}

function loginWords(user: string, project: string | null): string {
  return `user ${user}${project === null ? '' : ` in project ${project}`}`
}

function regionWords(region: string | null): string {
  return region === null ? ', any region' : `, region ${region}`
}
