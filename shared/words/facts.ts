// Over 350 lines: one entry for each kind of fact.
import { NodeVerdict } from '../domain/node-verdict.ts'
import type { RunFact } from '../domain/run.ts'
import {
  ABORT_REQUESTED,
  APPLICATION_UPDATE_REQUESTED,
  APPLICATION_UPDATE_STARTED,
  ATTEMPTS_EXHAUSTED,
  CLUSTER_REQUEST_CREATED,
  CLUSTER_REQUEST_REMOVED,
  COMPUTE_DISABLE_REQUESTED,
  COMPUTE_ENABLE_REQUESTED,
  COMPUTE_FORCE_DOWN_REQUESTED,
  COMPUTE_FORCE_UP_REQUESTED,
  COMPUTE_LAST_REPORT,
  CONFIRM_REQUESTED,
  CORDON_REQUESTED,
  EVICTION_ACCEPTED,
  EVICTION_REFUSED,
  EVICTION_REQUESTED,
  FORCE_COMPLETE_REQUESTED,
  factName,
  factNumber,
  factText,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCE_SEEN,
  INSTANCE_SETTLED,
  INSTANCE_STARTED,
  INSTANCE_STOPPED,
  INSTANCES_NOTED,
  LOCK_SETTLED,
  LOCK_WAITING,
  MASAKARI_CLEAR_REQUESTED,
  MASAKARI_SET_REQUESTED,
  MICROCEPH_EXIT_REQUESTED,
  MIGRATION_ASKS,
  MIGRATION_ASKS_NO_MORE,
  MIGRATION_FAILED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
  MIGRATION_STALLED,
  NODE_BEFORE,
  NODE_VERDICT,
  NODE_WORKED,
  NOOUT_NOTED,
  NOOUT_SET_REQUESTED,
  NOOUT_UNSET_REQUESTED,
  NOT_VERIFIED_YET,
  OPERATOR_ANSWERED,
  OPERATOR_RESUMED,
  OSDS_START_REQUESTED,
  OSDS_STOP_REQUESTED,
  OVN_ENABLE_REQUESTED,
  POD_FAILED,
  POD_HELD,
  POD_LEFT,
  POD_NOT_DELETED,
  POD_TERMINATES,
  percentOf,
  REQUEST_CREATED,
  REQUEST_REMOVED,
  type RunFactName,
  START_REQUESTED,
  STEERING_REFUSED,
  STOP_REQUESTED,
  subjectName,
  subjectNameWithId,
  TAINT_REQUESTED,
  TRANSIENT_RECOVERED,
  TRANSIENT_RETRYING,
  TRY_AGAIN,
  UNCORDON_REQUESTED,
  UNTAINT_REQUESTED,
  WAITS_FOR,
  WATCHER_ACTION,
  WATCHER_ACTION_SKIPPED,
  WATCHER_LEFT,
  WATCHER_PLAN_CANCELLED,
  WATCHER_PLAN_MADE,
  WATCHER_PLAN_OVER,
  WATCHER_PLAN_STARTED,
  WORK_COMMAND_CALLED_OFF,
  WORK_COMMAND_FAILED,
  WORK_COMMAND_LEFT,
  WORK_COMMAND_REQUESTED,
  WORK_COMMAND_RUNS,
  WORK_COMMAND_UNSEEN,
  WORK_JOB_FAILED,
  WORK_JOB_REQUESTED,
} from '../domain/run-facts.ts'
import { asSentence, upperFirst } from '../grammar/counts.ts'
import { durationWords } from '../grammar/durations.ts'
import { verdictBadge, verdictDetail } from './node-verdict.ts'
import { howToEnd } from './unseen-ends.ts'

/** The importance of a fact; `quiet`: only for a view with every detail. */
export type FactTone = 'plain' | 'good' | 'caution' | 'bad' | 'quiet'

/** A fact in words. */
interface FactSaying {
  readonly tone: FactTone
  readonly about: string
  /** A sentence that continues after `about:`, with its full stop. */
  readonly text: string
}

/** A fact as the journal stores it. */
type KeptFact = Pick<RunFact, 'fact' | 'subject' | 'values'> & { readonly stepId: string }

/**
 * The text of a fact: the same on screen, in the terminal and in reports. `title`: its step in the plan. `moment`: formats a time as
 * `12:34:44`; without it limits are durations. A fact that this version does not know keeps its name.
 */
export function factSaying(fact: KeptFact, title: string, moment?: (at: string) => string): FactSaying {
  const name = factName(fact)
  const [tone, said] = name === null ? (['plain', fact.fact] as const) : FACT_WORDS[name](factWriterOf(fact, moment))
  return { tone, about: aboutOf(fact, title), text: /[.!?…]$/.test(said) ? said : `${said}.` }
}

/** `web-1: moved to cmp-2, ACTIVE.` */
export function factLine({ about, text }: Pick<FactSaying, 'about' | 'text'>): string {
  return `${about}: ${text}`
}

/** The sentence for a place that already shows the subject: `Moved to cmp-2, ACTIVE.` */
export function factSentence({ text }: Pick<FactSaying, 'text'>): string {
  return upperFirst(text)
}

function aboutOf(fact: KeptFact, title: string): string {
  if (fact.subject === fact.stepId) return title
  if (planOf(fact) !== '') return 'Watcher'
  if (fact.subject === 'ceph') return 'Ceph'
  if (fact.subject === 'cluster') return 'the cloud'
  const name = factName(fact)
  if (name !== null && NAMES_ANOTHER.has(name)) return subjectName({ subject: fact.subject, values: {} })
  return name === WATCHER_ACTION || name === WATCHER_ACTION_SKIPPED ? subjectNameWithId(fact) : subjectName(fact)
}

/** Facts whose value `name` does not name their subject. */
const NAMES_ANOTHER: ReadonlySet<RunFactName> = new Set([
  CLUSTER_REQUEST_CREATED,
  CLUSTER_REQUEST_REMOVED,
  WORK_JOB_REQUESTED,
  WORK_JOB_FAILED,
  WORK_COMMAND_REQUESTED,
  WORK_COMMAND_RUNS,
  WORK_COMMAND_CALLED_OFF,
  WORK_COMMAND_LEFT,
  WORK_COMMAND_FAILED,
  WORK_COMMAND_UNSEEN,
])

/** The action plan of Watcher that a fact is about; empty if there is none. */
function planOf({ subject }: Pick<RunFact, 'subject'>): string {
  return /^watcher-plan\/(.*)/s.exec(subject)?.[1] ?? ''
}

/** A fact and the writers of its values. */
interface FactWriter {
  readonly fact: KeptFact
  /** `action plan 4f1c`. */
  readonly plan: string
  /** A value as text; empty if absent. */
  readonly value: (key: string) => string
  /** The same after a colon, to end a sentence; empty if absent. */
  readonly because: (key: string) => string
  readonly moment: ((at: string) => string) | undefined
}

function factWriterOf(fact: KeptFact, moment: FactWriter['moment']): FactWriter {
  const value = (key: string) => {
    const given = fact.values[key] ?? ''
    return Array.isArray(given) ? given.map(String).join(', ') : String(given)
  }
  return {
    fact,
    plan: `action plan ${planOf(fact)}`.trim(),
    value,
    because: key => (value(key) === '' ? '' : `: ${value(key)}`),
    moment,
  }
}

type Words = (reporter: FactWriter) => readonly [FactTone, string]

/** The progress of a migration, if it deserves a word. */
const SLOPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['converging-slowly', ', slowly'],
  ['not-converging', ', and as much is left as a minute ago'],
  ['silent', ', and Nova no longer reports on it'],
])

/** The text of every fact that a run can journal; a fact without one does not compile. */
const FACT_WORDS: Readonly<Record<RunFactName, Words>> = {
  [MIGRATION_REQUESTED]: ({ value }) => [
    'plain',
    `${requestedMove(value('how'))} requested, attempt ${value('attempt')}`,
  ],
  [CONFIRM_REQUESTED]: () => ['quiet', 'arrived; Lockkeeper confirms its cold migration'],
  [STOP_REQUESTED]: ({ value }) => ['plain', `stop requested, attempt ${value('attempt')}`],
  [INSTANCE_STOPPED]: () => ['good', 'stopped'],
  [MIGRATION_PROGRESS]: ({ fact, value }) => {
    const percent = percentOf(fact)
    if (value('behind') !== '') return ['quiet', `queued by Nova behind ${value('behind')}`]
    const slope = SLOPE_WORDS.get(value('slope')) ?? ''
    const copied = percent === null ? `migration ${value('migrationStatus')}` : `${percent} % of its memory copied`
    return ['quiet', `${copied}${slope}`]
  },
  [MIGRATION_STALLED]: ({ value }) => ['caution', `the migration is not getting done. ${value('remedy')}`.trim()],
  [MIGRATION_ASKS]: ({ because }) => ['caution', `needs a decision${because('cause')}`],
  [MIGRATION_ASKS_NO_MORE]: () => ['quiet', 'moving again; no answer needed'],
  [INSTANCE_DECIDED]: ({ fact, value, because }) => [
    'plain',
    fact.values.rule === true
      ? `by the rule of the plan: ${value('choice')}${because('reason')}`
      : `${value('by')} decided: ${value('choice')}${because('reason')}`,
  ],
  [ABORT_REQUESTED]: () => ['plain', 'Lockkeeper asks Nova to abort its migration'],
  [FORCE_COMPLETE_REQUESTED]: () => ['plain', 'Lockkeeper asks Nova to complete its migration now'],
  [STEERING_REFUSED]: ({ value, because }) => ['caution', `Nova refused to ${value('what')}${because('why')}`],
  [INSTANCE_MOVED]: ({ value }) => ['good', `moved to ${value('to')}, ${value('status')}`],
  [MIGRATION_FAILED]: ({ value, because }) => ['caution', `attempt ${value('attempt')} failed${because('why')}`],
  [ATTEMPTS_EXHAUSTED]: ({ because }) => ['bad', `gave up after the last attempt${because('why')}`],
  [INSTANCE_SETTLED]: ({ because }) => ['plain', `needs no move${because('why')}`],
  [START_REQUESTED]: () => ['plain', 'start requested'],
  [INSTANCE_STARTED]: () => ['good', 'runs again'],
  [INSTANCES_NOTED]: () => ['quiet', 'Lockkeeper recorded its instances, to see where they go'],
  [INSTANCE_SEEN]: ({ value }) => [
    'quiet',
    `is ${value('status')} on ${value('host') === '' ? 'no node' : value('host')}`,
  ],
  [NODE_VERDICT]: ({ fact }) => {
    const verdict = NodeVerdict.safeParse(fact.values).data
    if (verdict === undefined) return ['quiet', 'was checked']
    const isReached = verdict.kind === 'Empty' || verdict.kind === 'InService'
    return [isReached ? 'good' : 'caution', `${verdictBadge(verdict)}. ${verdictDetail(verdict)}`]
  },
  [EVICTION_REQUESTED]: ({ value }) => ['quiet', `eviction requested, attempt ${value('attempt')}`],
  [EVICTION_ACCEPTED]: () => ['quiet', 'is leaving'],
  [EVICTION_REFUSED]: ({ value }) => ['caution', `waits. ${value('sentence')}`.trim()],
  [POD_HELD]: ({ value }) => ['caution', `has ended, but ${value('by')} keeps it`],
  [POD_NOT_DELETED]: () => ['caution', 'is not being deleted, although its eviction was accepted'],
  [POD_TERMINATES]: () => ['quiet', 'is being deleted now'],
  [POD_LEFT]: () => ['plain', 'left'],
  [POD_FAILED]: ({ because }) => ['bad', `could not be evicted${because('message')}`],
  [WAITS_FOR]: ({ fact, value }) =>
    fact.values.what === null ? ['quiet', 'the wait for it has ended'] : ['plain', `waits: ${value('what')}`],
  [TRANSIENT_RETRYING]: ({ fact, moment }) => {
    const [since, until] = [factText(fact, 'since'), factText(fact, 'until')]
    const lastsMs = Date.parse(until ?? '') - Date.parse(since ?? '')
    const asks = until !== null && moment !== undefined ? `at ${moment(until)}` : `after ${durationWords(lastsMs)}`
    const isReported = Number.isFinite(lastsMs)
    return ['caution', `waits. ${reasonOf(fact)}It continues automatically${isReported ? `, or asks you ${asks}` : ''}`]
  },
  [TRANSIENT_RECOVERED]: ({ fact }) =>
    fact.values.passed === true ? ['good', 'continues'] : ['caution', 'still waits, and cannot continue alone'],
  [NOT_VERIFIED_YET]: ({ fact, moment }) => {
    const until = factText(fact, 'until')
    const limit =
      until !== null && moment !== undefined
        ? `until ${moment(until)}`
        : `for ${durationWords(factNumber(fact, 'leftMs') ?? 0)}`
    return ['caution', `not verified yet. ${reasonOf(fact)}Lockkeeper checks again ${limit}`]
  },
  [LOCK_WAITING]: ({ value, because }) => [
    value('kind') === 'blocked' || value('kind') === 'trouble' ? 'caution' : 'plain',
    `its lock is ${value('state')}${because('message')}`,
  ],
  [LOCK_SETTLED]: ({ value }) => ['good', `its lock is ${value('state')}`],
  [REQUEST_CREATED]: ({ value }) => ['plain', `maintenance requested, scope ${value('scope')}`],
  [REQUEST_REMOVED]: () => ['plain', 'maintenance request removed; the controllers bring their applications back'],
  // The line of the question shows who answered and why.
  [OPERATOR_ANSWERED]: ({ value }) => ['quiet', `answered ${value('choice')}`],
  [TRY_AGAIN]: () => ['quiet', 'the count of its attempts starts again'],
  [OPERATOR_RESUMED]: () => ['quiet', 'each instance without attempts left gets one more'],
  [WATCHER_PLAN_MADE]: ({ plan, value }) => [
    'plain',
    `${plan} of audit ${value('auditUuid')} recommends ${value('actions')} actions`,
  ],
  [WATCHER_PLAN_STARTED]: ({ plan, value }) => [
    'plain',
    `${plan} of audit ${value('auditUuid')} started for ${value('host')}`,
  ],
  [WATCHER_ACTION_SKIPPED]: ({ because }) => ['plain', `left out of Watcher's plan${because('why')}`],
  [WATCHER_ACTION]: ({ value, because }) => [
    ACTION_TONES.get(value('state')) ?? 'plain',
    `Watcher's ${value('type')} is ${value('state')}${because('why')}`,
  ],
  [WATCHER_PLAN_CANCELLED]: ({ plan, because }) => ['caution', `${plan} was cancelled${because('why')}`],
  [WATCHER_LEFT]: ({ plan }) => ['caution', `${plan} left instances on the node`],
  [WATCHER_PLAN_OVER]: ({ plan, value }) => [
    value('failed') === '0' && value('notRun') === '0' ? 'good' : 'caution',
    `${plan} has finished: ${value('succeeded')} done, ${value('skipped')} skipped, ${value('failed')} failed, ${value('notRun')} not run`,
  ],
  // The line of their step shows the result; these show the time of the request.
  [CORDON_REQUESTED]: () => ['quiet', 'cordon requested'],
  [UNCORDON_REQUESTED]: () => ['quiet', 'uncordon requested'],
  [COMPUTE_DISABLE_REQUESTED]: ({ because }) => ['quiet', `disabling nova-compute${because('reason')}`],
  [COMPUTE_ENABLE_REQUESTED]: () => ['quiet', 'enabling nova-compute'],
  [COMPUTE_FORCE_DOWN_REQUESTED]: ({ because }) => [
    'plain',
    `forcing nova-compute down because its machine is off${because('machineIsOff')}`,
  ],
  [COMPUTE_LAST_REPORT]: ({ value }) => [
    'quiet',
    `nova-compute last reported at ${value('updatedAt') || 'an unknown time'}`,
  ],
  [COMPUTE_FORCE_UP_REQUESTED]: () => ['quiet', 'clearing forced-down of nova-compute'],
  [MASAKARI_SET_REQUESTED]: () => ['quiet', 'setting on_maintenance in Masakari'],
  [MASAKARI_CLEAR_REQUESTED]: () => ['quiet', 'clearing on_maintenance in Masakari'],
  [TAINT_REQUESTED]: ({ because }) => ['plain', `taint requested${because('taint')}`],
  [UNTAINT_REQUESTED]: ({ because }) => ['quiet', `removal of the taint requested${because('taint')}`],
  [OVN_ENABLE_REQUESTED]: ({ value }) => ['quiet', `enabling its service ${value('service')}`],
  [OSDS_STOP_REQUESTED]: ({ value }) => ['quiet', `stopping its OSDs: ${value('osds')}`],
  [OSDS_START_REQUESTED]: ({ value }) => ['quiet', `starting its OSDs: ${value('osds')}`],
  [NOOUT_NOTED]: ({ fact }) => [
    'quiet',
    fact.values.needed === true
      ? 'Lockkeeper records on it that it needs noout of all of Ceph'
      : 'Lockkeeper removes its record that it needs noout of all of Ceph',
  ],
  [NOOUT_SET_REQUESTED]: ({ value }) => ['quiet', `setting noout for ${reachWords(value('reach'))}`],
  [NOOUT_UNSET_REQUESTED]: ({ value }) => ['quiet', `removing noout for ${reachWords(value('reach'))}`],
  [MICROCEPH_EXIT_REQUESTED]: () => [
    'quiet',
    'Lockkeeper asks MicroCeph to end its maintenance, which removes noout of all of Ceph',
  ],
  [CLUSTER_REQUEST_CREATED]: ({ value }) => [
    'plain',
    `maintenance requested as ${value('name')}, scope ${value('scope')}`,
  ],
  [CLUSTER_REQUEST_REMOVED]: ({ value }) => ['plain', `removing its maintenance request ${value('name')}`],
  [APPLICATION_UPDATE_REQUESTED]: ({ value }) => [
    'plain',
    `update of ${value('application')} requested: Lockkeeper patches ${value('object')}`,
  ],
  [APPLICATION_UPDATE_STARTED]: ({ value }) => [
    'plain',
    `update of ${value('application')} is running: ${value('command') === '' ? `${value('object')} has the patch` : 'its command ended with exit code 0'}`,
  ],
  [NODE_BEFORE]: reporter => ['quiet', `state before the work recorded${signsOf(reporter)}`],
  [NODE_WORKED]: reporter => ['good', `the work on it is done${signsOf(reporter)}`],
  [WORK_JOB_REQUESTED]: ({ value }) => [
    'plain',
    `Job ${value('namespace')}/${value('name')} requested, attempt ${value('attempt')}`,
  ],
  [WORK_JOB_FAILED]: ({ because }) => ['bad', `the Job of the work on it failed${because('message')}`],
  [WORK_COMMAND_REQUESTED]: ({ value }) => [
    'plain',
    `${theCommand(value)} is starting on ${value('machine')}, attempt ${value('attempt')}`,
  ],
  [WORK_COMMAND_RUNS]: ({ value }) => [
    'plain',
    `${theCommand(value)} is running${value('group') === '' ? '' : `, process group ${value('group')}`}`,
  ],
  [WORK_COMMAND_CALLED_OFF]: ({ value, because }) => [
    'bad',
    `${theCommand(value)} was not started${because('message')}`,
  ],
  [WORK_COMMAND_LEFT]: ({ value }) => [
    'caution',
    `${theCommand(value)} still runs. ${howToEnd({
      machine: value('machine'),
      group: value('group') === '' ? null : Number(value('group')),
    })}`,
  ],
  [WORK_COMMAND_FAILED]: ({ value, because }) => ['bad', `${theCommand(value)} failed${because('message')}`],
  [WORK_COMMAND_UNSEEN]: ({ value, because }) => [
    'bad',
    `the result of ${theCommand(value)} is unknown${because('message')}`,
  ],
}

/** An operator's command: the work on a node, or the update of an application. */
function theCommand(value: (name: string) => string): string {
  const application = value('application')
  return application === '' ? 'the command for the work on it' : `the command for the update of ${application}`
}

function requestedMove(how: string): string {
  if (how === 'evacuate') return 'evacuation'
  return how === 'cold' ? 'cold migration' : 'live migration'
}

function reachWords(reach: string): string {
  return reach === 'host' ? "this node's OSDs" : 'all of Ceph'
}

/** The signs of work on a node: boot id, kubelet and system, or the Job or command that did it. */
function signsOf({ value }: FactWriter): string {
  if (value('job') !== '') return `: Job ${value('job')} is complete`
  if (value('command') !== '') return ': the command ended with exit code 0'
  const [bootId, kubelet, system] = [value('bootId'), value('kubeletVersion'), value('osImage')]
  return bootId === '' ? '' : `: boot id ${bootId}, kubelet ${kubelet}, ${system}`
}

const ACTION_TONES: ReadonlyMap<string, FactTone> = new Map([
  ['SUCCEEDED', 'good'],
  ['FAILED', 'bad'],
  ['CANCELLED', 'bad'],
  ['SKIPPED', 'caution'],
])

/** Why it waits, as a sentence. */
function reasonOf(fact: Pick<RunFact, 'values'>): string {
  const reason = factText(fact, 'reason') ?? ''
  return reason === '' ? '' : `${asSentence(reason)} `
}
