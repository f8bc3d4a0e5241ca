import {
  type ApplicationStart,
  ApplicationUpdate,
  changesOf,
  finishOf,
  type NamedObject,
  objectWords,
  patchOf,
} from '../../../../shared/domain/application-update.ts'
import { CommandWork } from '../../../../shared/domain/command-work.ts'
import type { AccessQuestion } from '../../../../shared/domain/kubernetes.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { Blocker, CheckAnswer, Evidence, VerifyAnswer } from '../../../../shared/domain/plan.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { APPLICATION_UPDATE_STARTED } from '../../../../shared/domain/run-facts.ts'
import type { NamedObjectSeen } from '../../../ports/kubernetes.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step, StepInput } from '../../../runs/engine/step.ts'
import { blocked, cannotAsk, cannotVerify, evidence, fails, holds, ready } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'
import { awaitCommand, mayCommandBePassed } from './await-command.ts'
import { COUNTED, changesWords, countedOf, lookAtObject, patchApplication } from './patch-application.ts'

/**
 * One application of the cluster is updated (seed 003, phases 2 and 5): the object that starts it is patched as the plan shows, once, and the field
 * that the operator named is followed until it says that the update is finished.
 */
export const updateApplication: Step<MaintenanceWorld> = {
  kind: 'update-application',
  role: 'general',
  risk: 'disruptive',
  why: 'The application is updated by its own controllers. The patch tells them to begin, and the field tells when they are done.',
  title: input => {
    const { application, start } = declared(input)
    const command = commandIn(input)
    if (command !== null) return `Update ${application}: this machine runs \`${command.command}\``
    return start === null ? `Wait until ${application} is updated` : `Update ${application}`
  },
  verifyEarly: false,
  withinMs: 24 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'An update of an application is not taken back. Ask its controller for the release before.',
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
  if (looked !== null && !looked.ok) return cannotAsk(objectWords(looked.object), looked.failure)
  const read = start === null ? null : await lookAtObject(start.object, ctx)
  if (read !== null && !read.ok) return cannotAsk(objectWords(read.object), read.failure)
  const known = [...(looked?.value == null ? [] : [looked]), ...(read?.value == null ? [] : [read])]
  const seen = known.map(({ object, value }) =>
    evidence(objectWords(object), ctx.at(), { uid: value?.uid ?? '', resourceVersion: value?.resourceVersion ?? '' }),
  )
  if (start === null || read === null) {
    const command = commandIn(input)
    return ready(
      command === null
        ? `Nobody starts ${application} here: its end is waited for.`
        : `This machine runs \`${command.command}\` in ${command.directory}, once; then the end of the update is waited for.`,
      { evidence: seen },
    )
  }
  return read.value === null
    ? blocked([noObject(start.object)], { evidence: seen })
    : toBePatched(start, read.value, seen, ctx)
}

/** What the patch is to change of an object as it was read. */
function toBePatched(
  start: ApplicationStart,
  { uid, content }: NamedObjectSeen,
  seen: readonly Evidence[],
  ctx: MaintenanceContext,
): CheckAnswer {
  const words = objectWords(start.object)
  const changes = changesOf(content, patchOf(start))
  // What the plan counted was confirmed: a look of the run takes nothing for confirmed that the plan did not show.
  const confirmed = countedOf(words, ctx)
  const values = { changes: changes.map(change => ({ ...change })) }
  return ready(
    changes.length === 0
      ? `${words} is as patched already; its end is waited for.`
      : `${words} is patched: ${changesWords(changes)}.`,
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
  if (!read.ok) return cannotVerify(objectWords(finished.object), read.failure)
  const words = objectWords(finished.object)
  if (read.value === null) return fails(`There is no ${words}.`, 'Look who deleted it.', [])
  const { isSo, field, value, wanted } = finishOf(finished, read.value.content)
  const { uid, resourceVersion } = read.value
  const evident = [evidence(words, ctx.at(), { uid, resourceVersion, field, value, wanted })]
  return isSo
    ? holds(`${application} is updated: ${field} of ${words} is ${value}.`, evident)
    : fails(
        `${field} of ${words} is ${value}, not ${wanted}.`,
        `Look at how far the update of ${application} is.`,
        evident,
      )
}

/** Where a lock shows the end, the patch is all that this step has to show. */
async function verifyStart(
  application: string,
  start: ApplicationStart | null,
  ctx: MaintenanceContext,
): Promise<VerifyAnswer> {
  if (start === null) return holds(`The lock of ${application} shows its end.`, [])
  const words = objectWords(start.object)
  const read = await lookAtObject(start.object, ctx)
  if (!read.ok) return cannotVerify(words, read.failure)
  const changes = read.value === null ? null : changesOf(read.value.content, patchOf(start))
  const evident = [evidence(words, ctx.at(), { resourceVersion: read.value?.resourceVersion ?? null })]
  return changes !== null && changes.length === 0
    ? holds(`${words} is as patched.`, evident)
    : fails(`${words} is not as patched.`, 'Somebody changed it; find out who.', evident, false)
}

/** Has the command that starts the update run, once; null when it ended with exit code 0, or there is none. */
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
      what: `the update of ${application}`,
      keptAs: `application-${application}`,
      about: { node: '', application },
      skipped: `goes on as if ${application} were updated`,
      withoutIt: `Skip goes on without the update of ${application}.`,
      done: (name, { report }) => report(APPLICATION_UPDATE_STARTED, 'cluster', { application, command: name }),
    },
    ctx,
  )
  return answer.kind === 'applied' ? null : answer
}

/** Waits until the object that was named says that the update is finished; a lock is waited for by a step of its own. */
async function untilFinished(
  { application, finished }: ApplicationUpdate,
  ctx: MaintenanceContext,
): Promise<ApplyAnswer> {
  if (finished.kind === 'lock') return { kind: 'applied', note: `The update of ${application} is under way.` }
  const words = objectWords(finished.object)
  return awaitChange(
    {
      subject: 'cluster',
      look: async () => {
        const read = await lookAtObject(finished.object, ctx)
        if (!read.ok) return read
        if (read.value === null) return ok({ kind: 'waits', what: `${words}, of which there is none yet` })
        const { isSo, field, value, wanted } = finishOf(finished, read.value.content)
        return isSo
          ? ok({ kind: 'so', note: `${application} is updated: ${field} of ${words} is ${value}.` })
          : ok({
              kind: 'waits',
              what: `${application} to be updated: ${field} of ${words} is ${value}, to be ${wanted}`,
              mark: read.value.resourceVersion,
            })
      },
      remedy: `Look at what its controller waits for and retry, or skip it if ${application} is updated.`,
      choices: ['retry', 'skip', 'abort'],
    },
    ctx,
  )
}

/** The rights that are missing: to read what shows the end, also before it is there, and to patch what starts it. Null: none is. */
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
    const found = await ctx.world.kubernetes.resourceOfObject(object, ctx.signal)
    if (!found.ok) return cannotAsk(objectWords(object), found.failure)
    const { group, resource } = found.value
    const { namespace } = object
    questions.push(...verbs.map(verb => ({ verb, group, resource, ...(namespace === null ? {} : { namespace }) })))
  }
  const answers = await ctx.world.kubernetes.reviewAccess(questions, ctx.signal)
  if (!answers.ok) return cannotAsk('What these credentials may do', answers.failure)
  const missing = answers.value.filter(({ allowed }) => !allowed)
  return missing.length === 0 ? null : blocked(missing.map(({ question }) => notPermitted(question)))
}

function notPermitted({ verb, group, resource, namespace }: AccessQuestion): Blocker {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`
  const what = `${resource}${group === '' ? '' : `.${group}`}${where}`
  return {
    code: 'not-permitted',
    message: `These credentials may not ${verb} ${what}.`,
    remedy: `Ask for a ${namespace === undefined ? 'ClusterRole' : 'Role'} that may get and patch ${what}.`,
    override: { kind: 'never', why: 'no flag grants a permission' },
  }
}

function noObject(object: NamedObject): Blocker {
  return {
    code: 'no-such-object',
    message: `There is no ${objectWords(object)}.`,
    remedy: 'Look at its name and namespace in the file of applications.',
    override: { kind: 'never', why: 'what is not there cannot be patched' },
  }
}

/** The application of a step; null: it is none of this kind. */
export function applicationIn({ update }: StepInput): string | null {
  const read = ApplicationUpdate.safeParse(update)
  return read.success ? read.data.application : null
}

/** The command that starts the update; null: none does. */
function commandIn({ work }: StepInput): CommandWork | null {
  const read = CommandWork.safeParse(work)
  return read.success ? read.data : null
}

function declared(input: StepInput): ApplicationUpdate {
  const read = ApplicationUpdate.safeParse(input.update)
  return must(read.success ? read.data : null, 'the step is planned with the update of an application')
}
