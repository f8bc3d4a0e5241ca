import { z } from 'zod'
import type { WatcherPlan } from './watcher.ts'

const ShownAction = z.strictObject({
  uuid: z.string(),
  kind: z.enum(['disable-service', 'enable-service', 'live-migrate', 'cold-migrate', 'stop', 'other']),
  resourceId: z.string(),
  resourceName: z.string(),
  destination: z.string().nullable(),
})

/** What a step keeps of Watcher's recommendation: exactly the shown plan runs. */
export const WatcherStepInput = z.strictObject({
  node: z.string(),
  host: z.string(),
  planUuid: z.string(),
  auditUuid: z.string(),
  actions: z.array(ShownAction),
  excluded: z.array(z.string()),
})
export type WatcherStepInput = z.infer<typeof WatcherStepInput>

export function watcherInput(options: {
  readonly node: string
  readonly host: string
  readonly plan: WatcherPlan
  readonly excluded: readonly string[]
}): WatcherStepInput {
  const { node, host, plan, excluded } = options
  return {
    node,
    host,
    planUuid: plan.uuid,
    auditUuid: plan.auditUuid,
    actions: plan.actions.map(({ uuid, kind, resourceId, resourceName, destination }) => ({
      uuid,
      kind,
      resourceId,
      resourceName,
      destination,
    })),
    excluded: [...excluded],
  }
}
