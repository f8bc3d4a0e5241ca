import { NO_MAINTENANCE_OBJECTS } from '../../../../shared/domain/maintenance-api.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { signsOfLife } from './controller-life.ts'

const NEVER = { kind: 'never', why: 'nobody would answer the request' } as const

/** The cluster has the node maintenance API, and somebody answers for every application it has. */
export const maintenanceApiReady = checkStep({
  kind: 'maintenance-api-ready',
  role: 'general',
  why: 'A maintenance request that nobody answers is waited for in vain.',
  title: () => 'The node maintenance API is there and answered',
  withinMs: 30_000,
  check: async (input, ctx) => {
    const { maintenanceApi, cluster } = ctx.world
    const definitions = await maintenanceApi.definitions(ctx.signal)
    if (!definitions.ok) return cannotAsk('The definitions of the node maintenance API', definitions.failure)
    const needed = ['ClusterMaintenanceRequest', 'NodeMaintenanceRequest', 'ClusterWorkloadLock', 'NodeWorkloadLock']
    const missing = definitions.value.filter(({ kind, state }) => state === 'missing' && needed.includes(kind))
    const objects = missing.length > 0 ? ok(NO_MAINTENANCE_OBJECTS) : await maintenanceApi.objects(ctx.signal)
    if (!objects.ok) return cannotAsk('The workload locks', objects.failure)
    const lives = await signsOfLife(objects.value, ctx)
    if (!lives.ok) return cannotAsk('The controllers', lives.failure)
    const untold = lives.value.filter(({ isUntold }) => isUntold)
    const told = ['The definitions are there', ...lives.value.map(({ text }) => text)]
    const blockers: Blocker[] = [
      ...missing.map(({ name }) => ({
        code: 'definition-missing',
        message: `The cluster does not have ${name}.`,
        remedy: `Install it: \`lockkeeper crds install ${cluster.name}\`, or the button in the cluster's settings.`,
        override: NEVER,
      })),
      ...lives.value.flatMap(({ blocker }) => blocker ?? []),
    ]
    return readyUnless(blockers, `${told.join('. ')}.`, {
      evidence: [
        evidence(`node maintenance API of ${cluster.name}`, ctx.at(), {
          node: typeof input.node === 'string' ? input.node : null,
          definitions: definitions.value.map(({ name, state }) => ({ name, state })),
          controllers: { ...cluster.maintenanceApi.controllers },
          signsOfLife: lives.value.map(({ text }) => text),
        }),
      ],
      warnings: untold.map(
        ({ text }) => `No sign of life of ${text}. If its lock does not move, the run says so within 30 s.`,
      ),
    })
  },
})
