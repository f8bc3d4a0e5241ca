import type { GateChoice } from '../domain/gate-choice.ts'
import type { StuckRule } from '../domain/instance-choice.ts'
import type { Copying } from '../domain/migration-pace.ts'
import type { OpenGate } from '../domain/run.ts'
import type { RunWait } from '../domain/run-wait.ts'
import { asSentence, listed, someOf, upperFirst } from '../grammar/counts.ts'
import { durationWords } from '../grammar/durations.ts'
import { leaseWords, waitText } from './waits.ts'

/** Longest list of names in a title. */
const MOST_NAMED = 3

/** What a card about a wait is called: the instance, the pod, the controller; `isName`: set it as a name. */
export function troubleTitle(wait: RunWait): { readonly title: string; readonly isName: boolean } {
  switch (wait.code) {
    case 'InstanceAsks':
    case 'LeftToOwners':
    case 'MigrationStalled':
    case 'MigrationNotConverging':
      return { title: namesOf(wait.instances.map(({ name }) => name)), isName: true }
    case 'BudgetRefuses':
      return { title: namesOf(wait.pods), isName: true }
    case 'FinalizerKeepsPod':
    case 'EvictionNotCarriedOut':
      return { title: wait.pod, isName: true }
    case 'LockHeld':
      return { title: CONTROLLERS[wait.controller] ?? wait.controller, isName: false }
    case 'StepRetries':
    case 'NotVerifiedYet':
      return { title: wait.step, isName: false }
    case 'Question':
    case 'LeaseAway':
    case 'NotReadyYet':
      return { title: wait.node ?? 'The cloud', isName: wait.node !== null }
  }
}

const CONTROLLERS: Readonly<Record<string, string>> = { openstack: 'OpenStack', ceph: 'Ceph', stacklight: 'StackLight' }

/** Why it waits, in one sentence that follows the title. `copying`: what the move of its instance does. */
export function troubleSentence(wait: RunWait, copying: Copying | null): string {
  switch (wait.code) {
    case 'MigrationNotConverging':
      return SLOW_WORDS['not-converging']
    case 'InstanceAsks':
    case 'MigrationStalled':
      return copying === null || copying === 'copying' ? SLOW_WORDS.still : SLOW_WORDS[copying]
    case 'LeftToOwners':
      return wait.instances.length === 1
        ? 'Its owner has to move, stop or delete it.'
        : 'Their owners have to move, stop or delete them.'
    case 'LockHeld':
      return wait.state === 'failed'
        ? 'Its controller gave up on this node.'
        : wait.silent
          ? 'Its controller does not answer.'
          : 'It does not let the node go yet.'
    case 'BudgetRefuses':
      return `Its disruption budget lets no ${wait.pods.length === 1 ? 'pod' : 'pods'} go now.`
    case 'FinalizerKeepsPod':
      return asSentence(`It has ended, but ${wait.by} keeps it`)
    case 'EvictionNotCarriedOut':
      return 'Its eviction was accepted, but nothing deletes it.'
    case 'StepRetries':
      return 'Its last try failed.'
    case 'NotVerifiedYet':
      return 'Its result is not verified yet.'
    case 'LeaseAway':
      return asSentence(wait.lease === null ? wait.cause : leaseWords(wait.lease, wait.cause))
    case 'NotReadyYet':
      return asSentence(upperFirst(wait.what))
    case 'Question':
      return wait.question
  }
}

/** A run's question after a condition did not end, in one sentence; null for another question. */
export function patienceSentence({ code, values }: Pick<OpenGate, 'code' | 'values'>): string | null {
  const { why, forMs } = values ?? {}
  if (code !== 'PatienceOver' || typeof forMs !== 'number') return null
  const kind = typeof why === 'object' && why !== null && 'kind' in why ? why.kind : null
  const lasted = durationWords(forMs)
  switch (kind) {
    case 'failed':
      return `Lockkeeper tried for ${lasted} and failed.`
    case 'blocked':
      return `A check failed for ${lasted}.`
    case 'not-verified':
      return `Its result was not verified for ${lasted}.`
    case 'lease-away':
      return `Its Lease was lost for ${lasted}.`
    default:
      return null
  }
}

const SLOW_WORDS: Readonly<Record<Exclude<Copying, 'copying'>, string>> = {
  'not-converging': 'It writes memory as fast as the network copies it.',
  still: 'Nova reports no progress of its move.',
}

/** The technical reason, behind "Why?"; null if the sentence says it all. */
export function troubleWhy(wait: RunWait): string | null {
  switch (wait.code) {
    case 'InstanceAsks':
      return asSentence(upperFirst(wait.cause))
    case 'MigrationStalled':
    case 'MigrationNotConverging':
      return wait.advice === '' ? null : wait.advice
    case 'StepRetries':
    case 'NotVerifiedYet':
      return asSentence(upperFirst(wait.cause))
    case 'BudgetRefuses':
      return asSentence(wait.budget)
    case 'LeftToOwners':
    case 'LockHeld':
      return wait.message === '' ? null : wait.message
    default:
      return null
  }
}

/** The person who can end a wait that no button here ends. */
export function troubleHelp(wait: RunWait): string | null {
  switch (wait.code) {
    case 'MigrationStalled':
    case 'MigrationNotConverging':
    // The line about what happens otherwise says it.
    case 'StepRetries':
    case 'NotVerifiedYet':
    case 'LeaseAway':
    case 'NotReadyYet':
      return null
    default:
      return wait.for === 'answer' || wait.for === 'owner' ? null : waitText(wait).who
  }
}

/** What happens while nobody answers. `rule`: what the plan does about a move without progress. */
export function unansweredWords(wait: RunWait, rule: StuckRule): string {
  const { node, instances } = wait
  const who = namesOf(instances.map(({ name }) => name))
  const isOne = instances.length === 1
  switch (wait.code) {
    case 'MigrationStalled':
    case 'MigrationNotConverging':
      return `Until you decide, ${who} ${isOne ? 'keeps' : 'keep'} trying to move and the others continue. After ${durationWords(rule.afterMs)} without progress, Lockkeeper ${RULE_WORDS[rule.do](isOne)}.`
    case 'InstanceAsks':
      return `Until you answer, ${who} ${isOne ? 'keeps' : 'keep'} trying to move and the others continue.`
    case 'LeftToOwners':
      return 'The run waits and stops no instance. If nothing changes for long, it asks you.'
    case 'Question':
      return `Until you answer, nothing more starts on ${node ?? 'this cloud'}.`
    case 'BudgetRefuses':
    case 'FinalizerKeepsPod':
    case 'EvictionNotCarriedOut':
      return 'The run waits. The other pods still leave.'
    case 'LockHeld':
    case 'NotReadyYet':
      return 'The run waits. If nothing changes for long, it asks you.'
    case 'StepRetries':
    case 'NotVerifiedYet':
    case 'LeaseAway':
      return 'Lockkeeper tries again automatically.'
  }
}

const RULE_WORDS: Readonly<Record<StuckRule['do'], (isOne: boolean) => string>> = {
  ask: () => 'asks you',
  'force-complete': isOne => `finishes ${isOne ? 'its move' : 'their moves'}`,
  'abort-and-retry': isOne => `starts ${isOne ? 'its move' : 'their moves'} over`,
  'abort-and-leave': isOne => `leaves ${isOne ? 'it' : 'them'} here`,
  cold: isOne => `moves ${isOne ? 'it' : 'them'} with downtime`,
}

/** The buttons of a question of a run. */
const GATE_CHOICE_WORDS: Readonly<Record<GateChoice, string>> = {
  continue: 'Continue the run',
  retry: 'Try again',
  skip: 'Skip the step',
  abort: 'Stop the run',
}

/** The kinds of steps whose questions have their own buttons. */
const STEP_CHOICES: Readonly<Record<string, Partial<Record<GateChoice, string>>>> = {
  'migrate-instances': { skip: 'Leave them here' },
  'bring-home': { skip: 'Leave them there' },
  'node-work': { continue: 'Work is done, bring it back' },
}

export function gateChoiceWords(choice: GateChoice, stepKind: string | null): string {
  return STEP_CHOICES[stepKind ?? '']?.[choice] ?? GATE_CHOICE_WORDS[choice]
}

/** What an answer costs, and what it does. */
export function gateEffect(
  choice: GateChoice,
  { stepKind, node }: { readonly stepKind: string | null; readonly node: string | null },
): { readonly harm: 0 | 1 | 2 | 3; readonly cost: string; readonly effect: string } {
  switch (choice) {
    case 'continue':
      return { harm: 0, cost: '', effect: 'The run continues.' }
    case 'retry':
      return { harm: 0, cost: 'Costs time only', effect: 'The step starts over.' }
    case 'skip':
      return stepKind === 'migrate-instances'
        ? { harm: 1, cost: `${node ?? 'The node'} will not be empty`, effect: 'Nothing goes down. The run continues.' }
        : { harm: 1, cost: 'The step stays undone', effect: 'The run continues without it.' }
    case 'abort':
      return { harm: 2, cost: 'Its changes stay', effect: 'Nothing more starts. You can undo it.' }
  }
}

function namesOf(names: readonly string[]): string {
  return names.length > MOST_NAMED ? someOf(names, MOST_NAMED) : listed(names)
}
