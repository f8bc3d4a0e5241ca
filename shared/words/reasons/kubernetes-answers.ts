import type { TextsOf } from '../steps/coded.ts'

/** What an answer says that it is; both null: nothing that an API server sends. */
type Found = { readonly foundKind: string | null; readonly foundVersion: string | null }

/** What was asked for. */
type Wanted = { readonly kind: string; readonly apiVersion: string }

/** What kind of JSON a value is. */
type JsonType = 'nothing' | 'list' | 'object' | 'text' | 'number' | 'boolean'

/** Why an answer is not what was asked for: each continues "not with that: ". */
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
    `the API server lists ${apiVersion}, and this answer says that it is not there`,
  ServedYetAbsent: ({ plural }: { readonly plural: string }) =>
    `${plural} are served there, and this answer says that nothing is`,
  OtherNameFound: ({ kind, found, name }: { readonly kind: string; readonly found: string; readonly name: string }) =>
    `it is ${kind} "${found}" and not "${name}"`,
  NamespaceMissing: () => 'its namespace is missing',
  NamespaceUnexpected: ({ kind }: { readonly kind: string }) => `a ${kind} is in no namespace, and this one is`,
  OtherNamespaceFound: ({ found, namespace }: { readonly found: string; readonly namespace: string }) =>
    `it is of namespace "${found}" and not of "${namespace}"`,
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
  PagesOfDifferentTimes: () => 'its pages are of different times',
  ObjectListedTwice: () => 'it has an object twice',
  EmptyPageWithMore: () => 'an empty page says that there is more',
  PagesInCircle: () => 'its pages go in a circle',
  ListWithoutEnd: ({ pages }: { readonly pages: number }) => `it has no end after ${pages} pages`,
  ListTooSlow: ({ minutes }: { readonly minutes: number }) => `it has no end after ${minutes} minutes`,
  OtherThanChanged: ({ kind }: { readonly kind: string }) =>
    `it is another ${kind} of that name than the one that was to be changed`,
  OtherThanDeleted: ({ kind }: { readonly kind: string }) =>
    `it is another ${kind} of that name than the one that was deleted`,
  StatusNotDone: () => 'it is a Status that does not say that this was done',
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
    `it is ${name === null ? '' : `"${name}" `}of the past: version ${version}, and ${newest} came before it was asked for (a cache answered, or etcd was restored: then start Lockkeeper again)`,
  ReviewOfOtherQuestion: () => 'it answers another question',
  ReviewWithoutAnswer: () => 'it does not say whether that is allowed',
  SpecMissing: ({ object }: { readonly object: string | null }) => `${object ?? 'it'} has no spec`,
  CordonNotShown: ({ cordoned }: { readonly cordoned: boolean }) =>
    `the node is ${cordoned ? 'not cordoned' : 'still cordoned'} in it`,
  TaintNotShown: ({ taint, wanted }: { readonly taint: string; readonly wanted: boolean }) =>
    `the taint ${taint} is ${wanted ? 'not' : 'still'} in it`,
  FieldNotAsWritten: ({ field }: { readonly field: string }) => `${field} is not as it was written`,
  HolderNotAsWritten: () => 'its holder is not the one that was written',
  StateNotAsWritten: () => 'its state is not as it was written',
  FinalizersNotAsWritten: () => 'its finalizers are not as they were written',
  ReplicasNotAsWritten: () => 'its replicas are not as they were written',
  BudgetNumberUnreadable: () => 'the number of pods of a budget is neither a number nor a percentage',
  SecretNotText: ({ secret }: { readonly secret: string }) => `data of Secret ${secret} is not text`,
  EventsOfOtherNode: ({ node }: { readonly node: string }) => `it has events that are not of node ${node}`,
  ObjectNotJson: () => 'it holds something that is not JSON',
  DeploymentNotOfOsd: ({ deployment, label }: { readonly deployment: string; readonly label: string }) =>
    `Deployment ${deployment} is no OSD's, and only those with the label ${label} were asked for`,
  PodPhaseUnknown: () => 'phase is not one that a pod can have',
  PodOfOtherNode: ({ pod, node }: { readonly pod: string; readonly node: string }) =>
    `pod ${pod} is not on ${node}, and only pods of that node were asked for`,
  VersionNotOfKubernetes: () => 'its gitVersion is not one of Kubernetes',
  WatchEventTooLong: ({ mebibytes }: { readonly mebibytes: number }) =>
    `it sent more than ${mebibytes} MiB without the end of an event`,
  WatchCutOff: () => 'it ended in the middle of an event',
  WatchNotText: () => 'it is not text',
  WatchErrorEmpty: () => 'its ERROR event says nothing',
  WatchBookmarkOfOther: () => 'its BOOKMARK is of another kind',
  WatchEventUnknown: () => 'its event is of no type that a watch has',
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
