import { counted } from '../../grammar/counts.ts'
import { tooLargeWords } from '../run-sizes.ts'
import type { Cause, OfServer, TextsOf } from '../steps/coded.ts'

/** One object. */
type OfObject = { readonly kind: string; readonly name: string }

/** A kind that an operator named. */
type OfKind = { readonly kind: string; readonly apiVersion: string }

/** How large a MaintenanceRun is, and how large it may be. */
type Sizes = { readonly bytes: number; readonly most: number }

/** A command in a pod. */
type InPod = { readonly command: string; readonly pod: string }

/** Texts of leases, locks, requests, runs and other objects. */
export const KUBERNETES_OBJECTS_REASONS = {
  ObjectReplaced: ({ kind, name }: OfObject) =>
    `${kind} ${name} is another object now: it was deleted and created again. Look at the new one before you go on.`,
  ObjectChangedMeanwhile: ({ kind, name }: OfObject) =>
    `${kind} ${name} changed since Lockkeeper read it. Lockkeeper reads it again.`,
  StatusContended: ({ kind, name }: OfObject) =>
    `${kind} ${name} kept changing while its status was written. It is tried again.`,
  StatusOfOtherRunner: ({ kind, name, runner }: OfObject & { readonly runner: string }) =>
    `${kind} ${name} is runner ${runner}'s: nothing was written over what it says.`,
  KindUnknownHere: ({ kind, apiVersion }: OfKind) => `This cluster does not serve ${kind} of ${apiVersion}.`,
  KindNeedsNamespace: ({ kind, apiVersion }: OfKind) => `${kind} of ${apiVersion} needs a namespace.`,
  KindHasNoNamespace: ({ kind, apiVersion }: OfKind) => `${kind} of ${apiVersion} is in no namespace.`,
  LeaseContended: ({ lease }: { readonly lease: string }) =>
    `The Lease ${lease} kept changing while we asked for it. Look who else works there.`,
  LeaseListNotWhole: ({ server, lease }: OfServer & { readonly lease: string }) =>
    `${server} lists Leases without ${lease}, which is there: the list is not whole. Nothing was learnt from it.`,
  LockContended: ({ kind, name }: OfObject) =>
    `${kind} ${name} kept changing while we wrote to it. It is tried again; look who else answers for it.`,
  DeletedRequestNotHeld: ({ kind, name }: OfObject) =>
    `${kind} ${name} is being deleted: nobody can hold it who did not hold it before. It counts as withdrawn.`,
  NoMaintenanceApi: ({ apiVersion }: { readonly apiVersion: string }) =>
    `This cluster has no node maintenance API (${apiVersion}). \`lockkeeper crds install\` brings it.`,
  LockNamesNoController: () => 'It names no controller (spec.controllerName).',
  LockStateUnknown: ({ state }: { readonly state: string }) =>
    `Its state is ${state}, which is none of active, inactive, failed.`,
  InnerStateUnknown: ({ annotation, state }: { readonly annotation: string; readonly state: string }) =>
    `Its annotation ${annotation} is "${state}", neither active nor inactive.`,
  RequestScopeUnknown: ({ scope }: { readonly scope: string }) => `Its scope is ${scope}, neither drain nor os.`,
  ObjectNamesNoNode: () => 'It names no node (spec.nodeName).',
  DefinitionNotServed: ({ definition }: { readonly definition: string }) =>
    `${definition} was installed, but the API server does not serve it. Look at \`kubectl describe crd ${definition}\`.`,
  DefinitionsNotPermitted: () =>
    'These credentials may not read definitions (customresourcedefinitions.apiextensions.k8s.io), or may not create them. An administrator of the cluster can: `kubectl apply -f resources/crds`.',
  DefinitionVersionLacking: ({ version }: { readonly version: string }) => `versions: ${version} is not there`,
  DefinitionFieldLacking: ({ field }: { readonly field: string }) => `${field}: theirs does not have it`,
  DefinitionFieldAdded: ({ field }: { readonly field: string }) => `${field}: only theirs has it`,
  DefinitionFieldDiffers: ({
    field,
    theirs,
    ours,
  }: {
    readonly field: string
    readonly theirs: string | null
    readonly ours: string | null
  }) => `${field}: theirs ${theirs ?? 'nothing'}, ours ${ours ?? 'nothing'}`,
  NoMaintenanceRuns: () =>
    'This cluster has no MaintenanceRuns (lockkeeper.dev/v1alpha1): no runner is installed there. `lockkeeper runner manifests | kubectl apply -f -` installs one (docs/runner.md).',
  RunKeptWholeUnknown: ({ run }: { readonly run: string }) =>
    `Whether MaintenanceRun ${run} would be kept whole cannot be told: the API server's answer cannot be read. It was not made.`,
  PlanTooLarge: (sizes: Sizes) => tooLargeWords({ code: 'PlanTooLarge', ...sizes }),
  StoryTooLarge: (sizes: Sizes) => tooLargeWords({ code: 'StoryTooLarge', ...sizes }),
  DefinitionKnowsNoCampaigns: ({ run }: { readonly run: string }) =>
    knowsNo('campaigns', `MaintenanceRun ${run} would begin at once`),
  DefinitionKnowsNoHandOver: ({ run }: { readonly run: string }) =>
    knowsNo('runs that are handed over', `run ${run} would begin from the start`),
  CampaignStatusLost: ({ campaign }: { readonly campaign: string }) =>
    `The status of MaintenanceCampaign ${campaign} is not as it was written. An older definition is installed: apply that of this version.`,
  ListWithoutNodes: ({ server }: OfServer) =>
    `${server} lists no node at all, and a cluster has some. Is that its API server, and does its list come whole?`,
  JobWithoutName: () => 'The manifest of the Job gives it no name. Name it in metadata.name.',
  JobPods: ({
    active,
    succeeded,
    failed,
  }: {
    readonly active: number
    readonly succeeded: number
    readonly failed: number
  }) => `${counted(active, 'pod')} active, ${succeeded} succeeded, ${failed} failed`,
  NodeNeverReported: () => 'The node never reported.',
  NodeSpecHidden: () => 'The API server does not show its spec: whether it is cordoned is not known.',
  OsdDeploymentContended: ({ osd }: { readonly osd: number }) =>
    `The Deployment of OSD ${osd} keeps changing. Look who writes it, then try again.`,
  OsdDeploymentsMissing: ({
    namespace,
    osds,
    label,
  }: {
    readonly namespace: string
    readonly osds: readonly number[]
    readonly label: string
  }) =>
    `Namespace ${namespace} has no Deployment of OSD ${osds.join(', ')} (label ${label}). Is it the namespace of Rook? It is named in the settings of this cluster.`,
  PortForwardUnsupported: ({ server, protocol }: OfServer & { readonly protocol: string }) =>
    `${server} does not forward ports of pods over WebSockets (${protocol}). Is something between that speaks for it?`,
  PodOutputTooLong: ({ command, pod, mebibytes }: InPod & { readonly mebibytes: number }) =>
    `\`${command}\` in pod ${pod} wrote more than ${mebibytes} MiB and was left. Run it by hand with kubectl exec.`,
  PodCommandCutOff: ({ server, command, pod }: OfServer & InPod) =>
    `${server} ended \`${command}\` in pod ${pod} without saying how it went. The pod or its kubelet may have gone; try again.`,
  PodCommandNotRun: ({ command, pod, cause }: InPod & Cause) =>
    `\`${command}\` could not be run in pod ${pod}: ${cause === '' ? 'no reason given' : cause}. Look whether the pod runs.`,
  RunnerNotInPod: () => 'The runner does not run in a pod, so that its volume is not known.',
  ClaimWithoutClass: ({ claim }: { readonly claim: string }) => `The claim ${claim} names no storage class.`,
  PodWithoutVolume: ({ folder }: { readonly folder: string }) => `Its pod mounts no volume at ${folder}.`,
  VolumeOfNode: () => 'a volume of the node itself',
  UpdatePlanStanding: ({
    plan,
    cluster,
    versions,
    status,
    steps,
  }: {
    readonly plan: string
    readonly cluster: string
    readonly versions: string
    readonly status: string
    readonly steps: readonly { readonly id: string; readonly status: string; readonly output: string }[]
  }) => {
    const reported = steps.map(step => `${step.id} ${step.status}${step.output === '' ? '' : ` (${step.output})`}`)
    return `ClusterUpdatePlan ${plan} of ${cluster || 'no cluster'} (${versions}): ${status}${reported.length === 0 ? '' : `; ${reported.join(', ')}`}`
  },
  UpdateStage: ({
    kind,
    name,
    stage,
    status,
    output,
  }: OfObject & { readonly stage: string; readonly status: string; readonly output: string }) =>
    `${kind} ${name}: ${stage} ${status}${output === '' ? '' : `: ${output}`}`,
} satisfies TextsOf<string>

function knowsNo(what: string, then: string): string {
  return `The definition of MaintenanceRuns that is installed knows no ${what}: ${then}. It was not made. Have an administrator apply that of this version (\`lockkeeper runner manifests\`).`
}
