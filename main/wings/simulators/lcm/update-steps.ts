import { isoNow } from '../../../platform/clock/clock.ts'
import {
  isJsonObject,
  isTrueAt,
  type Json,
  type JsonObject,
  listAt,
  recordAt,
  textAt,
} from '../kubernetes/store/json.ts'
import { type LcmParts, readObject, until } from './lcm-parts.ts'

type Status = 'NotStarted' | 'InProgress' | 'Completed'

/** The ClusterUpdatePlan as LCM uses it (docs/domain.md A.8): each step waits for its `commence`, and its status shows its progress. */
interface UpdateSteps {
  /** Runs one step once an operator has commenced it. */
  run(id: string, work: () => Promise<void>): Promise<void>
  finish(): Promise<void>
}

/** Makes the steps of the plan at this path. */
export function createUpdateSteps(parts: LcmParts, path: string): UpdateSteps {
  const { client, clock } = parts

  async function write(change: (status: JsonObject) => JsonObject): Promise<void> {
    await until(parts, async () => {
      const { status, body } = await client.get(path)
      if (status !== 200) return false
      const reported = change(recordAt(body, 'status'))
      return (await client.patch(`${path}/status`, { status: reported })).status === 200
    })
  }

  async function report(id: string, stepStatus: Status): Promise<void> {
    const now = isoNow(clock)
    const ids = listAt(await readObject(parts, path), 'spec', 'steps').map(step => textAt(step, 'id') ?? '')
    await write(status => {
      const before = listAt(status, 'steps')
      const steps = ids.map((stepId): Json => {
        const known = before.find(step => textAt(step, 'id') === stepId)
        if (stepId !== id) return isJsonObject(known) ? known : { id: stepId, status: 'NotStarted' }
        const time = stepStatus === 'InProgress' ? { startedAt: now } : { completedAt: now }
        return { ...recordAt(known), id, status: stepStatus, ...time }
      })
      return { ...status, status: 'InProgress', startedAt: textAt(status, 'startedAt') ?? now, steps }
    })
  }

  return {
    async run(id, work) {
      await until(parts, async () => {
        const { body } = await client.get(path)
        const step = listAt(body, 'spec', 'steps').find(one => textAt(one, 'id') === id)
        return isTrueAt(step, 'commence')
      })
      await report(id, 'InProgress')
      await work()
      await report(id, 'Completed')
    },
    finish: () => write(status => ({ ...status, status: 'Completed', completedAt: isoNow(clock) })),
  }
}

/** Commences every step of the plan, as an operator does who does not pace the update. */
export async function commenceAll(parts: LcmParts, path: string): Promise<void> {
  await until(parts, async () => {
    const { status, body } = await parts.client.get(path)
    if (status !== 200) return false
    const steps = listAt(body, 'spec', 'steps').map((step): Json => ({ ...recordAt(step), commence: true }))
    return (await parts.client.patch(path, { spec: { steps } })).status === 200
  })
}
