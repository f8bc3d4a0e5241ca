import type { ClusterScreen, HistoryPart, Route } from '../stores/route.ts'

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
  durations: 'Durations',
  blockers: 'Recurring blockers',
  reports: 'Check a report',
  journal: 'Journal',
}
