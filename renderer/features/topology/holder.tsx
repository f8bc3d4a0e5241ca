import { PlayIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { useRuns } from '../../stores/runs.ts'
import { useWaitsHere } from './tile-parts.tsx'

/** The run that works on a node, of this console or another. */
export function Holder({ cluster, node }: { readonly cluster: string; readonly node: NodeView }): ReactNode {
  const words = useHolderWords(cluster, node)
  // Its badge and the strip below say what it waits for.
  const waits = useWaitsHere(cluster, node)
  return words === null || waits ? null : (
    <span className="topo-holder" title={words.long}>
      <PlayIcon size={10} />
      <span className="topo-holder-words">{words.short}</span>
    </span>
  )
}

interface HolderWords {
  readonly short: string
  readonly long: string
}

/** The operator who holds a node, in words; null if the node is free. */
export function useHolderWords(cluster: string, { name, heldBy, runId }: NodeView): HolderWords | null {
  const id = heldBy?.runId ?? runId
  const run = useRuns(store => store.list?.find(listed => listed.id === id && listed.cluster === cluster) ?? null)
  if (heldBy === null && runId === null) return null
  if (run !== null) {
    const who = `${run.operator} on ${run.machine}`
    return {
      short: run.summary === '' ? `run by ${who}` : withoutNode(run.summary, name),
      long: `Run ${run.id} by ${who}: ${run.summary}`,
    }
  }
  const who = [heldBy?.operator ?? 'somebody', heldBy?.machine ?? null].filter(part => part !== null).join(' on ')
  const since = heldBy?.since === null || heldBy === null ? '' : ` since ${heldBy.since}`
  if (heldBy?.gone === true) {
    const long = `${name} was held by ${who}${since}. That console is gone (its Lease expired) and left the run unfinished.`
    return { short: `left by ${who}`, long }
  }
  return { short: `held by ${who}`, long: `${name} is held by ${who}${since}; this machine has no journal of the run.` }
}

/** `Move instances`, from `Move instances off cmp-01`: on its own tile a node's name is redundant. */
export function withoutNode(words: string, node: string): string {
  return words.endsWith(` ${node}`) ? words.slice(0, -node.length - 1).replace(/ (?:of|off|from|on|for)$/, '') : words
}
