import type { Handlers } from '../../../main/api/serve.ts'
import type { Logger } from '../../../main/platform/log/logger.ts'
import type { Redactor } from '../../../main/platform/log/redact.ts'
import type { OtherDrivers } from '../../../main/ports/other-drivers.ts'
import type { RunService } from '../../../main/runs/run-service.ts'
import type { Contract, RequestName } from '../../../shared/contract/index.ts'
import { failed, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'

type RunnerRequest = Extract<RequestName, `${'attach' | 'campaign' | 'runner'}.${string}`>

const LEFT_OUT = because('PartLeftOut', { what: 'runners' })

/** A build without runners: nobody but this console drives runs. What was handed over to a runner stays with it. */
export function openOtherDrivers<P extends { readonly own: RunService }>({ own }: P) {
  const port: OtherDrivers = {
    begin: () => {},
    find: () => null,
    sources: () => [],
    askDriver: async () => failed(refusal('not-found', LEFT_OUT)),
    settle: async () => {},
    whyNotTakenBack: async ({ id, handedTo }) =>
      handedTo === null ? null : refusal('conflict', LEFT_OUT, { target: `run/${id}` }),
  }
  return {
    runs: own as P['own'],
    port,
    // The router refuses what has no handler.
    handlers: (_services: object) => ({}) as Pick<Handlers, RunnerRequest>,
    close: async () => {},
  }
}

export async function startRunner(
  _request: { readonly writeLine: (line: string) => void; readonly [field: string]: unknown },
  _createApp: unknown,
  _openBeside: (app: { readonly contract: Contract; readonly log: Logger }) => unknown,
): Promise<
  Result<{
    readonly app: { readonly log: Logger; readonly redactor: Redactor }
    readonly port: number
    readonly ended: Promise<void>
    stop(): void
  }>
> {
  return failed(refusal('not-found', LEFT_OUT))
}

export function embeddedRunner(_cloud: object) {
  return { namespace: '', pod: '', objects: [] }
}
