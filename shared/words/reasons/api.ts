import type { NoTemplate } from '../../domain/silence-matchers.ts'
import { noTemplateWords } from '../silences.ts'
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
import { type OfMaintenanceRun, runObjectText } from './attach.ts'

type OfApiRequest = { readonly request: string }
type OfSubject = { readonly kind: string; readonly id: string }
/** More of a list than anybody reads. */
const MOST_NAMED = 50

/** Texts of what an operator asks the program for. */
export const API_REASONS = {
  NoSuchApiRequest: ({ request }: OfApiRequest) => `There is no request named ${request}.`,
  /** `issues`: by the path of a field, what it is not; null: it has keys that are not known, which may be secret. */
  ApiInputUnfit: ({
    request,
    issues,
  }: OfApiRequest & { readonly issues: readonly { readonly path: string; readonly issue: string | null }[] }) =>
    `${request} cannot be used like this: ${issues.map(({ path, issue }) => `${path}: ${issue ?? 'has keys that are not known'}`).join('; ')}.`,
  ApiCrashed: ({ request }: OfApiRequest) =>
    `Lockkeeper failed on its own side while handling ${request}. Nothing more was done; the log has the details.`,
  ClusterNotReachedOtherwise: (of: OfCluster & { readonly runs: readonly string[] }) =>
    drivenText(of, 'reached another way'),
  ClusterNotRemoved: (of: OfCluster & { readonly runs: readonly string[] }) => drivenText(of, 'removed'),
  /** `what`: the request, or what it is about. */
  PartLeftOut: ({ what }: { readonly what: string }) =>
    `This build of Lockkeeper was made without the part for ${what}.`,
  NoFileDialogs: () => 'There are no file dialogs here: type the path of the file.',
  TokensInFiles: () =>
    'Tokens of clouds are kept in files that only this user can read, until they end; nothing else is kept.',
  /** `keychain`: what protects them, as this machine calls it. */
  TokensInKeychain: ({ keychain }: { readonly keychain: string }) =>
    `Tokens of clouds are kept until they end, protected by ${keychain}.`,
  InstanceMarkedTwice: ({ instance }: { readonly instance: string }) =>
    `Instance ${instance} is to be marked twice. Say once what it shall be.`,
  NoInstancesToMark: ({ cluster }: OfCluster) => `${cluster} has no OpenStack cloud, and so no instances to mark.`,
  NoServicesInCluster: ({ cluster }: OfCluster) =>
    `Cluster ${cluster} has no OpenStack cloud: there are no services to ask about.`,
  HostModesUnknown: ({ cause }: Cause) =>
    `${cause} The modes of the hosts are therefore not known; live is assumed for all.`,
  NoSuchMachine: ({ node, nodes }: OfNode & { readonly nodes: Names }) =>
    `The cluster has no node named ${node}, and Nova has no nova-compute on a machine of that name. Its nodes are: ${someNames(nodes, MOST_NAMED)}.`,
  /** `fields`: where the MaintenanceRun that is there asks for something else. */
  PlanAskedOtherwise: ({
    object,
    confirmedBy,
    fields,
  }: {
    readonly object: string
    readonly confirmedBy: string
    readonly fields: readonly string[]
  }) =>
    `This plan was asked for already as MaintenanceRun ${object}, confirmed by ${confirmedBy}, with other ${fields.join(', ')}. Nothing more was asked for: delete that one, or plan again.`,
  MayNotCreateRuns: ({ namespace, by }: { readonly namespace: string; readonly by: string }) =>
    `You may not create MaintenanceRuns in namespace ${namespace} of ${by}. The role lockkeeper-submitter there grants it.`,
  RunObjectNotThere: (object: OfMaintenanceRun) => `There is no ${runObjectText(object)} any more.`,
  RunObjectBegun: ({ object, run, phase }: { readonly object: string; readonly run: string; readonly phase: string }) =>
    `MaintenanceRun ${object} was begun, as run ${run}: it is ${phase}. \`lockkeeper run abort ${run}\` ends it where it is.`,
  /** `said`: what its runner says. */
  RunObjectOver: ({
    object,
    phase,
    said,
  }: {
    readonly object: string
    readonly phase: string
    readonly said: string
  }) => `MaintenanceRun ${object} is over: ${phase}. ${said}`,
  JournalNotRegularFile: ({ path }: OfPath) => `${path} is not a regular file. Name a journal.`,
  MessagesChanged: () => 'The messages are not those that were shown any more. Look at them again; nothing was sent.',
  MailNotSetUp: () => 'Mail is not set up here: `lockkeeper mail set` names the server. Nothing was sent.',
  RequestOfNoNode: () => 'the cluster has no such node: nobody will answer',
  NoLockToAnswer: () => 'no controller has a lock there',
  UpdateNotWatched: ({ cluster, why }: OfCluster & { readonly why: Finding }) =>
    `The update of ${cluster} cannot be watched. ${why.message}`,
  NoRecommendationInPlan: () => 'The plan has no recommendation of Watcher. Plan again.',
  NothingToReport: ({ kind, id }: OfSubject) =>
    `The journal holds nothing readable of ${kind} ${id}, so there is nothing to report. \`lockkeeper journal check\` tells what is wrong with it.`,
  NoPdfHere: () =>
    'This console cannot print a PDF. Take the report as HTML and print it with a browser (it is made for A4), or use the desktop application.',
  SilenceTemplateUnfit: (why: NoTemplate) => noTemplateWords(why),
} satisfies TextsOf<string>

function drivenText({ cluster, runs }: OfCluster & { readonly runs: readonly string[] }, doing: string): string {
  return `${cluster} cannot be ${doing} now: this console works on it (run ${runs.join(', ')}). Let the run end, abort it, or leave it to be resumed later, then try again.`
}
