import { seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { type InstanceRemedy, whyUnfit } from '../../../shared/domain/instance-remedy.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'

/** What the operator saw of an instance. */
type SeenInstance = Pick<Instance, 'host' | 'status' | 'taskState'>

/** The state of an instance after a remedy. `done` false: Nova still works on it, or its state could not be read again. */
interface RemedyOutcome {
  readonly now: Instance
  readonly done: boolean
}

type RemedyPort = Pick<OpenStackPort, 'getInstance' | 'resetInstanceState' | 'stopInstance'>

interface RemedyWish {
  readonly id: string
  readonly remedy: InstanceRemedy
  readonly seen: SeenInstance
}

/** A guest gets a minute to shut down before Nova switches it off. */
const ENDS_WITHIN_MS = seconds(90)
const LOOK_EVERY_MS = seconds(1)

/** The instance as it is now, if it is as it was shown and the remedy fits it. */
export async function readForRemedy(
  cloud: Pick<RemedyPort, 'getInstance'>,
  { id, remedy, seen }: RemedyWish,
  clock: Clock,
): Promise<Result<Instance>> {
  const read = await cloud.getInstance(id)
  if (!read.ok) return read
  const why = whyNot(read.value, remedy, seen, clock.now())
  return why === null ? read : failed({ ...why, target: `server/${id}` })
}

function whyNot(instance: Instance, remedy: InstanceRemedy, seen: SeenInstance, nowMs: number): Failure | null {
  const { name, host, status, taskState, partial } = instance
  if (partial) return refusal('unreachable', because('InstanceCellSilent', { name }))
  if (host !== seen.host) return refusal('conflict', because('InstanceIsElsewhere', { name, host, shown: seen.host }))
  if (status !== seen.status || taskState !== seen.taskState) {
    const shown = seen.taskState ?? seen.status
    return refusal('conflict', because('InstanceHasChanged', { name, now: taskState ?? status, shown }))
  }
  const unfit = whyUnfit(remedy, instance, nowMs)
  if (unfit === null) return null
  const { code, ...values } = unfit
  return refusal('conflict', because(code, { name, ...values }))
}

/** Takes the remedy, and follows it until Nova has carried it out. */
export async function remedyInstance(
  cloud: RemedyPort,
  instance: Instance,
  remedy: InstanceRemedy,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result<RemedyOutcome>> {
  const { id } = instance
  const asked = remedy === 'stop' ? await cloud.stopInstance(id) : await cloud.resetInstanceState(id)
  if (!asked.ok) return asked
  const until = clock.monotonicMs() + ENDS_WITHIN_MS
  for (;;) {
    const again = await cloud.getInstance(id)
    const now = again.ok ? again.value : instance
    if (again.ok && isDone(now, remedy)) return ok({ now, done: true })
    if (again.ok && now.taskState === null && remedy === 'stop' && now.updatedAt !== instance.updatedAt) {
      const why = because('RemedyHadNoEffect', { name: now.name, now: now.status })
      return failed(refusal('conflict', why, { target: `server/${id}` }))
    }
    if (clock.monotonicMs() >= until || signal.aborted) return ok({ now, done: false })
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
}

function isDone({ vmState, taskState, status }: Instance, remedy: InstanceRemedy): boolean {
  if (taskState !== null) return false
  return remedy === 'stop' ? vmState === 'stopped' || status === 'SHUTOFF' : status !== 'ERROR' && vmState !== 'error'
}
