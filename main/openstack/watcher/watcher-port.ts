import { failure } from '../../../shared/domain/failure.ts'
import { failed } from '../../../shared/domain/result.ts'
import type { WatcherPort } from '../../maintenance/ports.ts'
import type { OpenStackSession } from '../keystone-session.ts'

/** Watcher as the procedures need it (main/maintenance/ports.ts), over a session. */
export function createWatcherPort(_options: { readonly session: OpenStackSession }): WatcherPort {
  const none = async () => failed(failure('not-found', 'This cloud has no Watcher (service type infra-optim).'))
  return { about: none, recommend: none, recommended: none, plan: none, skip: none, start: none, cancel: none }
}
