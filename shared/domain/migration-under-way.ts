export const UNDER_WAY: ReadonlySet<string> = new Set([
  'accepted',
  'queued',
  'preparing',
  'pre-migrating',
  'running',
  'migrating',
  'post-migrating',
])
