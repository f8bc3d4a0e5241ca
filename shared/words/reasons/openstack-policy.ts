import type { Finding, OfInstance, TextsOf } from '../steps/coded.ts'

/** Who is logged in. `user`: null without a name. `project`: absent where the login is for none, null without a name. */
export type Login =
  | { readonly kind: 'user'; readonly user: string | null; readonly project?: string | null }
  | { readonly kind: 'application-credential'; readonly credential: string }
  | { readonly kind: 'token' }

/** The role that a rule of OpenStack's own policies asks for. `needsProject`: the login is for no project, and has to be. */
export type RoleNeeded = {
  readonly kind: 'admin' | 'admin-or-manager' | 'admin-or-member'
  readonly needsProject: boolean
}

/** What a plan needs the policy for. */
type Need = { readonly need: Finding }

/** Texts of what the policy of a cloud allows. */
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
    `Not known beforehand: ${need.message}. ${why.message}`,

  // Why an answer says nothing of the policy.
  SaysNothing: () => 'The answer does not say.',
  ProbeFailed: ({ cause }: { readonly cause: Finding }) => cause.message,
  HostsHiddenOrNone: () => 'Either there is no instance to look at, or the hosts are hidden from this user.',
  OnlyOwnGroups: () =>
    "Without saying so, Nova shows only the groups of the user's own project to users who are not administrators.",
  AgentsHiddenOrNone: () =>
    'Neutron shows no agent: either there is none, or the rule hides them from this user (it needs the role admin).',
  JudgedByOtherRule: ({ name, id }: OfInstance) =>
    `Asked about instance ${name} (${id}), Nova's answer did not come from this rule.`,
  MoveTaken: ({ name, id }: OfInstance) =>
    `Nova took the request instead of refusing it: look now whether instance ${name} (${id}) moves.`,
  RebuildTaken: ({ name, id }: OfInstance) =>
    `Nova took the request instead of refusing it: look now whether instance ${name} (${id}) is being rebuilt.`,
  WouldReallyMove: () => 'Nova before 2.56 would really move it to answer.',
  NoInstanceToAskAbout: () => 'Nova judges this only for an instance that exists, and this user sees none.',
  NotAListOfServers: () => 'not a list of servers',
} satisfies TextsOf<string>

/** What the policy is asked for: what a plan needs it for, where nothing names which instance. */
export const OPENSTACK_POLICY_CALLS = {
  ProbePolicy: ({ need }: Need) => `probe the policy: ${need.message}`,
  FindProbedInstance: () => 'find an instance to probe the policy with',
  SeeHosts: () => 'see on which host an instance is',
  ListMigrationsOfAll: () => 'list the migrations of every project',
  ReadResourceProviders: () => 'read the resource providers',
  SwitchComputeServices: () => 'disable and enable a compute service',
  LiveMigrateAny: () => 'live-migrate an instance',
  LiveMigrateHome: () => 'bring an instance home by a live migration that names the host',
  ColdMigrateAny: () => 'cold-migrate an instance',
  AbortAny: () => 'abort a live migration',
  ForceAny: () => 'force a live migration to complete',
  EvacuateAny: () => 'evacuate an instance from a host that failed',
  TagAny: () => 'tag an instance',
  ReadEmptyingStrategy: () => "read Watcher's strategy that empties a host",
  AskRecommendation: () => 'ask Watcher for a recommendation',
  ListWatcherPlans: () => "list Watcher's action plans",
} satisfies TextsOf<string>

/** Who is logged in, in words. */
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

/** A role that a rule asks for, in words. */
export function roleWords({ kind, needsProject }: RoleNeeded): string {
  return needsProject
    ? `${ROLES[kind]} in a project, and this login has no project: name one in clouds.yaml (project_name instead of system_scope or domain_name)`
    : ROLES[kind]
}
