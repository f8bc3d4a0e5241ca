import { assertNever } from '../domain/must.ts'
import type { PassingWait } from '../domain/run.ts'
import type { RunWait } from '../domain/run-wait.ts'
import { asSentence, listed, someOf, upperFirst } from '../grammar/counts.ts'
import { withoutEmptyLists } from './lock-messages.ts'

/** What a run waits for, in sentences. */
interface WaitText {
  /** What it waits for. */
  readonly what: string
  /** Who can end it, and how. */
  readonly who: string
  /** The words of a controller, where {@link WaitText.what} says them otherwise; null: it says them, or there are none. */
  readonly said: string | null
}

/** The text of a wait: the one that the screen, the terminal, reports, notifications, webhooks and custom resources show. */
export function waitText(wait: RunWait): WaitText {
  switch (wait.code) {
    case 'Question':
      return text(wait.question, `Any operator of this cluster answers: ${wait.choices.join(', ')}.`)
    case 'InstanceAsks':
      return text(
        asSentence(`${nameIn(wait)}: ${wait.cause}`),
        `Any operator of this cluster decides about this instance: ${wait.choices.join(', ')}. The others go on.`,
      )
    case 'LeftToOwners':
      return { what: leftToOwnersWords(namesIn(wait), wait.node), who: ownersWho(wait), said: wait.message }
    case 'LockHeld': {
      const { controller, lock, state, message } = wait
      const said = message === '' ? '' : `: ${withoutEmptyLists(message)}`
      return text(
        asSentence(`${controller}, whose lock ${lock} is ${state}${said}`),
        LOCK_WHO[state === 'failed' ? 'failed' : wait.silent ? 'silent' : wait.kind],
      )
    }
    case 'MigrationStalled':
      return text(
        `${nameIn(wait)}: its migration stands still.`,
        wait.advice === '' ? 'An administrator of Nova: abort it or force it to complete.' : wait.advice,
      )
    case 'MigrationNotConverging':
      return text(
        `${nameIn(wait)} writes memory as fast as the network copies it.`,
        wait.advice === '' ? 'An administrator of Nova: abort it or force it to complete.' : wait.advice,
      )
    case 'BudgetRefuses': {
      const [first = '', ...others] = wait.pods
      return text(
        asSentence(`${others.length === 0 ? first : `${wait.pods.length} pods`}: ${wait.budget}`),
        'The one who runs these pods: more healthy replicas elsewhere, or a wider budget. Lockkeeper asks again by itself.',
      )
    }
    case 'FinalizerKeepsPod':
      return text(
        asSentence(`${wait.pod} has ended, and is kept by ${wait.by}`),
        'Whoever set it takes it away; look whether what should do so still runs.',
      )
    case 'EvictionNotCarriedOut':
      return text(
        `The API server accepted the eviction of ${wait.pod}, and nothing deletes the pod.`,
        'An administrator of the cluster: look whether a webhook changes evictions (`kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations`).',
      )
    case 'StepRetries':
      return text(asSentence(`${wait.step}: ${wait.cause}`), 'The run tries again and goes on by itself.')
    case 'NotVerifiedYet':
      return text(asSentence(`${wait.step}: ${notVerifiedWords(wait.cause)}`), 'The run looks again by itself.')
    case 'LeaseAway':
      return text(
        asSentence(wait.lease === null ? wait.cause : leaseWords(wait.lease, wait.cause)),
        'The run tries again and goes on by itself.',
      )
    case 'NotReadyYet':
      return text(asSentence(wait.what), 'The run looks again by itself, and asks when nothing has moved for long.')
    default:
      return assertNever(wait, 'what a run waits for')
  }
}

/** The same in one line: what it waits for and who can end it; a question stands alone. */
export function waitSentence(wait: RunWait): string {
  const { what, who } = waitText(wait)
  return wait.for === 'answer' ? what : `Waits: ${what} ${who}`
}

/** Why a run waits for what may pass by itself. */
export function passingWords({ lease, reason, failsAt }: PassingWait): string {
  if (lease !== null) return leaseWords(lease, reason)
  return failsAt === null ? reason : notVerifiedWords(reason)
}

/** What is said of a Lease that is away. */
export function leaseWords(node: string, cause: string): string {
  return `The Lease of ${node} is away. ${upperFirst(cause)}`
}

function notVerifiedWords(cause: string): string {
  return `Not verified yet: ${cause}`
}

/** `web-1 is still on cmp-1, left to its owner.` */
export function leftToOwnersWords(names: readonly string[], node: string | null): string {
  const [is, owners] = names.length === 1 ? ['is', 'its owner'] : ['are', 'their owners']
  const named = names.length > 3 ? someOf(names, 3) : listed(names)
  return `${named} ${is} still on ${node ?? 'the host'}, left to ${owners}.`
}

function text(what: string, who: string): WaitText {
  return { what, who, said: null }
}

function namesIn({ instances }: Pick<RunWait, 'instances'>): readonly string[] {
  return instances.map(({ name }) => name)
}

function nameIn(wait: Pick<RunWait, 'instances'>): string {
  return namesIn(wait).join(', ')
}

function ownersWho({ instances }: Pick<RunWait, 'instances'>): string {
  return instances.length === 1
    ? 'The owner moves, stops or deletes it; or an operator sets its migration mode, or that of the host, so that it is moved or stopped; or the run is aborted.'
    : 'The owners move, stop or delete them; or an operator sets their migration mode, or that of the host, so that they are moved or stopped; or the run is aborted.'
}

/** Who can do something about what a lock says, by what kind of sentence it is. */
const LOCK_WHO: Readonly<Record<Extract<RunWait, { code: 'LockHeld' }>['kind'] | 'silent' | 'failed', string>> = {
  silent: 'The one who runs its controller: see that it answers, then it goes on by itself.',
  none: 'Its controller, which has not said anything yet.',
  progress: 'Its controller: it moves on by itself.',
  blocked: 'An operator or an owner: what its controller names has to be decided first.',
  trouble: 'Its controller tries again by itself; look at it when it goes on.',
  failed: 'Its controller gave up: mend what it names, then retry.',
}
