import type {
  AskedRun,
  AskedRuns,
  Envelope,
  RequestInput,
  RunnerOffer,
  RunSummary,
  SubmittedRun,
} from '../../shared/contract/index.ts'
import { ask, listen } from './transport.ts'

/** Whether a runner in the cluster would take plans of this cloud, and as whom; or why not. */
export function offerOfRunner(cluster: string): Promise<Envelope<RunnerOffer>> {
  return ask('runner.offer', { cluster })
}

/** Hands a run of this console over to the runner of its cloud. */
export function handOverRun(input: RequestInput<'runner.hand-over'>): Promise<Envelope<SubmittedRun>> {
  return ask('runner.hand-over', input)
}

/** What came of asking a runner for a plan: a run to look at, or what is known of one that is not begun yet. */
export type Submitted =
  | { readonly kind: 'run'; readonly run: RunSummary }
  | { readonly kind: 'asked'; readonly asked: SubmittedRun }

const LOOK_EVERY_MS = 500
/** A runner looks at once; longer than this nobody is kept waiting at a dialog. */
const PATIENCE_MS = 30_000

/** Has a runner carry out the plan that was shown; answers when its run can be looked at, or was refused, or is not begun for a while. */
export async function submitRun(input: RequestInput<'runner.submit'>): Promise<Envelope<Submitted>> {
  const asked = await ask('runner.submit', input)
  if (!asked.ok) return asked
  const { by, namespace, object } = asked.value
  const giveUpAt = Date.now() + PATIENCE_MS
  for (let now = asked.value; ; ) {
    if (now.phase === 'Refused') {
      const target = `maintenancerun/${object}`
      return { ok: false, failure: { code: 'checks-failed', message: now.message, retryable: false, target } }
    }
    if (now.mirrored && now.runId !== null) {
      const shown = await ask('run.show', { runId: now.runId })
      return shown.ok ? { ok: true, value: { kind: 'run', run: shown.value.summary } } : shown
    }
    if (now.over || now.phase === 'Scheduled' || Date.now() > giveUpAt) {
      return { ok: true, value: { kind: 'asked', asked: now } }
    }
    await new Promise(resolve => window.setTimeout(resolve, LOOK_EVERY_MS))
    const next = await ask('runner.submitted', { by, namespace, object })
    if (!next.ok) return next
    now = next.value
  }
}

/** What was asked of runners for a cluster and is no run of this console. */
export function askedOfRunners(cluster: string): Promise<Envelope<AskedRuns>> {
  return ask('runner.asked', { cluster })
}

/** Has a runner end what it has not begun, and answers what it said. */
export function withdrawRun(
  { by, namespace, object }: Pick<AskedRun, 'by' | 'namespace' | 'object'>,
  reason: string,
): Promise<Envelope<{ readonly message: string }>> {
  return ask('runner.withdraw', { by, namespace, object, reason })
}

/** Told when a runner was reached, lost, or told something new; answers how to stop. */
export function onRunnersChanged(look: () => void): () => void {
  return listen('runner.changed', look)
}
