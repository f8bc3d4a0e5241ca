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

/** How something that happened is to be looked at; `quiet`: by who asks for every detail. */
export type FactTone = 'plain' | 'good' | 'caution' | 'bad' | 'quiet'

/** A fact in words. */
interface FactSaying {
  readonly tone: FactTone
  /** What it is about, as an operator calls it. */
  readonly about: string
  /** What is said of it: a sentence that goes on after `about:`, with its full stop. */
  readonly text: string
}

/** A fact as the journal keeps it. */
type KeptFact = Pick<RunFact, 'fact' | 'subject' | 'values'> & { readonly stepId: string }

/**
 * What a fact says: the same on screen, in the terminal and in reports. `title`: what the plan calls its step. `moment`: how the face tells a
 * moment, `12:34:44`; without it limits are told as lengths of time. A name that this version does not know is shown as it stands.
 */
export function factSaying(fact: KeptFact, title: string, moment?: (at: string) => string): FactSaying {
  const name = factName(fact)
  const [tone, said] = name === null ? (['plain', fact.fact] as const) : FACT_WORDS[name](factWriterOf(fact, moment))
  return { tone, about: aboutOf(fact, title), text: /[.!?…]$/.test(said) ? said : `${said}.` }
}

/** The same as one line: `web-1: moved to cmp-2, ACTIVE.` */
export function factLine({ about, text }: Pick<FactSaying, 'about' | 'text'>): string {
  return `${about}: ${text}`
}

/** The same where what it is about stands beside it: `Moved to cmp-2, ACTIVE.` */
export function factSentence({ text }: Pick<FactSaying, 'text'>): string {
  return upperFirst(text)
}

function aboutOf(fact: KeptFact, title: string): string {
  if (fact.subject === fact.stepId) return title
  if (planOf(fact) !== '') return 'Watcher'
  if (fact.subject === 'ceph') return 'Ceph'
  if (fact.subject === 'cluster') return 'the cluster'
  const name = factName(fact)
  if (name !== null && NAMES_ANOTHER.has(name)) return subjectName({ subject: fact.subject, values: {} })
  return name === WATCHER_ACTION || name === WATCHER_ACTION_SKIPPED ? subjectNameWithId(fact) : subjectName(fact)
}

/** Facts whose value `name` is of something else than what they are about. */
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

/** Which action plan of Watcher a fact is about, so that it can be looked up there; empty: none. */
function planOf({ subject }: Pick<RunFact, 'subject'>): string {
  return /^watcher-plan\/(.*)/s.exec(subject)?.[1] ?? ''
}

/** A fact and how its values are told. */
interface FactWriter {
  readonly fact: KeptFact
  /** `action plan 4f1c`. */
  readonly plan: string
  /** A value as text; empty where there is none. */
  readonly value: (key: string) => string
  /** The same at the end of a sentence, after a colon; nothing where there is none. */
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

/** How a migration gets on, where that is worth a word. */
const SLOPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['converging-slowly', ', slowly'],
  ['not-converging', ', and no less is left than a minute ago'],
  ['silent', ', and Nova tells no more of it'],
])

/** Every fact that a run can journal, in words: one without words does not compile. */
const FACT_WORDS: Readonly<Record<RunFactName, Words>> = {
  [MIGRATION_REQUESTED]: ({ value }) => [
    'plain',
    `${requestedMove(value('how'))} asked for, attempt ${value('attempt')}`,
  ],
  [CONFIRM_REQUESTED]: () => ['quiet', 'arrived, its cold migration is being confirmed'],
  [STOP_REQUESTED]: ({ value }) => ['plain', `stop asked for, attempt ${value('attempt')}`],
  [INSTANCE_STOPPED]: () => ['good', 'stopped'],
  [MIGRATION_PROGRESS]: ({ fact, value }) => {
    const percent = percentOf(fact)
    if (value('behind') !== '') return ['quiet', `queued by Nova behind ${value('behind')}`]
    const slope = SLOPE_WORDS.get(value('slope')) ?? ''
    const copied = percent === null ? `migration ${value('migrationStatus')}` : `${percent} % of its memory copied`
    return ['quiet', `${copied}${slope}`]
  },
  [MIGRATION_STALLED]: ({ value }) => ['caution', `the migration stands still. ${value('remedy')}`.trim()],
  [MIGRATION_ASKS]: ({ because }) => ['caution', `somebody has to decide about it${because('cause')}`],
  [MIGRATION_ASKS_NO_MORE]: () => ['quiet', 'its question is over: it gets on'],
  [INSTANCE_DECIDED]: ({ fact, value, because }) => [
    'plain',
    fact.values.rule === true
      ? `by the rule of the plan: ${value('choice')}${because('reason')}`
      : `${value('by')} decided: ${value('choice')}${because('reason')}`,
  ],
  [ABORT_REQUESTED]: () => ['plain', 'Nova is asked to abort its migration'],
  [FORCE_COMPLETE_REQUESTED]: () => ['plain', 'Nova is asked to end its migration now'],
  [STEERING_REFUSED]: ({ value, because }) => ['caution', `Nova refused to ${value('what')}${because('why')}`],
  [INSTANCE_MOVED]: ({ value }) => ['good', `moved to ${value('to')}, ${value('status')}`],
  [MIGRATION_FAILED]: ({ value, because }) => ['caution', `attempt ${value('attempt')} failed${because('why')}`],
  [ATTEMPTS_EXHAUSTED]: ({ because }) => ['bad', `given up, its attempts are used up${because('why')}`],
  [INSTANCE_SETTLED]: ({ because }) => ['plain', `need not move${because('why')}`],
  [START_REQUESTED]: () => ['plain', 'start asked for'],
  [INSTANCE_STARTED]: () => ['good', 'runs again'],
  [INSTANCES_NOTED]: () => ['quiet', 'its instances are noted, to tell where they go'],
  [INSTANCE_SEEN]: ({ value }) => [
    'quiet',
    `is ${value('status')} on ${value('host') === '' ? 'no host' : value('host')}`,
  ],
  [NODE_VERDICT]: ({ fact }) => {
    const verdict = NodeVerdict.safeParse(fact.values).data
    if (verdict === undefined) return ['quiet', 'was looked at']
    const isReached = verdict.kind === 'Empty' || verdict.kind === 'InService'
    return [isReached ? 'good' : 'caution', `${verdictBadge(verdict)}. ${verdictDetail(verdict)}`]
  },
  [EVICTION_REQUESTED]: ({ value }) => ['quiet', `eviction asked for, attempt ${value('attempt')}`],
  [EVICTION_ACCEPTED]: () => ['quiet', 'is leaving'],
  [EVICTION_REFUSED]: ({ value }) => ['caution', `waits. ${value('sentence')}`.trim()],
  [POD_HELD]: ({ value }) => ['caution', `has ended, and is kept by ${value('by')}`],
  [POD_NOT_DELETED]: () => ['caution', 'is not being deleted, although its eviction was accepted'],
  [POD_TERMINATES]: () => ['quiet', 'is being deleted now'],
  [POD_LEFT]: () => ['plain', 'left'],
  [POD_FAILED]: ({ because }) => ['bad', `could not be evicted${because('message')}`],
  [WAITS_FOR]: ({ fact, value }) =>
    fact.values.what === null ? ['quiet', 'need not be waited for any more'] : ['plain', `waits: ${value('what')}`],
  [TRANSIENT_RETRYING]: ({ fact, moment }) => {
    const [since, until] = [factText(fact, 'since'), factText(fact, 'until')]
    const lastsMs = Date.parse(until ?? '') - Date.parse(since ?? '')
    const asks = until !== null && moment !== undefined ? `at ${moment(until)}` : `after ${durationWords(lastsMs)}`
    const isReported = Number.isFinite(lastsMs)
    return [
      'caution',
      `waits. ${reasonOf(fact)}It goes on by itself when that passes${isReported ? `, and asks ${asks}` : ''}`,
    ]
  },
  [TRANSIENT_RECOVERED]: ({ fact }) =>
    fact.values.passed === true ? ['good', 'goes on'] : ['caution', 'what it waited for did not pass by itself'],
  [NOT_VERIFIED_YET]: ({ fact, moment }) => {
    const until = factText(fact, 'until')
    const limit =
      until !== null && moment !== undefined
        ? `until ${moment(until)}`
        : `for ${durationWords(factNumber(fact, 'leftMs') ?? 0)}`
    return ['caution', `not verified yet. ${reasonOf(fact)}Looked at again ${limit}`]
  },
  [LOCK_WAITING]: ({ value, because }) => [
    value('kind') === 'blocked' || value('kind') === 'trouble' ? 'caution' : 'plain',
    `its lock is ${value('state')}${because('message')}`,
  ],
  [LOCK_SETTLED]: ({ value }) => ['good', `its lock is ${value('state')}`],
  [REQUEST_CREATED]: ({ value }) => ['plain', `maintenance requested, scope ${value('scope')}`],
  [REQUEST_REMOVED]: () => ['plain', 'maintenance request removed; the controllers bring their applications back'],
  // The question's own line says who answered and why.
  [OPERATOR_ANSWERED]: ({ value }) => ['quiet', `answered ${value('choice')}`],
  [TRY_AGAIN]: () => ['quiet', 'its attempts are counted anew'],
  [OPERATOR_RESUMED]: () => ['quiet', 'what used up its attempts gets one more'],
  [WATCHER_PLAN_MADE]: ({ plan, value }) => [
    'plain',
    `${plan} of audit ${value('auditUuid')} recommends ${value('actions')} actions`,
  ],
  [WATCHER_PLAN_STARTED]: ({ plan, value }) => [
    'plain',
    `${plan} of audit ${value('auditUuid')} is started for ${value('host')}`,
  ],
  [WATCHER_ACTION_SKIPPED]: ({ because }) => ['plain', `left out of Watcher's plan${because('why')}`],
  [WATCHER_ACTION]: ({ value, because }) => [
    ACTION_TONES.get(value('state')) ?? 'plain',
    `Watcher's ${value('type')} is ${value('state')}${because('why')}`,
  ],
  [WATCHER_PLAN_CANCELLED]: ({ plan, because }) => ['caution', `${plan} is cancelled${because('why')}`],
  [WATCHER_LEFT]: ({ plan }) => ['caution', `${plan} left instances on the host`],
  [WATCHER_PLAN_OVER]: ({ plan, value }) => [
    value('failed') === '0' && value('notRun') === '0' ? 'good' : 'caution',
    `${plan} is over: ${value('succeeded')} done, ${value('skipped')} skipped, ${value('failed')} failed, ${value('notRun')} not run`,
  ],
  // The line of their step says the same to whoever follows a run; these tell when it was asked for.
  [CORDON_REQUESTED]: () => ['quiet', 'cordon asked for'],
  [UNCORDON_REQUESTED]: () => ['quiet', 'uncordon asked for'],
  [COMPUTE_DISABLE_REQUESTED]: ({ because }) => ['quiet', `disabling of nova-compute asked for${because('reason')}`],
  [COMPUTE_ENABLE_REQUESTED]: () => ['quiet', 'enabling of nova-compute asked for'],
  [COMPUTE_FORCE_DOWN_REQUESTED]: ({ because }) => [
    'plain',
    `nova-compute is being forced down, its machine being off${because('machineIsOff')}`,
  ],
  [COMPUTE_LAST_REPORT]: ({ value }) => [
    'quiet',
    `nova-compute last reported at ${value('updatedAt') || 'a time that is not known'}`,
  ],
  [COMPUTE_FORCE_UP_REQUESTED]: () => ['quiet', 'nova-compute is being forced down no longer'],
  [MASAKARI_SET_REQUESTED]: () => ['quiet', 'on_maintenance in Masakari asked for'],
  [MASAKARI_CLEAR_REQUESTED]: () => ['quiet', 'end of on_maintenance in Masakari asked for'],
  [TAINT_REQUESTED]: ({ because }) => ['plain', `taint asked for${because('taint')}`],
  [UNTAINT_REQUESTED]: ({ because }) => ['quiet', `removal of the taint asked for${because('taint')}`],
  [OVN_ENABLE_REQUESTED]: ({ value }) => ['quiet', `enabling of its service ${value('service')} asked for`],
  [OSDS_STOP_REQUESTED]: ({ value }) => ['quiet', `stop of its OSDs asked for: ${value('osds')}`],
  [OSDS_START_REQUESTED]: ({ value }) => ['quiet', `start of its OSDs asked for: ${value('osds')}`],
  [NOOUT_NOTED]: ({ fact }) => [
    'quiet',
    fact.values.needed === true
      ? 'a note is put on it that it needs noout of all of Ceph'
      : 'the note on it that it needs noout of all of Ceph is being removed',
  ],
  [NOOUT_SET_REQUESTED]: ({ value }) => ['quiet', `noout asked for, for ${reachWords(value('reach'))}`],
  [NOOUT_UNSET_REQUESTED]: ({ value }) => ['quiet', `removal of noout asked for, for ${reachWords(value('reach'))}`],
  [MICROCEPH_EXIT_REQUESTED]: () => [
    'quiet',
    'MicroCeph is asked to end its maintenance, which removes noout of all of Ceph',
  ],
  [CLUSTER_REQUEST_CREATED]: ({ value }) => [
    'plain',
    `maintenance requested as ${value('name')}, scope ${value('scope')}`,
  ],
  [CLUSTER_REQUEST_REMOVED]: ({ value }) => ['plain', `removal of its maintenance request ${value('name')} asked for`],
  [APPLICATION_UPDATE_REQUESTED]: ({ value }) => [
    'plain',
    `update of ${value('application')} asked for: ${value('object')} is patched`,
  ],
  [APPLICATION_UPDATE_STARTED]: ({ value }) => [
    'plain',
    `update of ${value('application')} is under way: ${value('command') === '' ? `${value('object')} is as patched` : 'its command ended with exit code 0'}`,
  ],
  [NODE_BEFORE]: reporter => ['quiet', `noted as it was before the work${signsOf(reporter)}`],
  [NODE_WORKED]: reporter => ['good', `the work on it is over${signsOf(reporter)}`],
  [WORK_JOB_REQUESTED]: ({ value }) => [
    'plain',
    `Job ${value('namespace')}/${value('name')} asked for, attempt ${value('attempt')}`,
  ],
  [WORK_JOB_FAILED]: ({ because }) => ['bad', `the Job of the work on it failed${because('message')}`],
  [WORK_COMMAND_REQUESTED]: ({ value }) => [
    'plain',
    `${theCommand(value)} is to be started on ${value('machine')}, attempt ${value('attempt')}`,
  ],
  [WORK_COMMAND_RUNS]: ({ value }) => [
    'plain',
    `${theCommand(value)} is under way${value('group') === '' ? '' : `, process group ${value('group')}`}`,
  ],
  [WORK_COMMAND_CALLED_OFF]: ({ value, because }) => [
    'bad',
    `${theCommand(value)} was not started${because('message')}`,
  ],
  [WORK_COMMAND_LEFT]: ({ value }) => [
    'caution',
    `${theCommand(value)} is left under way. ${howToEnd({
      machine: value('machine'),
      group: value('group') === '' ? null : Number(value('group')),
    })}`,
  ],
  [WORK_COMMAND_FAILED]: ({ value, because }) => ['bad', `${theCommand(value)} failed${because('message')}`],
  [WORK_COMMAND_UNSEEN]: ({ value, because }) => [
    'bad',
    `how ${theCommand(value)} ended nobody saw${because('message')}`,
  ],
}

/** A command of the operator's: of the work on a node, or of the update of an application. */
function theCommand(value: (name: string) => string): string {
  const application = value('application')
  return application === '' ? 'the command of the work on it' : `the command of the update of ${application}`
}

function requestedMove(how: string): string {
  if (how === 'evacuate') return 'evacuation'
  return how === 'cold' ? 'cold migration' : 'live migration'
}

function reachWords(reach: string): string {
  return reach === 'host' ? "this host's OSDs" : 'all of Ceph'
}

/** What tells that a node was worked on: its boot, its kubelet, its system, or the Job or the command that did it. */
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

/** Why it waits, as a sentence of its own. */
function reasonOf(fact: Pick<RunFact, 'values'>): string {
  const reason = factText(fact, 'reason') ?? ''
  return reason === '' ? '' : `${asSentence(reason)} `
}
