import type { JujuActionOutcome, JujuStatus } from '../../shared/domain/juju.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { CommandOutput } from './kubernetes.ts'

/** Juju, connected at the first call and again after a broken connection. */
export interface JujuPort {
  status(signal?: AbortSignal): Promise<Result<JujuStatus>>
  /** Settings of an application, such as `bootstrap-datastore` of k8s; `not-found` if the model lacks it. */
  applicationConfig(application: string, signal?: AbortSignal): Promise<Result<Readonly<Record<string, unknown>>>>
  runAction(
    unit: string,
    action: string,
    parameters: Readonly<Record<string, boolean | number | string>>,
    more: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Result<JujuActionOutcome>>
  /** Runs a command on a unit's machine (`juju exec`) and waits for its end; both streams complete. */
  exec(
    unit: string,
    command: string,
    more: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Result<CommandOutput>>
}
