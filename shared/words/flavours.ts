import type { ClusterFlavour } from '../domain/cluster.ts'

/** What a cluster's flavour means, in an operator's words (docs/domain.md A, B). */
export const FLAVOUR_WORDS: Readonly<Record<ClusterFlavour, string>> = {
  plain: 'Kubernetes and OpenStack, without maintenance controllers of its own',
  mosk: 'Mirantis OpenStack for Kubernetes, with the node maintenance API',
  sunbeam: 'Canonical OpenStack (Sunbeam)',
}
