import type { AccessQuestion } from '../../../../shared/domain/kubernetes.ts'
import { VERSIONS_READ } from '../../../../shared/domain/version-evidence.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { accessQuestionsOf } from './access-questions.ts'

/** Every verb the plan needs must be allowed, before anything is cordoned (style G27). No flag grants a permission. */
export const permissionsSuffice = checkStep({
  kind: 'permissions-suffice',
  role: 'general',
  why: 'A procedure that stops half way for want of a permission leaves a node half empty.',
  title: () => 'Kubernetes permissions suffice',
  withinMs: 30_000,
  check: async (_input, ctx) => {
    const { kubernetes, cluster } = ctx.world
    const [answers, versions] = await Promise.all([
      kubernetes.reviewAccess(accessQuestionsOf(cluster, ctx.options), ctx.signal),
      ctx.world.versions(ctx.signal),
    ])
    if (!answers.ok) return cannotAsk('What these credentials may do', answers.failure)
    const missing = answers.value.filter(answer => !answer.allowed)
    return readyUnless(
      missing.map(answer => ({
        code: 'not-permitted',
        message: `These credentials may not ${named(answer.question)}${answer.reason ? ` (${answer.reason})` : ''}.`,
        remedy:
          'Ask for the role in resources/rbac/lockkeeper-operator.yaml, or run `lockkeeper cluster test` for the exact manifest.',
        override: { kind: 'never', why: 'no flag grants a permission' } as const,
      })),
      `All ${counted(answers.value.length, 'permission')} the plan needs are there.`,
      {
        evidence: [
          evidence('SelfSubjectRulesReview, SelfSubjectAccessReview', ctx.at(), {
            asked: answers.value.length,
            missing: missing.map(answer => named(answer.question)),
          }),
          // Whoever reads the report wants to know what it was that answered.
          ...(Object.keys(versions).length === 0 ? [] : [evidence(VERSIONS_READ, ctx.at(), versions)]),
        ],
      },
    )
  },
})

function named(question: AccessQuestion): string {
  const resource = question.subresource ? `${question.resource}/${question.subresource}` : question.resource
  const where = question.namespace ? ` in namespace ${question.namespace}` : ''
  return `${question.verb} ${resource}${question.group ? `.${question.group}` : ''}${where}`
}
