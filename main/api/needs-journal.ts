import type { RequestName } from '../../shared/contract/index.ts'

/** Requests that change something of which the journal must tell: refused, before anything is touched, while it is open for reading only. */
export const NEEDS_JOURNAL: ReadonlySet<RequestName> = new Set<RequestName>([
  'run.start',
  'run.resume',
  'run.pause',
  'run.pause-after-node',
  'run.skip-node',
  'run.unpause',
  'run.abort',
  'run.detach',
  'run.answer',
  'cluster.update',
  'node.set-mode',
  'instance.mark',
  'window.create',
  'window.change',
  'window.note',
  'window.close',
  'window.cancel',
])
