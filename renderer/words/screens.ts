import type { ClusterScreen } from '../stores/place.ts'

/** The names of a cluster's screens. */
export const SCREEN_WORDS: Readonly<Record<ClusterScreen, string>> = {
  topology: 'Topology',
  instances: 'Instances',
  update: 'Update',
  runs: 'Runs',
  settings: 'Settings',
}
