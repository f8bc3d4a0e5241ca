import type { AccessQuestion } from '../../../../shared/domain/kubernetes.ts'
import { MAINTENANCE_GROUP } from '../../../../shared/domain/maintenance-api.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'

/** Permissions of an update besides those of a node's maintenance, checked before any request (style G27). */
export const updatePermitted = checkStep({
  kind: 'update-permitted',
  role: 'general',
  ...stepText('update-permitted'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const namespace = typeof input.jobNamespace === 'string' ? input.jobNamespace : null
    const answers = await ctx.world.kubernetes.reviewAccess(
      [...(ofRequests(input) ? REQUEST_QUESTIONS : []), ...jobAccessQuestions(namespace)],
      ctx.signal,
    )
    if (!answers.ok) return cannotAsk(thing('Permissions'), answers.failure)
    const missing = answers.value.flatMap(({ allowed, question }) => (allowed ? [] : [question]))
    return readyUnless(
      missing.map(({ verb, resource, group, namespace: where = null }) =>
        blocker(fault('UpdateNotPermitted', { verb, resource, group, namespace: where })),
      ),
      found('UpdatePermitted', { total: answers.value.length }),
      {
        evidence: [
          evidence('SelfSubjectRulesReview, SelfSubjectAccessReview', ctx.at(), {
            asked: answers.value.length,
            missing: missing.map(named),
          }),
        ],
      },
    )
  },
})

function ofRequests(input: StepInput): boolean {
  return input.requests !== false
}

const REQUEST_VERBS = {
  clustermaintenancerequests: ['get', 'list', 'create', 'delete'],
  nodemaintenancerequests: ['get', 'list', 'create', 'delete'],
  clusterworkloadlocks: ['get', 'list'],
  nodeworkloadlocks: ['get', 'list'],
} as const

const REQUEST_QUESTIONS: readonly AccessQuestion[] = Object.entries(REQUEST_VERBS).flatMap(([resource, verbs]) =>
  verbs.map(verb => ({ verb, group: MAINTENANCE_GROUP, resource })),
)

/** The permissions for Jobs on the nodes; null if no Job works there. */
function jobAccessQuestions(namespace: string | null): readonly AccessQuestion[] {
  if (namespace === null) return []
  return ['get', 'create'].map(verb => ({ verb, group: 'batch', resource: 'jobs', namespace }))
}

function named({ verb, resource, group, namespace }: AccessQuestion): string {
  return `${verb} ${resource}.${group}${namespace === undefined ? '' : ` in namespace ${namespace}`}`
}
