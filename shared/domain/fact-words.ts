import type { RunFact as JournaledFact } from './run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  CLUSTER_REQUEST_CREATED,
  CLUSTER_REQUEST_REMOVED,
  COMPUTE_DISABLE_REQUESTED,
  COMPUTE_ENABLE_REQUESTED,
  CONFIRM_REQUESTED,
  CORDON_REQUESTED,
  EVICTION_ACCEPTED,
  EVICTION_REFUSED,
  EVICTION_REQUESTED,
  factName,
  factText,
  INSTANCE_MOVED,
  INSTANCE_SEEN,
  INSTANCE_SETTLED,
  INSTANCE_STARTED,
  INSTANCE_STOPPED,
  INSTANCES_NOTED,
  LOCK_SETTLED,
  LOCK_WAITING,
  MICROCEPH_EXIT_REQUESTED,
  MIGRATION_FAILED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
  MIGRATION_STALLED,
  NODE_BEFORE,
  NODE_WORKED,
  NOOUT_NOTED,
  NOOUT_SET_REQUESTED,
  NOOUT_UNSET_REQUESTED,
  NOT_VERIFIED_YET,
  OPERATOR_ANSWERED,
  OPERATOR_RESUMED,
  OSDS_START_REQUESTED,
  OSDS_STOP_REQUESTED,
  OUTLASTED,
  OUTLASTING,
  OVN_ENABLE_REQUESTED,
  POD_FAILED,
  POD_LEFT,
  percentOf,
  REQUEST_CREATED,
  REQUEST_REMOVED,
  type RunFactName,
  START_REQUESTED,
  STOP_REQUESTED,
  subjectName,
  subjectNameWithId,
  TRY_AGAIN,
  UNCORDON_REQUESTED,
  WAITS_FOR,
  WATCHER_ACTION,
  WATCHER_ACTION_SKIPPED,
  WATCHER_LEFT,
  WATCHER_PLAN_CANCELLED,
  WATCHER_PLAN_MADE,
  WATCHER_PLAN_OVER,
  WATCHER_PLAN_STARTED,
  WORK_JOB_FAILED,
  WORK_JOB_REQUESTED,
} from './run-facts.ts'

/** A fact, wherever it comes from. */
type RunFact = Pick<JournaledFact, 'fact' | 'subject' | 'values'>

/** How an event is to be looked at; `quiet`: only who reads the whole journal wants to know. */
export type EventTone = 'plain' | 'good' | 'caution' | 'bad' | 'quiet'

/** What is said of an event. */
export type Said = readonly [EventTone, string]

/** What a face adds to the words of a fact. */
export interface FactPlace {
  /** The title of the step that told it. */
  readonly title: string
  /** A moment in the future, as the face tells time: `at 12:34:44`, `after 5 min`. Values: the fact's `since` and `until`. */
  readonly asks: (fact: RunFact) => string
  /** How long something is still looked at: `until 12:44:10`, `for 9 min`. Values: the fact's `until` and `leftMs`. */
  readonly limit: (fact: RunFact) => string
}

/** What happened, in a sentence, for the screen and the terminal. A fact of another version that has no words here is shown by its name. */
export function factWords(fact: RunFact, place: FactPlace): Said {
  const name = factName(fact)
  return name === null ? ['quiet', `${subjectName(fact)}: ${fact.fact}`] : WORDS[name](fact, place)
}

const value = (fact: RunFact, key: string) => String(fact.values[key] ?? '')
const why = (fact: RunFact, key = 'why') => (value(fact, key) === '' ? '' : `: ${value(fact, key)}`)
const osds = ({ values }: RunFact) => (Array.isArray(values.osds) ? values.osds.join(', ') : '')
const ceph = (fact: RunFact) =>
  value(fact, 'reach') === 'host' ? `Ceph's host ${fact.subject.replace(/^ceph-host\//, '')}` : 'Ceph'
/** Which plan it is, so that it can be looked up in Watcher. */
const watcherPlan = ({ subject }: RunFact) => `Watcher's action plan ${subject.replace(/^watcher-plan\//, '')}`
const machine = (fact: RunFact) => ['kubeletVersion', 'osImage'].flatMap(key => factText(fact, key) ?? []).join(', ')

/** Every fact there is: one without words does not compile. */
const WORDS: Readonly<Record<RunFactName, (fact: RunFact, place: FactPlace) => Said>> = {
  [MIGRATION_REQUESTED]: fact => [
    'plain',
    `${subjectName(fact)}: ${fact.values.how === 'cold' ? 'cold' : 'live'} migration asked for, attempt ${value(fact, 'attempt')}.`,
  ],
  [CONFIRM_REQUESTED]: fact => ['quiet', `${subjectName(fact)}: arrived, its cold migration is being confirmed.`],
  [STOP_REQUESTED]: fact => ['plain', `${subjectName(fact)}: stop asked for, attempt ${value(fact, 'attempt')}.`],
  [INSTANCE_STOPPED]: fact => ['good', `${subjectName(fact)}: stopped.`],
  [MIGRATION_PROGRESS]: fact => {
    const percent = percentOf(fact)
    const how = percent === null ? value(fact, 'migrationStatus') : `${percent} % of its memory copied`
    return ['quiet', `${subjectName(fact)}: ${how}.`]
  },
  [MIGRATION_STALLED]: fact => [
    'caution',
    `${subjectName(fact)}: the migration stands still. ${value(fact, 'remedy')}`,
  ],
  [INSTANCE_MOVED]: fact => ['good', `${subjectName(fact)}: moved to ${value(fact, 'to')}, ${value(fact, 'status')}.`],
  [MIGRATION_FAILED]: fact => [
    'caution',
    `${subjectName(fact)}: attempt ${value(fact, 'attempt')} failed: ${value(fact, 'why')}`,
  ],
  [ATTEMPTS_EXHAUSTED]: fact => ['bad', `${subjectName(fact)}: given up: ${value(fact, 'why')}`],
  [INSTANCE_SETTLED]: fact => ['plain', `${subjectName(fact)}: need not move: ${value(fact, 'why')}.`],
  [START_REQUESTED]: fact => ['plain', `${subjectName(fact)}: start asked for.`],
  [INSTANCE_STARTED]: fact => ['good', `${subjectName(fact)}: runs again.`],
  [INSTANCES_NOTED]: fact => ['quiet', `${subjectName(fact)}: its instances are noted, to tell where they go.`],
  [INSTANCE_SEEN]: fact => ['quiet', `${subjectName(fact)}: is ${value(fact, 'status')} on ${value(fact, 'host')}.`],
  [EVICTION_REQUESTED]: fact => [
    'quiet',
    `${subjectName(fact)}: eviction asked for, attempt ${value(fact, 'attempt')}.`,
  ],
  [EVICTION_ACCEPTED]: fact => ['quiet', `${subjectName(fact)}: is leaving.`],
  [EVICTION_REFUSED]: fact => ['caution', `${subjectName(fact)}: waits. ${value(fact, 'sentence')}`],
  [POD_LEFT]: fact => ['plain', `${subjectName(fact)}: left.`],
  [POD_FAILED]: fact => ['bad', `${subjectName(fact)}: could not be evicted: ${value(fact, 'message')}`],
  [WAITS_FOR]: fact =>
    fact.values.what === null
      ? ['quiet', `${subjectName(fact)}: need not be waited for any more.`]
      : ['plain', `${subjectName(fact)}: waits for ${value(fact, 'what')}`],
  [OUTLASTING]: (fact, { title, asks }) => [
    'caution',
    `${title}: waits. ${value(fact, 'reason').replace(/\.?$/, '.')} It goes on by itself when that passes, and asks ${asks(fact)}.`,
  ],
  [OUTLASTED]: (fact, { title }) => [
    fact.values.passed === true ? 'good' : 'plain',
    `${title}: ${fact.values.passed === true ? 'goes on' : 'it did not pass by itself'}.`,
  ],
  [NOT_VERIFIED_YET]: (fact, { title, limit }) => [
    'caution',
    `${title}: not verified yet. ${value(fact, 'reason').replace(/\.?$/, '.')} Looked at again ${limit(fact)}.`,
  ],
  [LOCK_WAITING]: fact => [
    value(fact, 'kind') === 'blocked' || value(fact, 'kind') === 'trouble' ? 'caution' : 'plain',
    `${subjectName(fact)}: its lock is ${value(fact, 'state')}${why(fact, 'message') || '.'}`,
  ],
  [LOCK_SETTLED]: fact => ['good', `${subjectName(fact)}: its lock is ${value(fact, 'state')}.`],
  [REQUEST_CREATED]: fact => ['plain', `${subjectName(fact)}: maintenance requested, scope ${value(fact, 'scope')}.`],
  [REQUEST_REMOVED]: fact => [
    'plain',
    `${subjectName(fact)}: maintenance request removed; the controllers bring their applications back.`,
  ],
  [OPERATOR_ANSWERED]: fact => ['quiet', `Answered: ${value(fact, 'choice')}.`],
  [TRY_AGAIN]: fact => ['quiet', `${subjectName(fact)}: its attempts are counted anew.`],
  [OPERATOR_RESUMED]: (_, { title }) => ['quiet', `${title}: what used up its attempts gets one more.`],
  [WATCHER_PLAN_MADE]: fact => [
    'plain',
    `${watcherPlan(fact)} of audit ${value(fact, 'auditUuid')} recommends ${value(fact, 'actions')} actions.`,
  ],
  [WATCHER_PLAN_STARTED]: fact => [
    'plain',
    `${watcherPlan(fact)} of audit ${value(fact, 'auditUuid')} is started for ${value(fact, 'host')}.`,
  ],
  [WATCHER_ACTION_SKIPPED]: fact => [
    'plain',
    `${subjectNameWithId(fact)}: left out of Watcher's plan: ${value(fact, 'why')}`,
  ],
  [WATCHER_ACTION]: fact => [
    ACTION_TONES[value(fact, 'state')] ?? 'plain',
    `${subjectNameWithId(fact)}: Watcher's ${value(fact, 'type')} is ${value(fact, 'state')}${why(fact)}`,
  ],
  [WATCHER_PLAN_CANCELLED]: fact => ['caution', `${watcherPlan(fact)} is cancelled: ${value(fact, 'why')}`],
  [WATCHER_LEFT]: fact => ['caution', `${watcherPlan(fact)} left instances on the host.`],
  [WATCHER_PLAN_OVER]: fact => [
    value(fact, 'failed') === '0' && value(fact, 'notRun') === '0' ? 'good' : 'caution',
    `${watcherPlan(fact)} is over: ${value(fact, 'succeeded')} done, ${value(fact, 'skipped')} skipped, ${value(fact, 'failed')} failed, ${value(fact, 'notRun')} not run.`,
  ],
  // The line of their step says the same to who follows a run; these tell when it was asked for.
  [CORDON_REQUESTED]: fact => ['quiet', `${subjectName(fact)}: cordon asked for.`],
  [UNCORDON_REQUESTED]: fact => ['quiet', `${subjectName(fact)}: uncordon asked for.`],
  [COMPUTE_DISABLE_REQUESTED]: fact => ['quiet', `${computeService(fact)}: disable asked for.`],
  [COMPUTE_ENABLE_REQUESTED]: fact => ['quiet', `${computeService(fact)}: enable asked for.`],
  [OSDS_STOP_REQUESTED]: fact => ['quiet', `${subjectName(fact)}: stop of its OSDs ${osds(fact)} asked for.`],
  [OSDS_START_REQUESTED]: fact => ['quiet', `${subjectName(fact)}: start of its OSDs ${osds(fact)} asked for.`],
  [NOOUT_SET_REQUESTED]: fact => ['quiet', `${ceph(fact)}: noout asked for.`],
  [NOOUT_UNSET_REQUESTED]: fact => ['quiet', `${ceph(fact)}: removal of noout asked for.`],
  [NOOUT_NOTED]: fact => [
    'quiet',
    `${subjectName(fact)}: noted that it ${fact.values.needed === true ? 'needs' : 'no longer needs'} noout of all of Ceph.`,
  ],
  [MICROCEPH_EXIT_REQUESTED]: fact => ['quiet', `${subjectName(fact)}: end of MicroCeph's maintenance asked for.`],
  [OVN_ENABLE_REQUESTED]: fact => [
    'quiet',
    `${fact.subject.replace(/^microovn\//, '')}: MicroOVN's ${value(fact, 'service')} asked to be enabled.`,
  ],
  [CLUSTER_REQUEST_CREATED]: fact => [
    'plain',
    `Maintenance of the whole cluster requested, ${value(fact, 'name')}, scope ${value(fact, 'scope')}.`,
  ],
  [CLUSTER_REQUEST_REMOVED]: fact => [
    'plain',
    `The maintenance request of the whole cluster, ${value(fact, 'name')}, is removed.`,
  ],
  [NODE_BEFORE]: fact => ['quiet', `${subjectName(fact)}: before the work ${machine(fact)}.`],
  [NODE_WORKED]: fact => [
    'good',
    `${subjectName(fact)}: the work is done${factText(fact, 'job') === null ? `, now ${machine(fact)}` : ` by Job ${value(fact, 'job')}`}.`,
  ],
  [WORK_JOB_REQUESTED]: fact => [
    'plain',
    `${nodeOf(fact)}: Job ${value(fact, 'namespace')}/${value(fact, 'name')} asked for, attempt ${value(fact, 'attempt')}.`,
  ],
  [WORK_JOB_FAILED]: fact => ['bad', `${nodeOf(fact)}: Job ${value(fact, 'name')} failed${why(fact, 'message')}`],
}

const ACTION_TONES: Readonly<Record<string, EventTone>> = {
  SUCCEEDED: 'good',
  FAILED: 'bad',
  CANCELLED: 'bad',
  SKIPPED: 'caution',
}

function computeService({ subject }: RunFact): string {
  return `nova-compute of ${subject.replace(/^nova-compute\//, '')}`
}

function nodeOf({ subject }: RunFact): string {
  return subject.replace(/^node\//, '')
}
