import type {
  AskedRun,
  AskedRuns,
  Envelope,
  RequestInput,
  RunnerOffer,
  RunSummary,
  SubmittedRun,
} from '../../shared/contract/index.ts'
import { askMain, listen } from './transport.ts'

/** Whether a runner would accept plans of this cloud, and as whom; or why not. */
export function offerOfRunner(cluster: string): Promise<Envelope<RunnerOffer>> {
  return askMain('runner.offer', { cluster })
}

/** Hands a run of this console to the runner of its cloud. */
export function handOverRun(input: RequestInput<'runner.hand-over'>): Promise<Envelope<SubmittedRun>> {
  return askMain('runner.hand-over', input)
}

/** The result of submitting a plan to a runner: a run to open, or the state of a request that has not started. */
export type Submitted =
  | { readonly kind: 'run'; readonly run: RunSummary }
  | { readonly kind: 'asked'; readonly asked: SubmittedRun }

const LOOK_EVERY_MS = 500
/** A runner answers at once; a dialog waits no longer than this. */
const PATIENCE_MS = 30_000

/** Submits the shown plan to a runner; returns once its run can be read, was refused, or is scheduled for later. */
export async function submitRun(input: RequestInput<'runner.submit'>): Promise<Envelope<Submitted>> {
  const asked = await askMain('runner.submit', input)
  if (!asked.ok) return asked
  const { by, namespace, object } = asked.value
  const giveUpAt = Date.now() + PATIENCE_MS
  for (let now = asked.value; ; ) {
    if (now.phase === 'Refused') {
      const target = `maintenancerun/${object}`
      return { ok: false, failure: { code: 'checks-failed', message: now.message, retryable: false, target } }
    }
    if (now.mirrored && now.runId !== null) {
      const shown = await askMain('run.show', { runId: now.runId })
      return shown.ok ? { ok: true, value: { kind: 'run', run: shown.value.summary } } : shown
    }
    if (now.over || now.phase === 'Scheduled' || Date.now() > giveUpAt) {
      return { ok: true, value: { kind: 'asked', asked: now } }
    }
    await new Promise(resolve => window.setTimeout(resolve, LOOK_EVERY_MS))
    const next = await askMain('runner.submitted', { by, namespace, object })
    if (!next.ok) return next
    now = next.value
  }
}

/** Requests to the runners of a cluster that are not runs of this console. */
export function askedOfRunners(cluster: string): Promise<Envelope<AskedRuns>> {
  return askMain('runner.asked', { cluster })
}

/** Withdraws a request that a runner has not started, and returns the reply. */
export function withdrawRun(
  { by, namespace, object }: Pick<AskedRun, 'by' | 'namespace' | 'object'>,
  reason: string,
): Promise<Envelope<{ readonly message: string }>> {
  return askMain('runner.withdraw', { by, namespace, object, reason })
}

/** Calls `look` when a runner appears, disappears or reports something; returns a stop function. */
export function onRunnersChanged(look: () => void): () => void {
  return listen('runner.changed', look)
}
