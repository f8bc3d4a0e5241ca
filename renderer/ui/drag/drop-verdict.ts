import type { PlannedNodeRunKind } from '../../../shared/domain/plan.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import type { NodeOut, NodesOut } from './nodes-out.ts'

/** The zones of a drag: taking nodes out of service, and bringing them back. */
export const DROP_ZONES = ['entering', 'leaving'] as const
export type DropZone = (typeof DROP_ZONES)[number]

/** What a drop would do: it opens a plan, and starts nothing. `words`: what is left out, or why nothing can be done. */
export type DropVerdict =
  | {
      readonly kind: 'plan'
      readonly run: PlannedNodeRunKind
      readonly nodes: readonly string[]
      readonly words: string
    }
  | { readonly kind: 'refused'; readonly words: string }

/** Shortened names of nodes: `cmp-01`, `cmp-01 and cmp-02`, `cmp-01 and 2 more`. */
export function briefly(names: readonly string[]): string {
  const [first = '', ...rest] = names
  return rest.length < 2 ? listed(names) : `${first} and ${rest.length} more`
}

/** Judges a drop by the current stages of the nodes. */
export function judgeDrop(nodes: readonly string[], zone: DropZone, out: NodesOut): DropVerdict {
  const { fit, unfit } = zone === 'entering' ? whoGoesOut(nodes, out) : whoComesBack(nodes, out)
  if (fit.length === 0) return { kind: 'refused', words: unfit.join(' ') }
  return {
    kind: 'plan',
    run: zone === 'entering' ? 'enter' : 'leave',
    nodes: fit,
    words: unfit.length === 0 ? '' : `Left out: ${unfit.join(' ')}`,
  }
}

interface Divided {
  readonly fit: readonly string[]
  /** Why not, in words. */
  readonly unfit: readonly string[]
}

/** A node that is partly out of service may go either way. */
function whoGoesOut(nodes: readonly string[], out: NodesOut): Divided {
  const { free, unfit } = divide(nodes, out)
  const resting = among(
    free,
    out.maintenance.filter(({ partial }) => !partial),
  )
  return {
    fit: free.filter(name => !resting.includes(name)),
    unfit: [...unfit, ...say(resting, 'already in maintenance.')],
  }
}

function whoComesBack(nodes: readonly string[], out: NodesOut): Divided {
  const { free, unfit } = divide(nodes, out)
  const fit = among(free, out.maintenance)
  return {
    fit,
    unfit: [
      ...unfit,
      ...say(
        free.filter(name => !fit.includes(name)),
        'in service.',
      ),
    ],
  }
}

/** The nodes on which no run works and that are still there, and why the others are left out. */
function divide(
  nodes: readonly string[],
  out: NodesOut,
): { readonly free: readonly string[]; readonly unfit: readonly string[] } {
  const entering = among(nodes, out.entering)
  const leaving = among(nodes, out.leaving)
  const gone = nodes.filter(name => out.decommissioned.includes(name))
  const left = new Set([...entering, ...leaving, ...gone])
  return {
    free: nodes.filter(name => !left.has(name)),
    unfit: [
      ...say(entering, 'going out in a run. Open the run to pause or stop it.'),
      ...say(leaving, 'coming back in a run. Open the run to pause or stop it.'),
      ...say(gone, 'no longer in the cloud.'),
    ],
  }
}

function among(nodes: readonly string[], out: readonly NodeOut[]): readonly string[] {
  const names = new Set(out.map(({ name }) => name))
  return nodes.filter(name => names.has(name))
}

function say(names: readonly string[], what: string): readonly string[] {
  return names.length === 0 ? [] : [`${briefly(names)} ${names.length === 1 ? 'is' : 'are'} ${what}`]
}
