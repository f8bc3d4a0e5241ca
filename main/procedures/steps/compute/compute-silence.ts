import type { Failure } from '../../../../shared/domain/failure.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import { COMPUTE_LAST_REPORT, subjectName } from '../../../../shared/domain/run-facts.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import { refusal } from '../../answers.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'

/** Longer than two reports of nova-compute, one every ten seconds: our clock differs from Nova's. */
const WATCHED_FOR_MS = 25_000
const LOOK_EVERY_MS = 5_000

/** A change of a nova-compute's record, by Nova's clock; null if Nova gives no time. */
interface Change {
  readonly at: string | null
}

/** How a nova-compute's record changed during 25 s; null if it did not. Nothing may be evacuated from a host that reports. */
export async function reportWhileWatched(
  { id, host, updatedAt }: ComputeService,
  ctx: MaintenanceContext,
): Promise<Result<Change | null>> {
  const { clock, signal } = ctx
  const began = clock.monotonicMs()
  while (clock.monotonicMs() - began < WATCHED_FOR_MS) {
    await clock.sleep(LOOK_EVERY_MS, signal)
    const services = await ctx.retryTransient('the compute services', () => cloudOf(ctx).computeServices(signal))
    if (!services.ok) return services
    const now = services.value.find(service => service.id === id)
    if (now === undefined) return failed(gone(host))
    if (now.updatedAt !== updatedAt) return ok({ at: now.updatedAt })
  }
  return ok(null)
}

interface SilentCompute {
  readonly id: string
  readonly host: string
  readonly updatedAt: string
}

/** Proves at the start of every apply that a forced-down nova-compute is silent: Nova shows it as down in any case, also after a resume. */
export async function proveSilent(service: ComputeService, ctx: MaintenanceContext): Promise<Result<SilentCompute>> {
  const { id, host, updatedAt } = service
  if (updatedAt === null) {
    return failed(refusal('conflict', fault('LastReportNotKnown', { host })))
  }
  const recorded = recordedReport(host, ctx)
  // A nova-compute makes a new record only when it starts.
  if (recorded !== null && (recorded.id !== id || recorded.updatedAt !== updatedAt))
    return failed(reports(host, updatedAt))
  const reported = await reportWhileWatched(service, ctx)
  if (!reported.ok) return reported
  if (reported.value !== null) return failed(reports(host, reported.value.at))
  recordLastReport(service, ctx)
  return ok({ id, host, updatedAt })
}

/** Journals when Nova last changed a forced-down nova-compute's record. Later proofs compare with the first entry. */
export function recordLastReport({ id, host, updatedAt }: ComputeService, ctx: MaintenanceContext): void {
  if (updatedAt !== null && recordedReport(host, ctx) === null) {
    ctx.report(COMPUTE_LAST_REPORT, `nova-compute/${host}`, { id, updatedAt })
  }
}

/** Whether a forced-down nova-compute has the record that the run journaled. A run without Nova passes. */
export async function reportedNothing(ctx: MaintenanceContext): Promise<Result<void>> {
  const found = ctx.runHistory().find(({ fact }) => fact === COMPUTE_LAST_REPORT)
  return found === undefined ? ok(undefined) : staysSilent(recordIn(found), ctx)
}

/** The record as this run, in any process, first read it after the force-down. */
function recordedReport(host: string, ctx: MaintenanceContext): SilentCompute | null {
  const found = ctx
    .runHistory()
    .find(({ fact, subject }) => fact === COMPUTE_LAST_REPORT && subject === `nova-compute/${host}`)
  return found === undefined ? null : recordIn(found)
}

function recordIn({ subject, values }: RunFact): SilentCompute {
  return { id: String(values.id), host: subjectName({ subject, values }), updatedAt: String(values.updatedAt) }
}

/** Read immediately before an evacuation. */
export async function staysSilent(
  { id, host, updatedAt }: SilentCompute,
  ctx: MaintenanceContext,
): Promise<Result<void>> {
  const services = await ctx.retryTransient('the compute services', () => cloudOf(ctx).computeServices(ctx.signal))
  if (!services.ok) return services
  const now = services.value.find(service => service.id === id)
  if (now === undefined) return failed(gone(host))
  return now.updatedAt === updatedAt ? ok(undefined) : failed(reports(host, now.updatedAt))
}

function reports(host: string, changedAt: string | null): Failure {
  return refusal('conflict', fault('MachineMayRun', { host, changedAt }), { target: `nova-compute/${host}` })
}

function gone(host: string): Failure {
  return refusal('not-found', fault('ComputeServiceGone', { host }))
}
