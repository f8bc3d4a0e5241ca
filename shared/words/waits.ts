import { assertNever } from '../domain/must.ts'
import type { PassingWait } from '../domain/run.ts'
import type { RunWait } from '../domain/run-wait.ts'
import { asSentence, listed, someOf, upperFirst } from '../grammar/counts.ts'
import { withoutEmptyLists } from './lock-messages.ts'

interface WaitText {
  /** What it waits for. */
  readonly what: string
  /** The actor who can end it, and how. */
  readonly who: string
  /** The words of a controller, if {@link WaitText.what} differs from them; null if it does not, or there are none. */
  readonly said: string | null
}

/** The text of a wait, the same on screen, in the terminal, in reports, notifications, webhooks and custom resources. */
export function waitText(wait: RunWait): WaitText {
  switch (wait.code) {
    case 'Question':
      return text(wait.question, `Any operator of this cloud can answer: ${wait.choices.join(', ')}.`)
    case 'InstanceAsks':
      return text(
        asSentence(`${nameIn(wait)}: ${wait.cause}`),
        `Any operator of this cloud can decide about this instance: ${wait.choices.join(', ')}. The others continue.`,
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
        `${nameIn(wait)}: its migration makes no progress.`,
        wait.advice === '' ? 'An administrator of Nova: abort it or force it to complete.' : wait.advice,
      )
    case 'MigrationNotConverging':
      return text(
        `${nameIn(wait)} ${NOT_CONVERGING}.`,
        wait.advice === '' ? 'An administrator of Nova: abort it or force it to complete.' : wait.advice,
      )
    case 'BudgetRefuses': {
      const [first = '', ...others] = wait.pods
      return text(
        asSentence(`${others.length === 0 ? first : `${wait.pods.length} pods`}: ${wait.budget}`),
        'The owner of these pods: add healthy replicas elsewhere, or widen the budget. Lockkeeper asks again automatically.',
      )
    }
    case 'FinalizerKeepsPod':
      return text(
        asSentence(`${wait.pod} has ended, but ${wait.by} keeps it`),
        'The program that set it has to remove it; check whether that program still runs.',
      )
    case 'EvictionNotCarriedOut':
      return text(
        `The API server accepted the eviction of ${wait.pod}, but nothing deletes the pod.`,
        'An administrator of the cluster: check whether a webhook changes evictions (`kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations`).',
      )
    case 'StepRetries':
      return text(asSentence(`${wait.step}: ${wait.cause}`), 'The run tries again automatically.')
    case 'NotVerifiedYet':
      return text(asSentence(`${wait.step}: ${notVerifiedWords(wait.cause)}`), 'The run checks again automatically.')
    case 'LeaseAway':
      return text(
        asSentence(wait.lease === null ? wait.cause : leaseWords(wait.lease, wait.cause)),
        'The run tries again automatically.',
      )
    case 'NotReadyYet':
      return text(asSentence(wait.what), 'The run checks again automatically, and asks if nothing changes for long.')
    default:
      return assertNever(wait, 'what a run waits for')
  }
}

/** A wait that is a sentence about one instance, with its name apart; null if there is more to say. */
export function namedWait(wait: RunWait): readonly [before: string, name: string, after: string] | null {
  const [instance, ...others] = wait.instances
  if (instance === undefined || others.length > 0) return null
  switch (wait.code) {
    case 'MigrationNotConverging':
      return ['', instance.name, NOT_CONVERGING]
    case 'MigrationStalled':
      return ['The move of', instance.name, 'makes no progress']
    case 'LeftToOwners':
      return ['', instance.name, 'waits for its owner']
    default:
      return null
  }
}

const NOT_CONVERGING = 'writes memory as fast as the network copies it'

/** The same in one line; a question is alone. */
export function waitSentence(wait: RunWait): string {
  const { what, who } = waitText(wait)
  return wait.for === 'answer' ? what : `Waits: ${what} ${who}`
}

/** Why a run waits for a condition that may pass. */
export function passingWords({ lease, reason, failsAt }: PassingWait): string {
  if (lease !== null) return leaseWords(lease, reason)
  return failsAt === null ? reason : notVerifiedWords(reason)
}

export function leaseWords(node: string, cause: string): string {
  return `The Lease of ${node} is lost. ${upperFirst(cause)}`
}

function notVerifiedWords(cause: string): string {
  return `Not verified yet: ${cause}`
}

/** `web-1 is still on cmp-1, left to its owner.` */
export function leftToOwnersWords(names: readonly string[], node: string | null): string {
  const [is, owners] = names.length === 1 ? ['is', 'its owner'] : ['are', 'their owners']
  const named = names.length > 3 ? someOf(names, 3) : listed(names)
  return `${named} ${is} still on ${node ?? 'the node'}, left to ${owners}.`
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
    ? 'Its owner can move, stop or delete it. You can set its mode, or the mode of the node, so that it moves or stops; or stop the run.'
    : 'Their owners can move, stop or delete them. You can set their mode, or the mode of the node, so that they move or stop; or stop the run.'
}

/** The actor who can resolve the message of a lock, by the kind of the message. */
const LOCK_WHO: Readonly<Record<Extract<RunWait, { code: 'LockHeld' }>['kind'] | 'silent' | 'failed', string>> = {
  silent: 'The operator of its controller: check that it answers. The run then continues automatically.',
  none: 'Its controller, which has not reported anything yet.',
  progress: 'Its controller, which continues automatically.',
  blocked: 'An operator or an owner has to decide what its controller names.',
  trouble: 'Its controller tries again automatically; check it if this continues.',
  failed: 'Its controller gave up: fix what it names, then try again.',
}
