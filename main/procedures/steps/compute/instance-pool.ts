import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { ATTEMPTS_EXHAUSTED } from '../../../../shared/domain/run-facts.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import type { Values } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'
import { attemptsMade, isPending, lastWhy, mayAttempt } from './evacuation-facts.ts'
import { type Why, whyOf, whyReported } from './why.ts'

type AttemptAnswer =
  | { readonly kind: 'over' }
  | { readonly kind: 'again'; readonly why: Why }
  | { readonly kind: 'in-vain'; readonly why: Why }
  | { readonly kind: 'hopeless'; readonly failure: Failure }

/** An instance that used up its attempts, or cannot succeed. */
interface Unresolved {
  readonly name: string
  readonly id: string
  /** Why its last attempt failed. */
  readonly code: string
  readonly values: Values
  readonly why: string
  readonly attempts: number
}

type PoolAnswer =
  | { readonly kind: 'over'; readonly unresolved: readonly Unresolved[] }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

/** Works on instances in this order within the limits. A slow one does not delay the others; after a hopeless failure no other starts. */
export async function workOnInstances<Item extends { readonly instance: Instance }>(
  items: readonly Item[],
  {
    concurrency,
    attempts,
    mayRetry = async () => true,
  }: {
    readonly concurrency: number
    readonly attempts: number
    /** Absent: another attempt always makes sense. */
    readonly mayRetry?: (item: Item) => Promise<boolean>
  },
  attempt: (item: Item) => Promise<AttemptAnswer>,
  ctx: MaintenanceContext,
): Promise<PoolAnswer> {
  const queue = [...items]
  const busyGroups = new Set<string>()
  const running = new Set<Promise<void>>()
  const unresolved: Unresolved[] = []
  const hopeless: Failure[] = []
  const thrown: unknown[] = []

  const take = (): Item | null => {
    const at = queue.findIndex(({ instance }) => !instance.serverGroupIds.some(group => busyGroups.has(group)))
    return at < 0 ? null : (queue.splice(at, 1)[0] ?? null)
  }
  const giveUp = (instance: Instance, why: Why): void => {
    const subject = instanceSubject(instance.id)
    const made = attemptsMade(ctx.history(), subject)
    if (ctx.history().findLast(fact => fact.subject === subject)?.fact !== ATTEMPTS_EXHAUSTED) {
      ctx.report(ATTEMPTS_EXHAUSTED, subject, { name: instance.name, ...whyReported(why), attempts: made })
    }
    const { name, id } = instance
    const { code, values, message } = whyOf(why)
    unresolved.push({ name, id, code, values, why: message, attempts: made })
  }
  const work = async (item: Item): Promise<void> => {
    const { instance } = item
    const subject = instanceSubject(instance.id)
    // An earlier process used up the attempts: follow the announced request to its end, but request nothing more.
    if (!isPending(ctx.history(), subject) && !mayAttempt(ctx.history(), subject, attempts)) {
      giveUp(instance, lastWhy(ctx.history(), subject) ?? found('AttemptsUsedUp'))
      return
    }
    for (const group of instance.serverGroupIds) busyGroups.add(group)
    const answer = await attempt(item)
    for (const group of instance.serverGroupIds) busyGroups.delete(group)
    if (answer.kind === 'over') return
    if (answer.kind === 'hopeless') hopeless.push(answer.failure)
    else if (answer.kind === 'again' && mayAttempt(ctx.history(), subject, attempts) && (await mayRetry(item)))
      queue.push(item)
    else giveUp(instance, answer.why)
  }
  while (!ctx.signal.aborted && hopeless.length === 0 && thrown.length === 0) {
    while (running.size < concurrency) {
      const next = take()
      if (next === null) break
      // Several may be stopped at the same time; wait for all, pass the first on.
      const job: Promise<void> = work(next)
        .catch((error: unknown) => {
          thrown.push(error)
        })
        .finally(() => running.delete(job))
      running.add(job)
    }
    if (running.size === 0) break
    await Promise.race(running)
  }
  // Nova continues the active work in any case.
  await Promise.all(running)
  if (thrown.length > 0) throw thrown[0]
  if (ctx.signal.aborted) return { kind: 'stopped' }
  const [failure] = hopeless
  return failure === undefined ? { kind: 'over', unresolved } : { kind: 'failed', failure }
}
