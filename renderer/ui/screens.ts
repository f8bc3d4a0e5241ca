import type { ClusterScreen, HistoryPart, Route } from '../stores/route.ts'

/** The names of a cluster's screens. */
export const SCREEN_WORDS: Readonly<Record<ClusterScreen, string>> = {
  topology: 'Topology',
  instances: 'Instances',
  update: 'Update',
  runs: 'Runs',
  settings: 'Settings',
}

/** The names of the screens that belong to no one cluster. */
export const PLACE_WORDS: Readonly<Record<Exclude<Route['kind'], 'cluster'>, string>> = {
  clusters: 'Fleet',
  'add-cluster': 'Add a cluster',
  history: 'History',
  windows: 'Maintenance windows',
  window: 'Maintenance window',
  'new-window': 'New maintenance window',
  campaigns: 'Campaigns',
  campaign: 'Campaign',
  'new-campaign': 'New campaign',
}

/** The names of the parts of the history. */
export const HISTORY_PART_WORDS: Readonly<Record<HistoryPart, string>> = {
  log: 'Runs and windows',
  durations: 'Durations',
  blockers: 'Recurring blockers',
  reports: 'Check a report',
  journal: 'Journal',
}
