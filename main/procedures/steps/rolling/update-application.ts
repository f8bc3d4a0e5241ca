import {
  type ApplicationStart,
  ApplicationUpdate,
  changesOf,
  type FieldChange,
  finishOf,
  type NamedObject,
  objectWords,
  patchOf,
} from '../../../../shared/domain/application-update.ts'
import type { AccessQuestion } from '../../../../shared/domain/kubernetes.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { Blocker, CheckAnswer, Counted, Evidence, VerifyAnswer } from '../../../../shared/domain/plan.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import {
  APPLICATION_UPDATE_REQUESTED,
  APPLICATION_UPDATE_STARTED,
  factText,
  type RunFactName,
  TRY_AGAIN,
} from '../../../../shared/domain/run-facts.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import type { NamedObjectSeen } from '../../../ports/kubernetes.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step, StepInput } from '../../../runs/engine/step.ts'
import { blocked, cannotAsk, cannotVerify, evidence, fails, holds, ready } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'

/** One that was read is written to by its own controllers all the time: so often a patch that lost is made of a fresh read. */
const ROUNDS = 5
const COUNTED = 'application-object'

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
    return start === null ? `Wait until ${application} is updated` : `Update ${application}`
  },
  verifyEarly: false,
  withinMs: 24 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'An update of an application is not taken back. Ask its controller for the release before.',
  check,
  apply: async (input, ctx) => {
    const update = declared(input)
    return (await begin(update, ctx)) ?? untilFinished(update, ctx)
  },
  verify,
}

async function check(input: StepInput, ctx: MaintenanceContext): Promise<CheckAnswer> {
  const { application, start, finished } = declared(input)
  const missing = await whatIsMissing(declared(input), ctx)
  if (missing !== null) return missing
  const looked = finished.kind === 'lock' ? null : await look(finished.object, ctx)
  if (looked !== null && !looked.ok) return cannotAsk(objectWords(looked.object), looked.failure)
  const read = start === null ? null : await look(start.object, ctx)
  if (read !== null && !read.ok) return cannotAsk(objectWords(read.object), read.failure)
  const known = [...(looked?.value == null ? [] : [looked]), ...(read?.value == null ? [] : [read])]
  const seen = known.map(({ object, value }) =>
    evidence(objectWords(object), ctx.at(), { uid: value?.uid ?? '', resourceVersion: value?.resourceVersion ?? '' }),
  )
  if (start === null || read === null) {
    return ready(`Nobody starts ${application} here: its end is waited for.`, { evidence: seen })
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
  const read = await look(finished.object, ctx)
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
  const read = await look(start.object, ctx)
  if (!read.ok) return cannotVerify(words, read.failure)
  const changes = read.value === null ? null : changesOf(read.value.content, patchOf(start))
  const evident = [evidence(words, ctx.at(), { resourceVersion: read.value?.resourceVersion ?? null })]
  return changes !== null && changes.length === 0
    ? holds(`${words} is as patched.`, evident)
    : fails(`${words} is not as patched.`, 'Somebody changed it; find out who.', evident, false)
}

/** Patches the object, once; null when the update is under way. */
async function begin({ application, start }: ApplicationUpdate, ctx: MaintenanceContext): Promise<ApplyAnswer | null> {
  if (start === null) return null
  const { object } = start
  const patch = patchOf(start)
  const words = objectWords(object)
  // A conflict proves that this very patch changed nothing.
  const refused = new Set<number>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const read = await look(object, ctx)
    if (ctx.signal.aborted) return { kind: 'stopped' }
    if (!read.ok) return { kind: 'failed', failure: read.failure }
    if (read.value === null) return ask(`There is no ${words} any more.`, 'Find out who deleted it')
    const { uid, content, resourceVersion } = read.value
    const changes = changesOf(content, patch)
    const isStarted = ctx.history().some(fact => isOf(APPLICATION_UPDATE_STARTED, words, fact))
    if (changes.length === 0) {
      if (!isStarted) ctx.report(APPLICATION_UPDATE_STARTED, 'cluster', { application, object: words })
      return null
    }
    const why = isStarted
      ? `${words} was patched, and somebody changed it back: ${changesWords(changes)} is missing.`
      : whyNotAgain(words, resourceVersion, refused, ctx)
    if (why !== null) return ask(why, isStarted ? 'Patch it by hand' : 'Look who wrote to it')
    const other = whatChangedSince(uid, changes, words, ctx)
    if (other !== null) return ask(other, 'Put it back, or make another plan')
    ctx.announce(APPLICATION_UPDATE_REQUESTED, 'cluster', { application, object: words, uid, resourceVersion })
    const sent = ctx.history().filter(fact => isOf(APPLICATION_UPDATE_REQUESTED, words, fact)).length - 1
    const patched = await ctx.world.kubernetes.patchNamedObject(object, { patch, uid, resourceVersion }, ctx.signal)
    if (!patched.ok && patched.failure.code === 'conflict') refused.add(sent)
    // Whatever else was answered, the next look tells whether it is so.
    else if (!patched.ok) return { kind: 'failed', failure: patched.failure }
  }
  return ask(`${words} is written to so often that no patch of it got through.`, 'Find out by whom')
}

/**
 * Why a patch that was sent before is not sent again, in a sentence; null: it may be. One whose answer was lost may have been carried out and changed back. It was
 * not where nobody wrote to the object since: what is sent again asks for the same version, so that one of the two at most is carried out.
 */
function whyNotAgain(
  words: string,
  resourceVersion: string,
  refused: ReadonlySet<number>,
  ctx: MaintenanceContext,
): string | null {
  const history = ctx.history()
  const answeredAt = history.findLastIndex(({ fact }) => fact === TRY_AGAIN)
  const sent = history.flatMap((one, at) => (isOf(APPLICATION_UPDATE_REQUESTED, words, one) ? [{ one, at }] : []))
  const lost = sent
    .filter(({ at }, nth) => at > answeredAt && !refused.has(nth))
    .map(({ one }) => factText(one, 'resourceVersion'))
    .find(version => version !== resourceVersion)
  return lost === undefined
    ? null
    : `Whether ${words} was patched is not known: the answer was lost, and it was written to since (resourceVersion ${lost}, now ${resourceVersion}).`
}

/** Whether a fact of this name is about this object. */
function isOf(name: RunFactName, words: string, fact: RunFact): boolean {
  return fact.fact === name && factText(fact, 'object') === words
}

function ask(why: string, remedy: string): ApplyAnswer {
  return { kind: 'question', question: `${why} ${remedy}, then retry, or abort.`, choices: ['retry', 'abort'] }
}

/** What is not as it was when the plan was confirmed, in a sentence; null: what is to be changed is as it was. */
function whatChangedSince(
  uid: string,
  changes: readonly FieldChange[],
  words: string,
  ctx: MaintenanceContext,
): string | null {
  const seen = countedOf(words, ctx)
  if (seen.length === 0) return null
  const same = seen.find(({ id }) => id === uid)
  if (same === undefined) return `${words} was made again since the plan was confirmed.`
  return JSON.stringify(same.values.changes) === JSON.stringify(changes)
    ? null
    : `${words} was changed since the plan was confirmed: ${changesWords(changes)} would be changed now.`
}

/** An object as it was when the plan was confirmed; none where it was not read then. */
function countedOf(words: string, ctx: MaintenanceContext): readonly Counted[] {
  return ctx.counted().filter(({ kind, name }) => kind === COUNTED && name === words)
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
        const read = await look(finished.object, ctx)
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

type Looked = Result<NamedObjectSeen | null> & { readonly object: NamedObject }

async function look(object: NamedObject, ctx: MaintenanceContext): Promise<Looked> {
  return { ...(await ctx.world.kubernetes.namedObject(object, ctx.signal)), object }
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
    const found = await ctx.world.kubernetes.namedResource(object, ctx.signal)
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

function changesWords(changes: readonly FieldChange[]): string {
  return someOf(
    changes.map(({ path, from, to }) => `${path} from ${from} to ${to}`),
    4,
  )
}

function declared(input: StepInput): ApplicationUpdate {
  const read = ApplicationUpdate.safeParse(input.update)
  return must(read.success ? read.data : null, 'the step is planned with the update of an application')
}
