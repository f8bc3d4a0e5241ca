import { VERSIONS_READ } from '../../../../shared/domain/version-evidence.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { accessWords } from '../../../../shared/words/steps/general.ts'
import { blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { accessQuestionsOf } from './access-questions.ts'

/** Every permission of the plan is granted before any cordon (style G27). No flag grants one. */
export const permissionsSuffice = checkStep({
  kind: 'permissions-suffice',
  role: 'general',
  ...stepText('permissions-suffice'),
  withinMs: 30_000,
  check: async (_input, ctx) => {
    const { kubernetes, cluster } = ctx.world
    const [answers, versions] = await Promise.all([
      kubernetes.reviewAccess(accessQuestionsOf(cluster, ctx.options), ctx.signal),
      ctx.world.versions(ctx.signal),
    ])
    if (!answers.ok) return cannotAsk(thing('Permissions'), answers.failure)
    const missing = answers.value.filter(answer => !answer.allowed)
    return readyUnless(
      missing.map(({ question, reason }) => {
        const { subresource = null, namespace = null } = question
        return blocker(fault('NotPermitted', { ...question, subresource, namespace, reason }))
      }),
      found('PermissionsThere', { total: answers.value.length }),
      {
        evidence: [
          evidence('SelfSubjectRulesReview, SelfSubjectAccessReview', ctx.at(), {
            asked: answers.value.length,
            missing: missing.map(answer => accessWords(answer.question)),
          }),
          ...(Object.keys(versions).length === 0 ? [] : [evidence(VERSIONS_READ, ctx.at(), versions)]),
        ],
      },
    )
  },
})
