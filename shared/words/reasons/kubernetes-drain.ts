import { finalizersNamed } from '../../domain/finalizers.ts'
import type { Cause, OfNode, OfServer, TextsOf } from '../steps/coded.ts'

/** Decisions of a drain about each pod, and how pods leave. kubectl's texts stay verbatim: an operator may search for them. */
export const KUBERNETES_DRAIN_REASONS = {
  PodOfManagedDaemonSet: () => 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)',
  PodHasLocalStorage: () => 'Pods with local storage (use --delete-emptydir-data to override)',
  PodHasNoController: () => 'Pods that declare no controller (use --force to override)',
  DaemonSetPodsIgnored: () => 'ignoring DaemonSet-managed Pods',
  LocalStorageDeleted: () => 'deleting Pods with local storage',
  UnmanagedPodDeleted: () => 'deleting Pods that declare no controller',
  PodsNotDeletable: ({ cause, pods }: Cause & { readonly pods: readonly string[] }) =>
    `cannot delete ${cause}: ${pods.join(', ')}`,
  DaemonSetMissing: ({ daemonSet }: { readonly daemonSet: string }) => `daemonsets.apps "${daemonSet}" not found`,
  DaemonSetNotAsked: ({ daemonSet }: { readonly daemonSet: string }) =>
    `Lockkeeper did not read DaemonSet ${daemonSet}`,
  DaemonSetStays: ({ daemonSet }: { readonly daemonSet: string }) => `DaemonSet ${daemonSet} keeps a pod on every node`,
  PodDeletedLongAgo: ({ seconds }: { readonly seconds: number }) => `its deletion started more than ${seconds} s ago`,
  PodFromFile: () => 'the kubelet runs it from a file on the node (mirror pod)',
  PodKeptByFinalizers: ({ finalizers }: { readonly finalizers: readonly string[] }) =>
    `it stays until ${finalizersNamed(finalizers)} ${finalizers.length === 1 ? 'is' : 'are'} removed`,
  PodNotAskedYet: () => 'it is not evicted yet',
  PodOfDeletedNamespace: ({ namespace }: { readonly namespace: string }) =>
    `namespace ${namespace} is being deleted, which deletes the pod`,
  PodChangedWhenAsked: () => 'it changed during its eviction',
  PodNotDeleted: () =>
    'Kubernetes accepted its eviction but does not delete it: a webhook or a dry run may have dropped it',
  PodTerminates: () => 'it is evicted and still terminates',
  PodTerminatesUntil: ({ until }: { readonly until: string }) =>
    `it is terminating after its eviction, until ${until} at the latest`,
  PodHeldByFinalizers: ({ finalizers }: { readonly finalizers: readonly string[] }) =>
    `its grace period has ended, but ${finalizersNamed(finalizers)} keeps it`,
  RunWasStopped: () => 'the run was stopped',
  PodNotAskedAfterOther: () => 'not evicted, because another pod could not be deleted',
  DrainOfOpenNode: ({ node }: OfNode) =>
    `Node ${node} is not cordoned, so evicted pods could return at once. Another client uncordoned it: cordon it, then drain again.`,
  ApiServerListsNoPods: ({ server }: OfServer) =>
    `${server} does not serve pods. Is it an API server? Check it manually.`,
  EvictionRefused: ({ cause }: Cause) => cause,
  ApiServerAsksToWait: () => 'the API server asks to wait',
  PodNotEvictable: ({ pod, cause }: Cause & { readonly pod: string }) =>
    `The API server does not evict pods like ${pod}: ${cause}.`,
} satisfies TextsOf<string>
