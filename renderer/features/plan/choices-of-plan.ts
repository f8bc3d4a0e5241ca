import { isNodeRun, type MaintenanceScope, type Plan, type StepRole, takesOut } from '../../../shared/domain/plan.ts'

type OfPlan = Pick<Plan, 'kind' | 'flavour' | 'steps' | 'options'>

/** The groups of choices that apply to a node, from its roles and the steps of its plan. */
interface ChoicesOffered {
  /** How it is emptied and which kinds of moves are allowed. */
  readonly moving: boolean
  /** How many migrations at a time and how often each is tried: where Lockkeeper uses Nova. */
  readonly migrating: boolean
  readonly storage: boolean
}

/**
 * The choices when a node is taken out of service with a scope. Under flavour `mosk` the cluster's controllers move instances and
 * protect disks.
 */
export function choicesOffered(plan: OfPlan, scope: MaintenanceScope): ChoicesOffered {
  const own = plan.flavour !== 'mosk'
  const moving = own && scope === 'os' && hasRole(plan, 'compute')
  return {
    moving,
    migrating: own && scope === 'os' && (plan.options.strategy !== 'watcher' || plan.options.novaForRest),
    storage: own && hasRole(plan, 'storage'),
  }
}

/** The choices when a node comes back. */
export function choicesOnReturn(plan: OfPlan): {
  readonly spreading: boolean
  readonly waiting: boolean
  readonly starting: boolean
  readonly homing: boolean
} {
  const own = plan.flavour !== 'mosk'
  return {
    spreading: own && plan.options.strategy === 'watcher' && hasRole(plan, 'compute'),
    waiting: own && hasRole(plan, 'storage'),
    homing: plan.steps.some(({ kind }) => GIVES_COMPUTE_BACK.has(kind)),
    starting: plan.steps.some(({ kind }) => kind === 'instances-return'),
  }
}

/** Steps after which Nova may schedule onto the node again: instances return only then. */
const GIVES_COMPUTE_BACK: ReadonlySet<string> = new Set(['enable-compute', 'compute-given-back'])

/** Steps that move instances of a plan that does not empty a node, with the chosen number at a time. */
const MOVES_SO_MANY: ReadonlySet<string> = new Set(['bring-home', 'rescue-instances'])

/** Whether Watcher's action plan empties the node. */
export function isByWatcher({ kind, flavour, options }: OfPlan): boolean {
  return (
    isNodeRun(kind) && takesOut(kind) && flavour !== 'mosk' && options.scope === 'os' && options.strategy === 'watcher'
  )
}

function hasRole({ steps }: OfPlan, wanted: StepRole): boolean {
  return steps.some(({ role }) => role === wanted)
}

/** The choices that differ from the usual, and how many move at a time, in a line. */
export function optionsInWords({ kind, options, steps }: OfPlan): string {
  const atOnce = options.concurrency === 1 ? 'one at a time' : `${options.concurrency} at a time`
  if (!isNodeRun(kind) || !takesOut(kind)) {
    return steps.some(step => MOVES_SO_MANY.has(step.kind)) ? atOnce : ''
  }
  return [
    options.scope === 'os' ? atOnce : 'instances stay',
    ...(options.stopOsds ? ['OSDs stop'] : []),
    ...(options.deleteEmptyDirData ? ['emptyDir data is deleted'] : []),
  ].join(', ')
}
