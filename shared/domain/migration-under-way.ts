/** Statuses of a migration record in which Nova still works on it. */
export const UNDER_WAY: ReadonlySet<string> = new Set([
  'accepted',
  'queued',
  'preparing',
  'pre-migrating',
  'running',
  'migrating',
  'post-migrating',
])
