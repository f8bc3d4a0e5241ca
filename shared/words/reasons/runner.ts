import { durationWords } from '../../grammar/durations.ts'
import { instantWords } from '../../grammar/times.ts'
import {
  type Cause,
  type Finding,
  type Names,
  type OfCluster,
  type OfNode,
  someNames,
  type TextsOf,
} from '../steps/coded.ts'

type Ends = { readonly notAfter: string }
type OfSecret = { readonly secret: string }
type Reach = { readonly place: string; readonly instead: string }
type Volume = { readonly claim: string; readonly storageClass: string }
/** `why` null: nothing was heard yet. */
type Watched = { readonly why: Finding | null }

/** Texts of what a runner refuses, waits for and tells. */
export const RUNNER_REASONS = {
  RequestFailed: ({ cause }: Cause & { readonly failure: string }) => cause,

  // Whether, when and by whom a run is begun.
  AcceptedToBegin: () => 'Accepted: its checks run again, and it begins.',
  AcceptedToContinue: () => 'Accepted: its checks run again, and it continues.',
  BeginsAt: ({ startAfter }: { readonly startAfter: string }) => `Begins at ${instantWords(startAfter)}.`,
  BegunForObject: ({ run, by }: { readonly run: string; readonly by: string }) =>
    `(MaintenanceRun ${run}, confirmed by ${by})`,
  ConfirmedByOther: ({ confirmer }: { readonly confirmer: string }) => `Confirmed by ${confirmer}.`,
  DurationUnknown: ({ cause }: Cause) => `How long it takes could not be estimated. ${cause}`,
  DurationLeftUnknown: ({ cause }: Cause) =>
    `How long what is left takes could not be estimated; it is tried again. ${cause}`,
  EndIsPast: ({ notAfter }: Ends) => `Its end (notAfter) ${instantWords(notAfter)} is past.`,
  EndPastUnbegun: ({ notAfter }: Ends) => `Its end (notAfter) ${instantWords(notAfter)} is past. ${nothingDone(false)}`,
  EndPastUntaken: ({ notAfter }: Ends) => `Its end (notAfter) ${instantWords(notAfter)} is past. ${nothingDone(true)}`,
  TooLongForEnd: ({ longestMs, leftMs }: { readonly longestMs: number; readonly leftMs: number }) =>
    `It may take ${durationWords(longestMs)} by what was measured on this cloud, and its end (notAfter) is in ${durationWords(leftMs)}. ${nothingDone(false)}`,
  TooLateToBegin: ({
    from,
    withinMs,
    isScheduled,
    isHandedOver,
  }: {
    readonly from: string
    readonly withinMs: number
    readonly isScheduled: boolean
    readonly isHandedOver: boolean
  }) => {
    const was = isScheduled ? 'It was to begin' : 'It was asked for'
    const next = isHandedOver
      ? `${nothingDone(true)} Hand it over again; with notAfter it may be taken over until then.`
      : 'Nothing was touched. Plan again; with notAfter it may begin until then.'
    return `${was} at ${instantWords(from)}, and could not be begun within ${durationWords(withinMs)}. Without an end (notAfter) nothing is begun later than that. ${next}`
  },
  NoOtherNodeInTime: ({ notAfter }: Ends) =>
    `No other node is begun: it would not be finished by ${instantWords(notAfter)} (notAfter).`,
  NoOtherNodeAsAsked: ({ by }: { readonly by: string }) => `No other node is begun, as ${by} asked.`,
  ResumesWhenAsked: () => 'It is taken up again when somebody says so (control resume).',
  LeftOnPurpose: () => 'It was left on purpose, and is taken up again when somebody says so (control resume).',
  PlanAlreadyRun: ({ run, whose }: { readonly run: string; readonly whose: Finding }) =>
    `Its plan is run ${run} of the runner's journal already, ${whose.message}. A plan is carried out once. Plan again.`,
  StartedAtConsole: () => 'which was started at a console',
  BegunForOtherObject: ({ run }: { readonly run: string }) => `that of MaintenanceRun ${run}`,
  BegunForOtherText: () => 'of another text',

  // Clouds and their Secrets.
  CloudUnknown: ({ cluster }: OfCluster) => unknownCloud(cluster),
  CloudAwaited: ({ cluster }: OfCluster) => `${unknownCloud(cluster)} Its Secret is waited for.`,
  CloudSecretGone: ({ cloud }: { readonly cloud: string | null }) =>
    `The Secret of cloud ${cloud} is gone: nothing is done there without it.`,
  SecretsOfOneCloud: ({ secrets, cloud }: { readonly secrets: Names; readonly cloud: string }) =>
    `Secrets ${someNames(secrets)} all say that they are of cloud ${cloud}. Leave one.`,
  CloudNotRegistered: ({ secrets, cause }: Cause & { readonly secrets: Names }) =>
    `Secret ${someNames(secrets)} cannot be used. ${cause}`,
  SecretUnusable: ({ secret, why }: OfSecret & { readonly why: Finding }) =>
    `Secret ${secret} cannot be used: ${why.message}. Correct it; the runner looks at it again then.`,
  SecretHasOtherKeys: ({ keys, known }: { readonly keys: Names; readonly known: readonly string[] }) =>
    `it has the keys ${someNames(keys)}, which mean nothing here. Known are ${known.join(', ')}`,
  SecretSettingsUnreadable: ({ places }: { readonly places: Names }) =>
    `its settings.json cannot be read: ${places.names.slice(0, 5).join(', ')}`,
  KubeconfigReadsFile: ({ place, instead }: Reach) =>
    `kubeconfig: ${place} reads a file of the runner's pod. ${insteadWords(instead)}`,
  KubeconfigRunsCommand: ({ place, instead }: Reach) =>
    `kubeconfig: ${place} runs a command of the runner's pod. ${insteadWords(instead)}`,
  KubeconfigUsesPlugin: ({ place, instead }: Reach) =>
    `kubeconfig: ${place} signs in through a plugin of the runner's pod. ${insteadWords(instead)}`,
  CloudsYamlNamesFile: ({ place, keys }: { readonly place: string; readonly keys: readonly string[] }) =>
    `clouds.yaml: ${place} names a file of the runner's pod. Put the file into this Secret as ${keys.join(', ')}, and name it by that key`,

  // Where the runner itself is.
  RunnerOnNode: ({ node, pod, isSure }: OfNode & { readonly pod: string; readonly isSure: boolean }) => {
    const maybe = isSure ? '' : ', or on one of that name elsewhere: which of both could not be told'
    return `The runner itself runs on ${node}${maybe}. It empties no node under its own feet, and waits until it was rescheduled. Cordon ${node} and delete pod ${pod}, so that it is scheduled elsewhere; or leave that node out.`
  },
  RunnerVolumeOnCeph: ({ claim, storageClass }: Volume) =>
    `The runner keeps its journal on a volume of the very Ceph whose OSDs this run stops (claim ${claim}, storage class ${storageClass}). Run it from a console, or move the runner's volume to other storage.`,
  RunnerVolumeUnclear: ({ why }: { readonly why: Finding }) =>
    `Whether the runner's own volume is on the Ceph whose OSDs this run stops could not be told. ${why.message} The journal would stop with it, so it is refused. Run it from a console; or, where you know that the volume is on other storage, have the runner told so (lockkeeper runner manifests --volume-elsewhere; chart: storage.elsewhere).`,
  OwnKubernetesUnknown: () => 'Whether the cloud is the runner’s own Kubernetes is not known.',
  StorageClassOfNoCeph: ({ storageClass }: Pick<Volume, 'storageClass'>) =>
    `Storage class ${storageClass} names no Ceph.`,
  StorageClassOfOtherCeph: ({
    storageClass,
    clusterId,
    cephNamespace,
  }: Pick<Volume, 'storageClass'> & { readonly clusterId: string; readonly cephNamespace: string }) =>
    `Storage class ${storageClass} is of the Ceph "${clusterId}", this cloud's is in namespace ${cephNamespace}.`,
  RunnerVolumeFull: ({ directory, left }: { readonly directory: string; readonly left: string }) =>
    `The volume under ${directory} is full (${left} MiB are left): nothing is begun or taken up. Make it larger, or remove old runs (\`lockkeeper journal prune\`).`,
  RunnerWithoutContext: ({ kubeconfig }: { readonly kubeconfig: string }) =>
    `${kubeconfig} has no current context. Set one: the runner works where it leads.`,

  // Why a runner is not ready.
  RunsNotHeard: ({ why }: Watched) => `MaintenanceRuns are not read yet. ${why?.message ?? ASKED}`,
  RunsHeardNoMore: ({ why }: Watched) => `MaintenanceRuns cannot be watched. ${why?.message ?? ASKED}`,
  SecretsNotHeard: ({ why }: Watched) => `Secrets of clouds are not read yet. ${why?.message ?? ASKED}`,
  SecretsHeardNoMore: ({ why }: Watched) => `Secrets of clouds cannot be watched. ${why?.message ?? ASKED}`,
} satisfies TextsOf<string>

const ASKED = 'The API server is being asked.'

function nothingDone(isHandedOver: boolean): string {
  return isHandedOver ? 'No runner took it over.' : 'Nothing was begun.'
}

function unknownCloud(cloud: string): string {
  return `This runner knows no cloud ${cloud}: no Secret of its namespace has the label lockkeeper.dev/cloud=${cloud}.`
}

/** What to put in place of a field that reaches into the pod; `instead`: the field to give. */
function insteadWords(instead: string): string {
  return instead === 'token' ? 'Give the token of a ServiceAccount as token' : `Give ${instead}`
}
