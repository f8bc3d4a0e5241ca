import { NO_MAINTENANCE_OBJECTS } from '../../../../shared/domain/maintenance-api.ts'
import { ok } from '../../../../shared/domain/result.ts'
import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { signsOfLife } from './controller-life.ts'

/** The cluster has the node maintenance API, and every application a controller that answers. */
export const maintenanceApiReady = checkStep({
  kind: 'maintenance-api-ready',
  role: 'general',
  ...stepText('maintenance-api-ready'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const { maintenanceApi, cluster } = ctx.world
    const kinds = await maintenanceApi.servedKinds(ctx.signal)
    if (!kinds.ok) return cannotAsk(thing('Definitions'), kinds.failure)
    const needed = ['ClusterMaintenanceRequest', 'NodeMaintenanceRequest', 'ClusterWorkloadLock', 'NodeWorkloadLock']
    const missing = kinds.value.filter(({ kind, isServed }) => !isServed && needed.includes(kind))
    const objects = missing.length > 0 ? ok(NO_MAINTENANCE_OBJECTS) : await maintenanceApi.objects(ctx.signal)
    if (!objects.ok) return cannotAsk(thing('WorkloadLocks'), objects.failure)
    const lives = await signsOfLife(objects.value, ctx)
    if (!lives.ok) return cannotAsk(thing('Controllers'), lives.failure)
    const blockers: Blocker[] = [
      ...missing.map(({ name }) => blocker(fault('DefinitionMissing', { name, cluster: cluster.name }))),
      ...lives.value.flatMap(each => each.blocker ?? []),
    ]
    return readyUnless(blockers, found('MaintenanceApiAnswered', { lives: lives.value.map(({ life }) => life) }), {
      evidence: [
        evidence(`node maintenance API of ${cluster.name}`, ctx.at(), {
          node: typeof input.node === 'string' ? input.node : null,
          definitions: kinds.value.map(({ name, isServed }) => ({ name, state: isServed ? 'served' : 'missing' })),
          controllers: { ...cluster.maintenanceApi.controllers },
          signsOfLife: lives.value.map(({ life }) => found('ControllerLives', life).message),
        }),
      ],
      warnings: lives.value.flatMap(({ life, isUnreported }) => (isUnreported ? [found('NoSignOfLife', life)] : [])),
    })
  },
})
