import type { Maker } from '../../domain/maintenance-api.ts'
import { shellWord } from '../../grammar/shell-word.ts'
import { instantWords } from '../../grammar/times.ts'
import { heldMessage } from '../leases.ts'
import { makerWords } from '../makers.ts'
import type { OfCluster, OfNode, OfRequest, TextsOf } from '../steps/coded.ts'

type Made = OfRequest & { readonly maker: Maker }
type Holder = Parameters<typeof heldMessage>[1]

/** Refusals to remove requests of the node maintenance API, and their results. */
export const REMOVED_REQUESTS_REASONS = {
  TypeNameToRemove: ({ cluster }: OfCluster) =>
    `${cluster} is a production cloud: type its name, ${cluster}, exactly. Nothing was removed.`,
  RequestNotThere: ({ request }: OfRequest) => `The request ${request} that was shown no longer exists.`,
  /** `subject`: the node or the cloud of the Lease. */
  RequestHeld: ({ subject, holder }: { readonly subject: string; readonly holder: Holder }) =>
    `${heldMessage(subject, holder)} Nothing was removed.`,
  RequestTerminates: ({
    request,
    since,
    finalizers,
  }: OfRequest & { readonly since: string; readonly finalizers: readonly string[] }) =>
    `${request} was already removed and has been Terminating since ${instantWords(since)}: it waits for ${finalizers.join(', ') || 'no finalizer'}. Never remove a finalizer manually: its controller would forget the node.`,
  /** `subject`: the node or the cloud that the run works on. */
  RunReliesOnRequest: ({ run, subject }: { readonly run: string; readonly subject: string }) =>
    `Run ${run} has not finished on ${subject}, and relies on its request. End the run first: resume or stop it.`,
  NodesStillRequested: ({ cluster }: OfCluster) =>
    `Nodes of ${cluster} still have requests: end their maintenance before that of the cloud.`,
  RequestEndsByReturn: ({ request, maker, cluster, node }: Made & OfCluster & OfNode) =>
    `${request} was made ${makerWords(maker)}: \`lockkeeper leave ${shellWord(cluster)} ${shellWord(node)}\` ends it and brings the node back, verified.`,
  RequestOfStranger: ({ request, maker }: Made) =>
    `${request} was made ${makerWords(maker)}, who may still rely on it: the locks stay inactive until its maker removes it. --force removes it anyway.`,
  /** The content of a request before its removal. */
  RequestWas: ({ scope, maker }: { readonly scope: string | null; readonly maker: Maker }) =>
    `scope ${scope ?? 'not set'}, made ${makerWords(maker)}`,
  RequestToBeRemoved: ({ reason }: { readonly reason: string }) => `will be removed: ${reason}`,
  RequestRemoved: ({ reason }: { readonly reason: string }) => `removed: ${reason}`,
} satisfies TextsOf<string>
