import type { JujuActionOutcome, JujuStatus } from '../../shared/domain/juju.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { CommandOutput } from './kubernetes.ts'

/**
 * What the procedures need of Juju. main/adapters/juju implements it; the connection is made at the first call and again after it broke.
 * Failures: `unreachable`, `unauthenticated`, `not-permitted`, `not-found`, `timed-out`.
 */
export interface JujuPort {
  /** The machines' model, with every unit. */
  status(signal?: AbortSignal): Promise<Result<JujuStatus>>
  /** Settings of an application, such as `bootstrap-datastore` of k8s; `not-found` when the model has none of that name. */
  applicationConfig(application: string, signal?: AbortSignal): Promise<Result<Readonly<Record<string, unknown>>>>
  /** Runs an action of the charm on a unit and waits for its end. */
  runAction(
    unit: string,
    action: string,
    parameters: Readonly<Record<string, boolean | number | string>>,
    more: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Result<JujuActionOutcome>>
  /** Runs a command on a unit's machine (`juju exec`) and waits for its end; both streams whole. */
  exec(
    unit: string,
    command: string,
    more: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Result<CommandOutput>>
}
