import type { ClusterFlavour } from '../../shared/domain/cluster.ts'
import { CLUSTER_SCREENS, type ClusterScreen, type HistoryPart, type Route } from '../stores/route.ts'

/** The tabs of a cloud: only the node maintenance API updates a whole cloud. */
export function screensOf(flavour: ClusterFlavour | undefined): readonly ClusterScreen[] {
  return CLUSTER_SCREENS.filter(screen => screen !== 'update' || flavour === 'mosk')
}

export const SCREEN_WORDS: Readonly<Record<ClusterScreen, string>> = {
  topology: 'Map',
  instances: 'Instances',
  update: 'Update',
  history: 'History',
  settings: 'Settings',
}

/** The names of screens that belong to no cluster. */
export const PLACE_WORDS: Readonly<Record<Exclude<Route['kind'], 'cluster'>, string>> = {
  home: 'Home',
  clouds: 'Clouds',
  settings: 'Settings',
  'add-cluster': 'Add a cloud',
  history: 'History',
  windows: 'Schedule',
  window: 'Window',
  'new-window': 'New window',
  campaigns: 'Campaigns',
  campaign: 'Campaign',
  'new-campaign': 'New campaign',
}

export const HISTORY_PART_WORDS: Readonly<Record<HistoryPart, string>> = {
  log: 'Runs and windows',
  month: 'Last 30 days',
  durations: 'Durations',
  blockers: 'Blockers',
  reports: 'Verify a report',
  journal: 'Journal',
}
