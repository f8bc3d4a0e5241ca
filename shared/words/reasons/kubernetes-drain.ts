import { finalizersNamed } from '../../domain/finalizers.ts'
import type { Cause, OfNode, OfServer, TextsOf } from '../steps/coded.ts'

/** Texts of what a drain decides of each pod, and of how pods leave. kubectl's own texts are as it writes them: an operator may search for them. */
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
  DaemonSetNotAsked: ({ daemonSet }: { readonly daemonSet: string }) => `DaemonSet ${daemonSet} was not asked for`,
  DaemonSetStays: ({ daemonSet }: { readonly daemonSet: string }) => `DaemonSet ${daemonSet} keeps a pod on every node`,
  PodDeletedLongAgo: ({ seconds }: { readonly seconds: number }) =>
    `its deletion was asked for more than ${seconds} s ago`,
  PodFromFile: () => 'the kubelet runs it from a file on the node (mirror pod)',
  PodKeptByFinalizers: ({ finalizers }: { readonly finalizers: readonly string[] }) =>
    `it is gone only when ${finalizersNamed(finalizers)} ${finalizers.length === 1 ? 'is' : 'are'} taken away`,
  PodNotAskedYet: () => 'it was not asked yet',
  PodOfDeletedNamespace: ({ namespace }: { readonly namespace: string }) =>
    `namespace ${namespace} is being deleted, and will delete the pod`,
  PodChangedWhenAsked: () => 'it changed while it was asked to leave',
  PodTerminates: () => 'it was asked to leave and still terminates',
  PodTerminatesUntil: ({ until }: { readonly until: string }) =>
    `it has been terminating since it was asked to leave, until ${until} at the latest`,
  PodHeldByFinalizers: ({ finalizers }: { readonly finalizers: readonly string[] }) =>
    `its time to end is over, and it is kept by ${finalizersNamed(finalizers)}`,
  RunWasStopped: () => 'the run was stopped',
  PodNotAskedAfterOther: () => 'not asked, because another pod could not be deleted',
  DrainOfOpenNode: ({ node }: OfNode) =>
    `Node ${node} is not cordoned: evicted pods could come straight back. Somebody uncordoned it; cordon it, then drain again.`,
  ApiServerListsNoPods: ({ server }: OfServer) =>
    `${server} lists no pods among what it serves. Is it an API server? Look at it by hand.`,
  EvictionRefused: ({ cause }: Cause) => cause,
  ApiServerAsksToWait: () => 'the API server asks to wait',
  PodNotEvictable: ({ pod, cause }: Cause & { readonly pod: string }) =>
    `The API server evicts no pod like ${pod}: ${cause}.`,
} satisfies TextsOf<string>
