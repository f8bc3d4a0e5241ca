import { durationWords } from '../../../grammar/durations.ts'
import { instantWords } from '../../../grammar/times.ts'
import {
  type Cause,
  type Finding,
  type Names,
  type OfCluster,
  type OfNode,
  someNames,
  type TextsOf,
} from '../../../words/steps/coded.ts'

type Ends = { readonly notAfter: string }
type OfSecret = { readonly secret: string }
type Reach = { readonly place: string; readonly instead: string }
type Volume = { readonly claim: string; readonly storageClass: string }
/** `why` null: the API server has not answered yet. */
type Watched = { readonly why: Finding | null }

/** Refusals, waits and reports of a runner. */
export const RUNNER_REASONS = {
  AcceptedToBegin: () => 'Accepted: its checks run again, then it starts.',
  AcceptedToContinue: () => 'Accepted: its checks run again, then it continues.',
  BeginsAt: ({ startAfter }: { readonly startAfter: string }) => `Starts at ${instantWords(startAfter)}.`,
  BegunForObject: ({ run, by }: { readonly run: string; readonly by: string }) =>
    `(MaintenanceRun ${run}, confirmed by ${by})`,
  ConfirmedByOther: ({ confirmer }: { readonly confirmer: string }) => `Confirmed by ${confirmer}.`,
  DurationUnknown: ({ cause }: Cause) => `The runner could not estimate its duration. ${cause}`,
  DurationLeftUnknown: ({ cause }: Cause) =>
    `The runner could not estimate the remaining time and tries again. ${cause}`,
  EndIsPast: ({ notAfter }: Ends) => `Its end (notAfter) ${instantWords(notAfter)} has passed.`,
  EndPastUnbegun: ({ notAfter }: Ends) =>
    `Its end (notAfter) ${instantWords(notAfter)} has passed. ${nothingDone(false)}`,
  EndPastUntaken: ({ notAfter }: Ends) =>
    `Its end (notAfter) ${instantWords(notAfter)} has passed. ${nothingDone(true)}`,
  TooLongForEnd: ({ longestMs, leftMs }: { readonly longestMs: number; readonly leftMs: number }) =>
    `It may take ${durationWords(longestMs)} by measurements on this cloud, but its end (notAfter) is in ${durationWords(leftMs)}. ${nothingDone(false)}`,
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
    const was = isScheduled ? 'It should have started' : 'It was submitted'
    const next = isHandedOver
      ? `${nothingDone(true)} Hand it over again; with notAfter a runner may take it over until then.`
      : 'Nothing was changed. Plan again; with notAfter it may start until then.'
    return `${was} at ${instantWords(from)}, but could not start within ${durationWords(withinMs)}. Without an end (notAfter) no run starts later than that. ${next}`
  },
  NoOtherNodeInTime: ({ notAfter }: Ends) =>
    `No other node starts: it would not finish by ${instantWords(notAfter)} (notAfter).`,
  NoOtherNodeAsAsked: ({ by }: { readonly by: string }) => `No other node starts, as ${by} requested.`,
  ResumesWhenAsked: () => 'It continues when an operator resumes it (control resume).',
  LeftOnPurpose: () => 'An operator paused it, and it continues when an operator resumes it (control resume).',
  PlanAlreadyRun: ({ run, whose }: { readonly run: string; readonly whose: Finding }) =>
    `Its plan is already run ${run} of the runner's journal, ${whose.message}. A plan runs only once. Plan again.`,
  StartedAtConsole: () => 'which was started at a console',
  BegunForOtherObject: ({ run }: { readonly run: string }) => `that of MaintenanceRun ${run}`,
  BegunForOtherText: () => 'of another text',

  // Clouds and their Secrets.
  CloudUnknown: ({ cluster }: OfCluster) => unknownCloud(cluster),
  CloudAwaited: ({ cluster }: OfCluster) => `${unknownCloud(cluster)} The runner waits for its Secret.`,
  CloudSecretGone: ({ cloud }: { readonly cloud: string | null }) =>
    `The Secret of cloud ${cloud} no longer exists: without it the runner does nothing there.`,
  SecretsOfOneCloud: ({ secrets, cloud }: { readonly secrets: Names; readonly cloud: string }) =>
    `Secrets ${someNames(secrets)} all name cloud ${cloud}. Keep only one.`,
  CloudNotRegistered: ({ secrets, cause }: Cause & { readonly secrets: Names }) =>
    `Secret ${someNames(secrets)} is unusable. ${cause}`,
  SecretUnusable: ({ secret, why }: OfSecret & { readonly why: Finding }) =>
    `Secret ${secret} is unusable: ${why.message}. Correct it; the runner then reads it again.`,
  SecretHasOtherKeys: ({ keys, known }: { readonly keys: Names; readonly known: readonly string[] }) =>
    `it has the unknown keys ${someNames(keys)}. Known keys are ${known.join(', ')}`,
  SecretSettingsUnreadable: ({ places }: { readonly places: Names }) =>
    `its settings.json cannot be read: ${places.names.slice(0, 5).join(', ')}`,
  KubeconfigReadsFile: ({ place, instead }: Reach) =>
    `kubeconfig: ${place} reads a file in the runner's pod. ${insteadWords(instead)}`,
  KubeconfigRunsCommand: ({ place, instead }: Reach) =>
    `kubeconfig: ${place} runs a command in the runner's pod. ${insteadWords(instead)}`,
  KubeconfigUsesPlugin: ({ place, instead }: Reach) =>
    `kubeconfig: ${place} signs in through a plugin in the runner's pod. ${insteadWords(instead)}`,
  CloudsYamlNamesFile: ({ place, keys }: { readonly place: string; readonly keys: readonly string[] }) =>
    `clouds.yaml: ${place} names a file in the runner's pod. Put the file into this Secret as ${keys.join(', ')}, and name it by that key`,

  RunnerOnNode: ({ node, pod, isSure }: OfNode & { readonly pod: string; readonly isSure: boolean }) => {
    const maybe = isSure ? '' : ', or on a node of that name in another cloud: it cannot tell which'
    return `The runner itself runs on ${node}${maybe}. It does not empty its own node, and waits until it is rescheduled. Cordon ${node} and delete pod ${pod}, so that it starts elsewhere; or leave that node out.`
  },
  RunnerVolumeOnCeph: ({ claim, storageClass }: Volume) =>
    `The runner keeps its journal on a volume of the same Ceph whose OSDs this run stops (claim ${claim}, storage class ${storageClass}). Run it from a console, or move the runner's volume to other storage.`,
  RunnerVolumeUnclear: ({ why }: { readonly why: Finding }) =>
    `Cannot tell whether the runner's own volume is on the Ceph whose OSDs this run stops. ${why.message} The journal would stop with it, so the runner refuses the run. Run it from a console. If you know that the volume is on other storage, tell the runner so (lockkeeper runner manifests --volume-elsewhere; chart: storage.elsewhere).`,
  OwnKubernetesUnknown: () => 'Cannot tell whether the cloud is the runner’s own Kubernetes.',
  StorageClassOfNoCeph: ({ storageClass }: Pick<Volume, 'storageClass'>) =>
    `Storage class ${storageClass} names no Ceph.`,
  StorageClassOfOtherCeph: ({
    storageClass,
    clusterId,
    cephNamespace,
  }: Pick<Volume, 'storageClass'> & { readonly clusterId: string; readonly cephNamespace: string }) =>
    `Storage class ${storageClass} belongs to the Ceph "${clusterId}", but this cloud's Ceph is in namespace ${cephNamespace}.`,
  RunnerVolumeFull: ({ directory, left }: { readonly directory: string; readonly left: string }) =>
    `The volume of ${directory} is full (${left} MiB free): no run starts or resumes. Enlarge it, or remove old runs (\`lockkeeper journal prune\`).`,
  RunnerWithoutContext: ({ kubeconfig }: { readonly kubeconfig: string }) =>
    `${kubeconfig} has no current context. Set one: the runner uses it.`,

  RunsNotHeard: ({ why }: Watched) => `The runner has not read MaintenanceRuns yet. ${why?.message ?? ASKED}`,
  RunsHeardNoMore: ({ why }: Watched) => `The runner cannot watch MaintenanceRuns. ${why?.message ?? ASKED}`,
  SecretsNotHeard: ({ why }: Watched) => `The runner has not read the Secrets of clouds yet. ${why?.message ?? ASKED}`,
  SecretsHeardNoMore: ({ why }: Watched) => `The runner cannot watch the Secrets of clouds. ${why?.message ?? ASKED}`,
} satisfies TextsOf<string>

const ASKED = 'It is waiting for the API server.'

function nothingDone(isHandedOver: boolean): string {
  return isHandedOver ? 'No runner took it over.' : 'Nothing was started.'
}

function unknownCloud(cloud: string): string {
  return `This runner does not know cloud ${cloud}: no Secret in its namespace has the label lockkeeper.dev/cloud=${cloud}.`
}

/** The replacement for a field that refers to the pod; `instead`: the field to give. */
function insteadWords(instead: string): string {
  return instead === 'token' ? 'Give the token of a ServiceAccount as token' : `Give ${instead}`
}
