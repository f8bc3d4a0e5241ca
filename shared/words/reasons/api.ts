import {
  type Cause,
  type Finding,
  type Names,
  type OfCluster,
  type OfNode,
  type OfPath,
  someNames,
  type TextsOf,
} from '../steps/coded.ts'

type OfApiRequest = { readonly request: string }
type OfSubject = { readonly kind: string; readonly id: string }
/** Longest list of names in a text. */
const MOST_NAMED = 50

/** Refusals of the API of the console. */
export const API_REASONS = {
  NoSuchApiRequest: ({ request }: OfApiRequest) => `Request ${request} does not exist.`,
  /** `issues`: the problem at the path of a field; null if it has unknown keys, whose names may be secret. */
  ApiInputUnfit: ({
    request,
    issues,
  }: OfApiRequest & { readonly issues: readonly { readonly path: string; readonly issue: string | null }[] }) =>
    `The input of ${request} is invalid: ${issues.map(({ path, issue }) => `${path}: ${issue ?? 'has unknown keys'}`).join('; ')}.`,
  ApiCrashed: ({ request }: OfApiRequest) =>
    `Lockkeeper failed internally while handling ${request} and did nothing more. The log has the details.`,
  ClusterNotReachedOtherwise: (of: OfCluster & { readonly runs: readonly string[] }) =>
    drivenText(of, 'reached another way'),
  ClusterNotRemoved: (of: OfCluster & { readonly runs: readonly string[] }) => drivenText(of, 'removed'),
  /** `what`: the request, or what it is about. */
  PartLeftOut: ({ what }: { readonly what: string }) => `This build of Lockkeeper has no part for ${what}.`,
  RequestFailed: ({ cause }: Cause & { readonly failure: string }) => cause,
  NoFileDialogs: () => 'This console has no file dialogs: type the path of the file.',
  TokensInFiles: () =>
    'Lockkeeper keeps cloud tokens until they expire, in files that only this user can read. It keeps nothing else.',
  /** `keychain`: the name of the protection on this machine. */
  TokensInKeychain: ({ keychain }: { readonly keychain: string }) =>
    `Lockkeeper keeps cloud tokens until they expire, protected by ${keychain}.`,
  InstanceMarkedTwice: ({ instance }: { readonly instance: string }) =>
    `Instance ${instance} appears twice. Give it one mode.`,
  NoInstancesToMark: ({ cluster }: OfCluster) =>
    `${cluster} has no OpenStack credentials, so Lockkeeper cannot mark instances.`,
  NoServicesInCluster: ({ cluster }: OfCluster) =>
    `Cloud ${cluster} has no OpenStack credentials, so Lockkeeper cannot ask its services.`,
  HostModesUnknown: ({ cause }: Cause) =>
    `${cause} The modes of the hosts are unknown, so Lockkeeper assumes live for all.`,
  NoSuchMachine: ({ node, nodes }: OfNode & { readonly nodes: Names }) =>
    `The cloud has no node named ${node}, and Nova has no nova-compute on a machine of that name. Its nodes are: ${someNames(nodes, MOST_NAMED)}.`,
  JournalNotRegularFile: ({ path }: OfPath) => `${path} is not a regular file. Name a journal.`,
  RequestOfNoNode: () => 'the cloud has no such node, so no controller will answer',
  NoLockToAnswer: () => 'no controller has a lock there',
  UpdateNotWatched: ({ cluster, why }: OfCluster & { readonly why: Finding }) =>
    `Lockkeeper cannot follow the update of ${cluster}. ${why.message}`,
  NoRecommendationInPlan: () => 'The plan has no recommendation of Watcher. Plan again.',
  NothingToReport: ({ kind, id }: OfSubject) =>
    `The journal has no readable entry of ${kind} ${id}, so there is no report. \`lockkeeper journal check\` shows the problem.`,
  NoPdfHere: () =>
    'This console cannot print a PDF. Save the report as HTML and print it with a browser (it fits A4), or use the desktop application.',
} satisfies TextsOf<string>

function drivenText({ cluster, runs }: OfCluster & { readonly runs: readonly string[] }, doing: string): string {
  return `${cluster} cannot be ${doing} now: this console works on it (run ${runs.join(', ')}). Let the run end, stop it, or close it to resume later, then try again.`
}
