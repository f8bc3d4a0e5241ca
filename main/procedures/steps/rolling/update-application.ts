import {
  type ApplicationStart,
  ApplicationUpdate,
  changesOf,
  finishOf,
  objectWords,
  patchOf,
} from '../../../../shared/domain/application-update.ts'
import { CommandWork } from '../../../../shared/domain/command-work.ts'
import type { AccessQuestion } from '../../../../shared/domain/kubernetes.ts'
import { must } from '../../../../shared/domain/must.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { APPLICATION_UPDATE_STARTED } from '../../../../shared/domain/run-facts.ts'
import type { Blocker, CheckAnswer, Evidence, VerifyAnswer } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { itemsOf } from '../../../../shared/words/steps/coded.ts'
import type { NamedObjectSeen } from '../../../ports/kubernetes.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step, StepInput } from '../../../runs/engine/step.ts'
import { applied, blocked, blocker, cannotAsk, cannotVerify, evidence, fails, holds, ready } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'
import { awaitCommand, mayCommandBePassed } from './await-command.ts'
import { COUNTED, countedOf, lookAtObject, patchApplication } from './patch-application.ts'

/** Updates one application (seed 003): patches the object that starts it, once, and follows the field that reports the end. */
export const updateApplication: Step<MaintenanceWorld> = {
  kind: 'update-application',
  role: 'general',
  risk: 'disruptive',
  ...stepText('update-application'),
  verifyEarly: false,
  withinMs: 24 * 3_600_000,
  verifyEveryMs: 1_000,
  check,
  apply: async (input, ctx) => {
    const update = declared(input)
    return (await run(input, ctx)) ?? (await patchApplication(update, ctx)) ?? untilFinished(update, ctx)
  },
  mayBePassed: async (input, ctx) => commandIn(input) === null || mayCommandBePassed(ctx),
  verify,
}

async function check(input: StepInput, ctx: MaintenanceContext): Promise<CheckAnswer> {
  const { application, start, finished } = declared(input)
  const missing = await whatIsMissing(declared(input), ctx)
  if (missing !== null) return missing
  const looked = finished.kind === 'lock' ? null : await lookAtObject(finished.object, ctx)
  if (looked !== null && !looked.ok) return cannotAsk(thing('NamedObject', { object: looked.object }), looked.failure)
  const read = start === null ? null : await lookAtObject(start.object, ctx)
  if (read !== null && !read.ok) return cannotAsk(thing('NamedObject', { object: read.object }), read.failure)
  const known = [...(looked?.value == null ? [] : [looked]), ...(read?.value == null ? [] : [read])]
  const seen = known.map(({ object, value }) =>
    evidence(objectWords(object), ctx.at(), { uid: value?.uid ?? '', resourceVersion: value?.resourceVersion ?? '' }),
  )
  if (start === null || read === null) {
    const command = commandIn(input)
    return ready(
      command === null
        ? found('NobodyStartsApplication', { application })
        : found('CommandStartsApplication', { command: command.command, directory: command.directory }),
      { evidence: seen },
    )
  }
  return read.value === null
    ? blocked([blocker(fault('NoSuchObject', { object: start.object }))], { evidence: seen })
    : toBePatched(start, read.value, seen, ctx)
}

function toBePatched(
  start: ApplicationStart,
  { uid, content }: NamedObjectSeen,
  seen: readonly Evidence[],
  ctx: MaintenanceContext,
): CheckAnswer {
  const words = objectWords(start.object)
  const changes = changesOf(content, patchOf(start))
  // The run accepts nothing that the confirmed plan did not show.
  const confirmed = countedOf(words, ctx)
  const values = { changes: changes.map(change => ({ ...change })) }
  return ready(
    changes.length === 0
      ? found('ObjectIsPatchedAlready', { object: start.object })
      : found('ObjectToBePatched', { object: start.object, changes: itemsOf(changes) }),
    {
      evidence: seen,
      counted: confirmed.length > 0 ? confirmed : [{ kind: COUNTED, id: uid, name: words, values }],
      effects: changes.map(({ path, from, to }) => ({ kind: 'change' as const, target: `${words} ${path}`, from, to })),
    },
  )
}

async function verify(input: StepInput, ctx: MaintenanceContext): Promise<VerifyAnswer> {
  const { application, finished, start } = declared(input)
  if (finished.kind === 'lock') return verifyStart(application, start, ctx)
  const read = await lookAtObject(finished.object, ctx)
  if (!read.ok) return cannotVerify(thing('NamedObject', { object: finished.object }), read.failure)
  const words = objectWords(finished.object)
  if (read.value === null) return fails(fault('NoObjectOfEnd', { object: finished.object }), [])
  const { isSo, field, value, wanted } = finishOf(finished, read.value.content)
  const shown = { application, object: finished.object, field, value }
  const { uid, resourceVersion } = read.value
  const evident = [evidence(words, ctx.at(), { uid, resourceVersion, field, value, wanted })]
  return isSo
    ? holds(found('ApplicationIsUpdated', shown), evident)
    : fails(fault('ApplicationNotUpdated', { ...shown, wanted }), evident)
}

/** Where a lock shows the end, this step proves only the patch. */
async function verifyStart(
  application: string,
  start: ApplicationStart | null,
  ctx: MaintenanceContext,
): Promise<VerifyAnswer> {
  if (start === null) return holds(found('LockShowsApplicationsEnd', { application }), [])
  const words = objectWords(start.object)
  const read = await lookAtObject(start.object, ctx)
  if (!read.ok) return cannotVerify(thing('NamedObject', { object: start.object }), read.failure)
  const changes = read.value === null ? null : changesOf(read.value.content, patchOf(start))
  const evident = [evidence(words, ctx.at(), { resourceVersion: read.value?.resourceVersion ?? null })]
  return changes !== null && changes.length === 0
    ? holds(found('ObjectIsAsPatched', { object: start.object }), evident)
    : fails(fault('ObjectNotAsPatched', { object: start.object }), evident, false)
}

/** Runs the starting command; null if it ended with exit code 0, or there is none. */
async function run(input: StepInput, ctx: MaintenanceContext): Promise<ApplyAnswer | null> {
  const work = commandIn(input)
  if (work === null) return null
  const { application } = declared(input)
  const seal = typeof input.seal === 'string' ? input.seal : ''
  const answer = await awaitCommand(
    {
      work,
      seal,
      subject: 'cluster',
      of: { kind: 'application', name: application },
      keptAs: `application-${application}`,
      about: { node: '', application },
      done: (name, { report }) => report(APPLICATION_UPDATE_STARTED, 'cluster', { application, command: name }),
    },
    ctx,
  )
  return answer.kind === 'applied' ? null : answer
}

/** Waits for the field that reports the end; a lock has its own step. */
async function untilFinished(
  { application, finished }: ApplicationUpdate,
  ctx: MaintenanceContext,
): Promise<ApplyAnswer> {
  if (finished.kind === 'lock') return applied(found('ApplicationUpdateBegun', { application }))
  const { object } = finished
  return awaitChange(
    {
      subject: 'cluster',
      look: async () => {
        const read = await lookAtObject(object, ctx)
        if (!read.ok) return read
        if (read.value === null) return ok({ kind: 'waits', what: found('ObjectToCome', { object }) })
        const { isSo, field, value, wanted } = finishOf(finished, read.value.content)
        const shown = { application, object, field, value }
        return isSo
          ? ok({ kind: 'so', note: found('ApplicationIsUpdated', shown) })
          : ok({
              kind: 'waits',
              what: found('ApplicationToBeUpdated', { ...shown, wanted }),
              mark: read.value.resourceVersion,
            })
      },
      quiet: quiet => fault('ApplicationStaysNotUpdated', { ...quiet, application }),
      choices: ['retry', 'skip', 'abort'],
    },
    ctx,
  )
}

/** Missing permissions, also for an object that does not exist yet. Null if none is missing. */
async function whatIsMissing(
  { start, finished }: ApplicationUpdate,
  ctx: MaintenanceContext,
): Promise<CheckAnswer | null> {
  const wanted = [
    ...(finished.kind === 'lock' ? [] : [{ object: finished.object, verbs: ['get'] }]),
    ...(start === null ? [] : [{ object: start.object, verbs: ['get', 'patch'] }]),
  ]
  const questions: AccessQuestion[] = []
  for (const { object, verbs } of wanted) {
    const served = await ctx.world.kubernetes.resourceOfObject(object, ctx.signal)
    if (!served.ok) return cannotAsk(thing('NamedObject', { object }), served.failure)
    const { group, resource } = served.value
    const { namespace } = object
    questions.push(...verbs.map(verb => ({ verb, group, resource, ...(namespace === null ? {} : { namespace }) })))
  }
  const answers = await ctx.world.kubernetes.reviewAccess(questions, ctx.signal)
  if (!answers.ok) return cannotAsk(thing('Permissions'), answers.failure)
  const missing = answers.value.filter(({ allowed }) => !allowed)
  return missing.length === 0 ? null : blocked(missing.map(({ question }) => notPermitted(question)))
}

function notPermitted({ verb, group, resource, namespace }: AccessQuestion): Blocker {
  return blocker(fault('ObjectNotPermitted', { verb, group, resource, namespace: namespace ?? null }))
}

/** The application of a step; null if the step is of another kind. */
export function applicationIn({ update }: StepInput): string | null {
  const read = ApplicationUpdate.safeParse(update)
  return read.success ? read.data.application : null
}

/** The command that starts the update; null if none does. */
function commandIn({ work }: StepInput): CommandWork | null {
  const read = CommandWork.safeParse(work)
  return read.success ? read.data : null
}

function declared(input: StepInput): ApplicationUpdate {
  const read = ApplicationUpdate.safeParse(input.update)
  return must(read.success ? read.data : null, 'the step is planned with the update of an application')
}
