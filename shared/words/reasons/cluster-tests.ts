import type { AccessQuestion } from '../../domain/kubernetes.ts'
import { counted } from '../../grammar/counts.ts'
import { permissionWords } from '../access-questions.ts'
import { clockWords } from '../clocks.ts'
import type { OfServer, TextsOf } from '../steps/coded.ts'

/** One cloud of a clouds.yaml, and the region of it that is used; null: any. */
type OfCloud = { readonly cloud: string; readonly file: string; readonly region: string | null }

/** Who is logged in to a cloud; `project` null: the login is for none. */
type Login = { readonly user: string; readonly project: string | null; readonly roles: readonly string[] }

/** A service, by the name that people have for it, and what is asked of it. */
type OfService = {
  readonly service: string
  readonly interface: string
  readonly region: string | null
  readonly needed: keyof typeof NEEDED
}

/** An address of the catalogue that is not where Keystone is. */
type Foreign = { readonly service: string; readonly origin: string; readonly keystone: string }

type Version = { readonly major: number; readonly minor: number }

type OfVersion = { readonly version: string }

/** Texts of the test of a cluster. */
export const CLUSTER_TESTS_REASONS = {
  AddressAgreed: (foreign: Foreign) => `${foreignWords(foreign)}; it was agreed that a token goes there.`,
  AddressNotAgreed: (foreign: Foreign) =>
    `${foreignWords(foreign)}: another host, or without its encryption. No token goes there until you agree.`,
  ApiServerAnswers: ({ host, version }: { readonly host: string } & OfVersion) =>
    `${host} answers; it is Kubernetes ${version}.`,
  ClockApart: ({ server, aheadMs }: OfServer & { readonly aheadMs: number }) => clockWords({ server, aheadMs }),
  ClockNotMeasured: ({ server }: OfServer) => `Not measured: ${server} tells no time, or did not answer.`,
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
  EvictionAbsent: () => 'The API server has no Eviction API: pods are deleted, and budgets do not guard them.',
  EvictionServed: ({ version }: OfVersion) => `Pods are evicted by ${version}; budgets guard them.`,
  ExecCommandAgreed: ({ command }: { readonly command: string }) =>
    `You agreed that ${command} is run for credentials.`,
  ExecCommandNotAgreed: ({ file, command }: { readonly file: string; readonly command: string }) =>
    `${file} asks to run ${command} for credentials, and nobody has agreed to that yet.`,
  JujuAccountRead: ({ user, endpoints }: { readonly user: string; readonly endpoints: readonly string[] }) =>
    `${user} at ${endpoints.join(', ')}.`,
  JujuAgentsLost: ({ units }: { readonly units: readonly string[] }) => `Juju does not hear of ${units.join(', ')}.`,
  JujuAnswers: ({ version }: OfVersion) => `Juju ${version} answers.`,
  JujuModelRead: (read: {
    readonly model: string
    readonly cloudType: string
    readonly units: number
    readonly machines: number
  }) => `${read.model} (${read.cloudType}) has ${counted(read.units, 'unit')} on ${counted(read.machines, 'machine')}.`,
  JujuModelWithoutCeph: ({ model, application }: { readonly model: string; readonly application: string }) =>
    `Model ${model} has no unit of ${application}, by which this cluster's Ceph is asked.`,
  JujuNotNamed: () => 'The settings of this cluster name no Juju controller, by which its MicroCeph is asked.',
  LoggedIn: ({ user, project }: Omit<Login, 'roles'>) => `Logged in as ${loginWords(user, project)}.`,
  LoginHasNoProject: ({ user, roles }: Omit<Login, 'project'>) =>
    `The login of user ${user} is for no project (roles: ${roles.join(', ') || 'none'}): newer Novas and Placement refuse it, whatever its roles.`,
  LoginIsAdmin: ({ roles }: Pick<Login, 'roles'>) => `Roles: ${roles.join(', ')}.`,
  LoginIsNoAdmin: ({ user, project, roles }: Login) =>
    `Roles of ${loginWords(user, project)}: ${roles.join(', ') || 'none'}. Most clouds ask for admin to move the instances of others.`,
  NotAskedApiServerSilent: () => 'Not asked: the API server did not answer.',
  NotAskedNovaUnspoken: () => 'Not asked: Nova cannot be spoken to.',
  NotAskedWithoutCloudSettings: () => 'Not asked: its settings cannot be used.',
  NotAskedWithoutConsent: () => 'Not asked: its credentials come from a command that was not agreed to.',
  NotAskedWithoutJujuLogin: () => 'Not asked: nobody knows how to log in.',
  NotAskedWithoutKubeconfig: () => 'Not asked: the kubeconfig cannot be used.',
  NotAskedWithoutLogin: () => 'Not asked: nobody is logged in.',
  NotAskedWithoutNova: () => 'Not asked: the catalogue has no Nova.',
  NotAskedWithoutSession: () => 'Not asked: no session could be opened.',
  NovaSpoken: ({ major, minor }: Version) =>
    `Nova is spoken to with microversion ${major}.${minor} (services by id need 2.53, tags 2.26).`,
  NovaTooOld: ({ version, neededMinor }: { readonly version: Version | null; readonly neededMinor: number }) =>
    `Nova speaks ${version === null ? 'no microversion' : `microversion ${version.major}.${version.minor}`}; 2.${neededMinor} is needed.`,
  PermissionGranted: (_asked: AccessQuestion) => 'Allowed.',
  PermissionMissing: ({ reason, ...asked }: AccessQuestion & { readonly reason: string }) =>
    `These credentials may not ${permissionWords(asked)}${reason === '' ? '' : ` (${reason})`}.`,
  RbacManifestHead: ({ user }: { readonly user: string }) =>
    `# Grants exactly what this test found missing. Apply it with an account that may grant it.
# ${user} is the name in the kubeconfig; put the name by which the API server knows the user
# (the common name of its certificate, or \`kubectl auth whoami\`).`,
  ServiceInCatalogue: ({ service }: Pick<OfService, 'service'>) => `The catalogue has ${service}.`,
  ServiceNotInCatalogue: ({ service, interface: face, region, needed }: OfService) =>
    `The catalogue has no ${face} address of ${service}${regionWords(region)}; it is asked for ${NEEDED[needed]}.`,
  TestedWithoutCloud: () => 'This cluster was added without a cloud: compute nodes cannot be emptied.',
  WatcherInCatalogue: ({ version }: { readonly version: Version | null }) =>
    `The catalogue has Watcher, which empties compute nodes${version === null ? '' : ` and is spoken to with API ${version.major}.${version.minor}`}.`,
  WatcherNotInCatalogue: () => 'The catalogue has no Watcher, and compute nodes of this cluster are emptied by it.',
} satisfies TextsOf<string>

/** What procedures ask of each service, by its type in the catalogue. */
const NEEDED = {
  compute: 'compute services and instances',
  network: 'the agents of a node on its way back',
  placement: 'what the other hosts have room for',
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
