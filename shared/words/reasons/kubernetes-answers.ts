import type { TextsOf } from '../steps/coded.ts'

/** The kind that an answer claims; both null: not an object of Kubernetes. */
type Found = { readonly foundKind: string | null; readonly foundVersion: string | null }

type Wanted = { readonly kind: string; readonly apiVersion: string }

/** A type of JSON value. */
type JsonType = 'nothing' | 'list' | 'object' | 'text' | 'number' | 'boolean'

/** Why an answer is invalid: each continues "not with that: ". */
export const KUBERNETES_ANSWERS_REASONS = {
  ObjectOfOtherKind: ({ kind, apiVersion, ...found }: Found & Wanted) =>
    `it is ${kindFound(found)} and not a ${kind} of ${apiVersion}`,
  ListOfOtherKind: ({ kind, apiVersion, ...found }: Found & Wanted) =>
    `it is ${kindFound(found)} and not a ${kind}List of ${apiVersion}`,
  ItemOfOtherKind: ({ item, kind, apiVersion, ...found }: Found & Wanted & { readonly item: number }) =>
    `item ${item} is ${kindFound(found)} and not a ${kind} of ${apiVersion}`,
  ReviewOfOtherKind: (found: Found) => `it is ${kindFound(found)}`,
  EvictionOfOtherPod: (found: Found) => `it is ${kindFound(found)} for another pod`,
  NotApiGroups: (found: Found) => `it is ${kindFound(found)} and not a list of API groups`,
  NotApiResources: ({ apiVersion, ...found }: Found & { readonly apiVersion: string }) =>
    `it is ${kindFound(found)} and not the list of resources of ${apiVersion}`,
  ApiGroupsIncomplete: () => 'its API groups lack apps/v1, which every API server has',
  ApiResourcesEmpty: ({ apiVersion }: { readonly apiVersion: string }) => `it names no resource of ${apiVersion}`,
  ListedYetAbsent: ({ apiVersion }: { readonly apiVersion: string }) =>
    `the API server lists ${apiVersion}, but this answer says that it does not exist`,
  ServedYetAbsent: ({ plural }: { readonly plural: string }) =>
    `the API server serves ${plural}, but this answer says that it does not`,
  OtherNameFound: ({ kind, found, name }: { readonly kind: string; readonly found: string; readonly name: string }) =>
    `it is ${kind} "${found}" and not "${name}"`,
  NamespaceMissing: () => 'its namespace is missing',
  NamespaceUnexpected: ({ kind }: { readonly kind: string }) => `a ${kind} has no namespace, but this one has`,
  OtherNamespaceFound: ({ found, namespace }: { readonly found: string; readonly namespace: string }) =>
    `it belongs to namespace "${found}" and not to "${namespace}"`,
  KubernetesNotJson: () => 'it is not JSON',
  FieldOfOtherType: ({
    field,
    found,
    wanted,
  }: {
    readonly field: string
    readonly found: JsonType
    readonly wanted: JsonType
  }) => `${field} is ${TYPES[found]} where ${WANTED[wanted]} belongs`,
  FieldMissing: ({ field }: { readonly field: string }) => `${field} is missing`,
  FieldWithoutTime: ({ field }: { readonly field: string }) => `${field} is not a time`,
  ItemsWithoutList: () => 'its items are not a list',
  PagesOfDifferentTimes: () => 'its pages are from different times',
  ObjectListedTwice: () => 'it has an object twice',
  EmptyPageWithMore: () => 'an empty page says that more follows',
  PagesInCircle: () => 'its pages repeat',
  ListWithoutEnd: ({ pages }: { readonly pages: number }) => `it has no end after ${pages} pages`,
  ListTooSlow: ({ minutes }: { readonly minutes: number }) => `it has no end after ${minutes} minutes`,
  OtherThanChanged: ({ kind }: { readonly kind: string }) => `it is another ${kind} with the name of the one to change`,
  OtherThanDeleted: ({ kind }: { readonly kind: string }) => `it is another ${kind} with the name of the deleted one`,
  StatusNotDone: () => 'it is a Status that does not confirm the change',
  StatusOfOther: () => 'it is a Status of another object',
  ObjectOfPast: ({
    name,
    version,
    newest,
  }: {
    readonly name: string | null
    readonly version: string
    readonly newest: string
  }) =>
    `it is ${name === null ? '' : `"${name}" `}old: version ${version}, but ${newest} was read before (a cache answered, or etcd was restored: then start Lockkeeper again)`,
  ReviewOfOtherQuestion: () => 'it answers another question',
  ReviewWithoutAnswer: () => 'it does not say whether the request is allowed',
  SpecMissing: ({ object }: { readonly object: string | null }) => `${object ?? 'it'} has no spec`,
  CordonNotShown: ({ cordoned }: { readonly cordoned: boolean }) =>
    `the node is ${cordoned ? 'not cordoned' : 'still cordoned'} in it`,
  TaintNotShown: ({ taint, wanted }: { readonly taint: string; readonly wanted: boolean }) =>
    `the taint ${taint} is ${wanted ? 'not' : 'still'} in it`,
  FieldNotAsWritten: ({ field }: { readonly field: string }) => `${field} differs from the written value`,
  HolderNotAsWritten: () => 'its holder differs from the written one',
  StateNotAsWritten: () => 'its state differs from the written one',
  FinalizersNotAsWritten: () => 'its finalizers differ from the written ones',
  ReplicasNotAsWritten: () => 'its replicas differ from the written number',
  BudgetNumberUnreadable: () => 'the number of pods of a budget is neither a number nor a percentage',
  SecretNotText: ({ secret }: { readonly secret: string }) => `data of Secret ${secret} is not text`,
  EventsOfOtherNode: ({ node }: { readonly node: string }) => `it has events of a node other than ${node}`,
  ObjectNotJson: () => 'it contains a value that is not JSON',
  DeploymentNotOfOsd: ({ deployment, label }: { readonly deployment: string; readonly label: string }) =>
    `Deployment ${deployment} does not belong to an OSD: it lacks the requested label ${label}`,
  PodPhaseUnknown: () => 'phase has a value that no pod can have',
  PodOfOtherNode: ({ pod, node }: { readonly pod: string; readonly node: string }) =>
    `pod ${pod} is not on ${node}, although the request named that node`,
  VersionNotOfKubernetes: () => 'its gitVersion is not one of Kubernetes',
  WatchEventTooLong: ({ mebibytes }: { readonly mebibytes: number }) =>
    `it sent more than ${mebibytes} MiB without the end of an event`,
  WatchCutOff: () => 'it ended in the middle of an event',
  WatchNotText: () => 'it is not text',
  WatchErrorEmpty: () => 'its ERROR event is empty',
  WatchBookmarkOfOther: () => 'its BOOKMARK is of another kind',
  WatchEventUnknown: () => 'its event has a type that no watch has',
} satisfies TextsOf<string>

const TYPES: Readonly<Record<JsonType, string>> = {
  nothing: 'nothing',
  list: 'a list',
  object: 'an object',
  text: 'text',
  number: 'a number',
  boolean: 'a boolean',
}

const WANTED: Readonly<Record<JsonType, string>> = { ...TYPES, boolean: 'true or false' }

function kindFound({ foundKind, foundVersion }: Found): string {
  if (foundKind === null) return 'no object of Kubernetes'
  return `a ${foundKind}${foundVersion === null ? '' : ` of ${foundVersion}`}`
}
