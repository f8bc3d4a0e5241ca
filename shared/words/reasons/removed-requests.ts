import type { Maker } from '../../domain/maintenance-api.ts'
import { shellWord } from '../../grammar/shell-word.ts'
import { heldMessage } from '../leases.ts'
import { makerWords } from '../makers.ts'
import type { OfCluster, OfNode, TextsOf } from '../steps/coded.ts'

type OfRequest = { readonly request: string }
type Made = OfRequest & { readonly maker: Maker }
type Holder = Parameters<typeof heldMessage>[1]

/** Texts of requests of the node maintenance API that an operator removes. */
export const REMOVED_REQUESTS_REASONS = {
  TypeNameToRemove: ({ cluster }: OfCluster) =>
    `${cluster} is a production cluster: type its name, ${cluster}, exactly. Nothing was removed.`,
  RequestNotThere: ({ request }: OfRequest) => `The request ${request} that was shown is not there any more.`,
  /** `subject`: the node or the cluster whose Lease is held. */
  RequestHeld: ({ subject, holder }: { readonly subject: string; readonly holder: Holder }) =>
    `${heldMessage(subject, holder)} Nothing was removed.`,
  RequestTerminates: ({
    request,
    since,
    finalizers,
  }: OfRequest & { readonly since: string; readonly finalizers: readonly string[] }) =>
    `${request} was removed already and is Terminating since ${since}: it waits for ${finalizers.join(', ') || 'nobody'}. Never remove a finalizer by hand: its controller would forget the node.`,
  /** `subject`: the node or the cluster that the run is not over on. */
  RunReliesOnRequest: ({ run, subject }: { readonly run: string; readonly subject: string }) =>
    `Run ${run} is not over on ${subject}, and relies on what is requested. End it first: resume or abort it.`,
  NodesStillRequested: ({ cluster }: OfCluster) =>
    `Nodes of ${cluster} are still requested: end their maintenance before the cluster's.`,
  RequestEndsByReturn: ({ request, maker, cluster, node }: Made & OfCluster & OfNode) =>
    `${request} was made ${makerWords(maker)}: \`lockkeeper leave ${shellWord(cluster)} ${shellWord(node)}\` ends it and brings the node back, verified.`,
  RequestOfStranger: ({ request, maker }: Made) =>
    `${request} was made ${makerWords(maker)}, who may still rely on it: the locks count on it until its maker removes it. --force removes it all the same.`,
  /** What a request asked for, before it was removed. */
  RequestWas: ({ scope, maker }: { readonly scope: string | null; readonly maker: Maker }) =>
    `scope ${scope ?? 'not set'}, made ${makerWords(maker)}`,
  RequestToBeRemoved: ({ reason }: { readonly reason: string }) => `is to be removed: ${reason}`,
  RequestRemoved: ({ reason }: { readonly reason: string }) => `removed: ${reason}`,
} satisfies TextsOf<string>
