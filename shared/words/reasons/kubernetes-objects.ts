import { counted } from '../../grammar/counts.ts'
import type { Cause, OfServer, TextsOf } from '../steps/coded.ts'

type OfObject = { readonly kind: string; readonly name: string }

type OfKind = { readonly kind: string; readonly apiVersion: string }

/** The size of a MaintenanceRun, and the limit. */

type InPod = { readonly command: string; readonly pod: string }

/** Faults of leases, locks, requests, runs and other objects. */
export const KUBERNETES_OBJECTS_REASONS = {
  ObjectReplaced: ({ kind, name }: OfObject) =>
    `${kind} ${name} was deleted and created again. Check the new object before you continue.`,
  ObjectChangedMeanwhile: ({ kind, name }: OfObject) =>
    `${kind} ${name} changed since Lockkeeper read it. Lockkeeper reads it again.`,
  StatusContended: ({ kind, name }: OfObject) =>
    `${kind} ${name} kept changing while Lockkeeper wrote its status. Lockkeeper tries again.`,
  StatusOfOtherRunner: ({ kind, name, runner }: OfObject & { readonly runner: string }) =>
    `${kind} ${name} belongs to runner ${runner}: Lockkeeper did not overwrite its status.`,
  KindUnknownHere: ({ kind, apiVersion }: OfKind) => `This cluster does not serve ${kind} of ${apiVersion}.`,
  KindNeedsNamespace: ({ kind, apiVersion }: OfKind) => `${kind} of ${apiVersion} needs a namespace.`,
  KindHasNoNamespace: ({ kind, apiVersion }: OfKind) => `${kind} of ${apiVersion} is in no namespace.`,
  LeaseContended: ({ lease }: { readonly lease: string }) =>
    `The Lease ${lease} kept changing while Lockkeeper tried to take it. Find out who else works there.`,
  LeaseListNotWhole: ({ server, lease }: OfServer & { readonly lease: string }) =>
    `${server} lists Leases without ${lease}, which exists: the list is incomplete. Lockkeeper ignored it.`,
  LockContended: ({ kind, name }: OfObject) =>
    `${kind} ${name} kept changing while Lockkeeper wrote to it. Lockkeeper tries again; find out which other controller answers for it.`,
  DeletedRequestNotHeld: ({ kind, name }: OfObject) =>
    `${kind} ${name} is being deleted, so it cannot get a new finalizer. It counts as withdrawn.`,
  NoMaintenanceApi: ({ apiVersion }: { readonly apiVersion: string }) =>
    `This cloud has no node maintenance API (${apiVersion}). Install it with \`lockkeeper crds install\`.`,
  LockNamesNoController: () => 'It names no controller (spec.controllerName).',
  LockStateUnknown: ({ state }: { readonly state: string }) =>
    `Its state is ${state}, not one of active, inactive, failed.`,
  InnerStateUnknown: ({ annotation, state }: { readonly annotation: string; readonly state: string }) =>
    `Its annotation ${annotation} is "${state}", neither active nor inactive.`,
  RequestScopeUnknown: ({ scope }: { readonly scope: string }) => `Its scope is ${scope}, neither drain nor os.`,
  ObjectNamesNoNode: () => 'It names no node (spec.nodeName).',
  DefinitionNotServed: ({ definition }: { readonly definition: string }) =>
    `${definition} was installed, but the API server does not serve it. Check \`kubectl describe crd ${definition}\`.`,
  DefinitionsNotPermitted: () =>
    'These credentials may not read definitions (customresourcedefinitions.apiextensions.k8s.io), or may not create them. Ask an administrator of the cluster to run `kubectl apply -f resources/crds`.',
  DefinitionVersionLacking: ({ version }: { readonly version: string }) => `versions: ${version} is missing`,
  DefinitionFieldLacking: ({ field }: { readonly field: string }) => `${field}: the cloud's version does not have it`,
  DefinitionFieldAdded: ({ field }: { readonly field: string }) => `${field}: only the cloud's version has it`,
  DefinitionFieldDiffers: ({
    field,
    theirs,
    ours,
  }: {
    readonly field: string
    readonly theirs: string | null
    readonly ours: string | null
  }) => `${field}: ${theirs ?? 'nothing'} in the cloud, ${ours ?? 'nothing'} in Lockkeeper`,
  NoMaintenanceRuns: () =>
    'This cloud has no MaintenanceRuns (lockkeeper.dev/v1alpha1): no runner is installed there. `lockkeeper runner manifests | kubectl apply -f -` installs one (docs/runner.md).',
  RunKeptWholeUnknown: ({ run }: { readonly run: string }) =>
    `Cannot tell whether the API server would store MaintenanceRun ${run} completely: its answer cannot be read. The run was not created.`,
  DefinitionKnowsNoCampaigns: ({ run }: { readonly run: string }) =>
    knowsNo('campaigns', `MaintenanceRun ${run} would start at once`),
  DefinitionKnowsNoHandOver: ({ run }: { readonly run: string }) =>
    knowsNo('runs that are handed over', `run ${run} would start from its beginning`),
  CampaignStatusLost: ({ campaign }: { readonly campaign: string }) =>
    `The API server did not store all of the status of MaintenanceCampaign ${campaign}. An older definition is installed: apply that of this version.`,
  ListWithoutNodes: ({ server }: OfServer) =>
    `${server} returned an empty node list. Check that this is the API server and that no proxy truncates the answer.`,
  JobWithoutName: () => 'The manifest of the Job has no name. Set metadata.name.',
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
  NodeSpecHidden: () => 'The API server does not show its spec, so Lockkeeper cannot tell whether it is cordoned.',
  OsdDeploymentContended: ({ osd }: { readonly osd: number }) =>
    `The Deployment of OSD ${osd} keeps changing. Find out what writes it, then try again.`,
  OsdDeploymentsMissing: ({
    namespace,
    osds,
    label,
  }: {
    readonly namespace: string
    readonly osds: readonly number[]
    readonly label: string
  }) =>
    `Namespace ${namespace} has no Deployment of OSD ${osds.join(', ')} (label ${label}). Is it the namespace of Rook? The settings of this cloud name it.`,
  PortForwardUnsupported: ({ server, protocol }: OfServer & { readonly protocol: string }) =>
    `${server} does not forward ports of pods over WebSockets (${protocol}). Is a proxy in between?`,
  PodOutputTooLong: ({ command, pod, mebibytes }: InPod & { readonly mebibytes: number }) =>
    `\`${command}\` in pod ${pod} wrote more than ${mebibytes} MiB, so Lockkeeper stopped reading. Run it manually with kubectl exec.`,
  PodCommandCutOff: ({ server, command, pod }: OfServer & InPod) =>
    `${server} ended \`${command}\` in pod ${pod} without a result. The pod or its kubelet may have stopped; try again.`,
  PodCommandNotRun: ({ command, pod, cause }: InPod & Cause) =>
    `\`${command}\` could not run in pod ${pod}: ${cause === '' ? 'no reason given' : cause}. Check whether the pod runs.`,
  RunnerNotInPod: () => 'The runner does not run in a pod, so Lockkeeper does not know its volume.',
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
  return `The installed definition of MaintenanceRuns does not know ${what}: ${then}. Nothing was created. Ask an administrator to apply the definition of this version (\`lockkeeper runner manifests\`).`
}
