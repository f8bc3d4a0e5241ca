import type { Finding, OfInstance, TextsOf } from '../steps/coded.ts'

/** The login. `user`: null without a name. `project`: absent without a project, null without a name. */
export type Login =
  | { readonly kind: 'user'; readonly user: string | null; readonly project?: string | null }
  | { readonly kind: 'application-credential'; readonly credential: string }
  | { readonly kind: 'token' }

/** The role that a rule of OpenStack's policies requires. `needsProject`: the login has no project but needs one. */
export type RoleNeeded = {
  readonly kind: 'admin' | 'admin-or-manager' | 'admin-or-member'
  readonly needsProject: boolean
}

/** An action of a plan that needs a permission. */
type Need = { readonly need: Finding }

/** What the policy of a cloud allows. */
export const OPENSTACK_POLICY_REASONS = {
  PolicyAllows: ({ need }: Need) => `Allowed: ${need.message}.`,
  PolicyDenies: ({
    need,
    who,
    rule,
    role,
  }: Need & { readonly who: Login; readonly rule: string; readonly role: RoleNeeded }) =>
    `Not allowed to ${loginWords(who)}: ${need.message}. The rule ${rule} needs ${roleWords(role)}.`,
  PolicyNotKnown: ({ need, why }: Need & { readonly why: Finding }) =>
    `Unknown in advance: ${need.message}. ${why.message}`,

  // Why an answer shows nothing about the policy.
  SaysNothing: () => 'The answer does not show it.',
  ProbeFailed: ({ cause }: { readonly cause: Finding }) => cause.message,
  HostsHiddenOrNone: () => 'Either the cloud has no instance, or this user may not see the hosts.',
  OnlyOwnGroups: () => 'Nova shows users who are not administrators only the groups of their project.',
  AgentsHiddenOrNone: () =>
    'Neutron shows no agent: either there is none, or the rule hides them from this user (it needs the role admin).',
  JudgedByOtherRule: ({ name, id }: OfInstance) =>
    `For instance ${name} (${id}), Nova's answer did not come from this rule.`,
  MoveTaken: ({ name, id }: OfInstance) =>
    `Nova accepted the request instead of refusing it: check now whether instance ${name} (${id}) moves.`,
  RebuildTaken: ({ name, id }: OfInstance) =>
    `Nova accepted the request instead of refusing it: check now whether instance ${name} (${id}) is being rebuilt.`,
  WouldReallyMove: () => 'Nova before 2.56 would really move the instance to answer.',
  NoInstanceToAskAbout: () => 'Nova checks this only for an existing instance, and this user sees none.',
  NotAListOfServers: () => 'not a list of servers',
} satisfies TextsOf<string>

/** The actions whose permission Lockkeeper probes, without a named instance. */
export const OPENSTACK_POLICY_CALLS = {
  ProbePolicy: ({ need }: Need) => `probe the policy: ${need.message}`,
  FindProbedInstance: () => 'find an instance to probe the policy with',
  SeeHosts: () => 'see the nodes of instances',
  ListMigrationsOfAll: () => 'list the migrations of every project',
  ReadResourceProviders: () => 'read the resource providers',
  SwitchComputeServices: () => 'disable and enable a compute service',
  LiveMigrateAny: () => 'live-migrate an instance',
  LiveMigrateHome: () => 'bring an instance back by a live migration that names the node',
  ColdMigrateAny: () => 'cold-migrate an instance',
  AbortAny: () => 'cancel a live migration',
  ForceAny: () => 'force a live migration to complete',
  EvacuateAny: () => 'evacuate an instance of a dead machine',
  TagAny: () => 'tag an instance',
  ReadEmptyingStrategy: () => "read Watcher's strategy that empties a node",
  AskRecommendation: () => 'ask Watcher for a recommendation',
  ListWatcherPlans: () => "list Watcher's action plans",
} satisfies TextsOf<string>

export function loginWords(login: Login): string {
  switch (login.kind) {
    case 'user': {
      const { user, project } = login
      return `user ${user ?? 'without a name'}${project === undefined ? '' : ` in project ${project ?? 'without a name'}`}`
    }
    case 'application-credential':
      return `the application credential ${login.credential}`
    case 'token':
      return 'the given token'
  }
}

const ROLES: Readonly<Record<RoleNeeded['kind'], string>> = {
  admin: 'the role admin',
  'admin-or-manager': 'the role admin (on recent clouds the role manager in the project is enough)',
  'admin-or-member': 'the role member in the project of the instance, or admin',
}

export function roleWords({ kind, needsProject }: RoleNeeded): string {
  return needsProject
    ? `${ROLES[kind]} in a project, but this login has no project: name one in clouds.yaml (project_name instead of system_scope or domain_name)`
    : ROLES[kind]
}
