import {
  type ApplicationUpdate,
  changesOf,
  type FieldChange,
  type NamedObject,
  objectWords,
  patchOf,
} from '../../../../shared/domain/application-update.ts'
import { isSameJson } from '../../../../shared/domain/is-same-json.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import {
  APPLICATION_UPDATE_REQUESTED,
  APPLICATION_UPDATE_STARTED,
  factText,
  type RunFactName,
  TRY_AGAIN,
} from '../../../../shared/domain/run-facts.ts'
import type { Counted } from '../../../../shared/domain/step-answers.ts'
import { type Fault, fault } from '../../../../shared/words/step-texts.ts'
import { itemsOf } from '../../../../shared/words/steps/coded.ts'
import type { NamedObjectSeen } from '../../../ports/kubernetes.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import { asks } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'

/** Controllers write the object all the time: a conflicting patch is repeated this often. */
const ROUNDS = 5
export const COUNTED = 'application-object'

/** Patches the object once; null if the update has started. */
export async function patchApplication(
  { application, start }: ApplicationUpdate,
  ctx: MaintenanceContext,
): Promise<ApplyAnswer | null> {
  if (start === null) return null
  const { object } = start
  const patch = patchOf(start)
  const words = objectWords(object)
  // A conflict proves that this patch changed nothing.
  const refused = new Set<number>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const read = await lookAtObject(object, ctx)
    if (ctx.signal.aborted) return { kind: 'stopped' }
    if (!read.ok) return { kind: 'failed', failure: read.failure }
    if (read.value === null) return askAboutPatch(fault('ObjectDeleted', { object }))
    const { uid, content, resourceVersion } = read.value
    const changes = changesOf(content, patch)
    const isStarted = ctx.history().some(fact => isOf(APPLICATION_UPDATE_STARTED, words, fact))
    if (changes.length === 0) {
      if (!isStarted) ctx.report(APPLICATION_UPDATE_STARTED, 'cluster', { application, object: words })
      return null
    }
    const why = isStarted
      ? fault('ObjectChangedBack', { object, changes: itemsOf(changes) })
      : (whyNotAgain(object, resourceVersion, refused, ctx) ?? whatChangedSince(uid, changes, object, ctx))
    if (why !== null) return askAboutPatch(why)
    ctx.announce(APPLICATION_UPDATE_REQUESTED, 'cluster', { application, object: words, uid, resourceVersion })
    const sent = ctx.history().filter(fact => isOf(APPLICATION_UPDATE_REQUESTED, words, fact)).length - 1
    const patched = await ctx.world.kubernetes.patchNamedObject(object, { patch, uid, resourceVersion }, ctx.signal)
    if (!patched.ok && patched.failure.code === 'conflict') refused.add(sent)
    // After any other answer the next look shows the result.
    else if (!patched.ok) return { kind: 'failed', failure: patched.failure }
  }
  return askAboutPatch(fault('ObjectWrittenTooOften', { object }))
}

/** Why a patch with a lost answer is not repeated; null if nobody has written the object since, and both patches name the same version. */
function whyNotAgain(
  object: NamedObject,
  resourceVersion: string,
  refused: ReadonlySet<number>,
  ctx: MaintenanceContext,
): Fault | null {
  const words = objectWords(object)
  const history = ctx.history()
  const answeredAt = history.findLastIndex(({ fact }) => fact === TRY_AGAIN)
  const sent = history.flatMap((one, at) => (isOf(APPLICATION_UPDATE_REQUESTED, words, one) ? [{ one, at }] : []))
  const lost = sent
    .filter(({ at }, nth) => at > answeredAt && !refused.has(nth))
    .map(({ one }) => factText(one, 'resourceVersion'))
    .find(version => version !== resourceVersion)
  return lost === undefined ? null : fault('PatchUnknown', { object, sent: lost, now: resourceVersion })
}

function isOf(name: RunFactName, words: string, fact: RunFact): boolean {
  return fact.fact === name && factText(fact, 'object') === words
}

function askAboutPatch(why: Fault): ApplyAnswer {
  return asks(why, ['retry', 'abort'])
}

/** What differs from the confirmed plan; null if there is nothing. */
function whatChangedSince(
  uid: string,
  changes: readonly FieldChange[],
  object: NamedObject,
  ctx: MaintenanceContext,
): Fault | null {
  const seen = countedOf(objectWords(object), ctx)
  if (seen.length === 0) return null
  const same = seen.find(({ id }) => id === uid)
  if (same === undefined) return fault('ObjectMadeAgain', { object })
  return isSameJson(same.values.changes, changes)
    ? null
    : fault('ObjectChangedSince', { object, changes: itemsOf(changes) })
}

/** The object as the plan was confirmed; empty if it was not read then. */
export function countedOf(words: string, ctx: MaintenanceContext): readonly Counted[] {
  return ctx.counted().filter(({ kind, name }) => kind === COUNTED && name === words)
}

type Looked = Result<NamedObjectSeen | null> & { readonly object: NamedObject }

export async function lookAtObject(object: NamedObject, ctx: MaintenanceContext): Promise<Looked> {
  return { ...(await ctx.world.kubernetes.namedObject(object, ctx.signal)), object }
}
