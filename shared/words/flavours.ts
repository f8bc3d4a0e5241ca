import type { ClusterFlavour } from '../domain/cluster.ts'

/** The meaning of a cloud's flavour (docs/domain.md A, B). */
export const FLAVOUR_WORDS: Readonly<Record<ClusterFlavour, string>> = {
  plain: 'Standard OpenStack on Kubernetes',
  mosk: 'Mirantis OpenStack for Kubernetes (MOSK)',
  sunbeam: 'Canonical OpenStack (Sunbeam)',
}

/** The same in a word or three, where space is short. */
export const FLAVOUR_NAMES: Readonly<Record<ClusterFlavour, string>> = {
  plain: 'OpenStack on Kubernetes',
  mosk: 'MOSK',
  sunbeam: 'Sunbeam',
}
