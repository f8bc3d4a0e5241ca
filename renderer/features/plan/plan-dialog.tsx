import { type ReactNode, useCallback, useState } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import { STATE_WORDS } from '../../../shared/words/actions.ts'
import { nodePlanTitle } from '../../../shared/words/plans.ts'
import { closePlanDialog, type PlanRequest, type PlanWish, usePlanDialog } from '../../stores/plan-dialog.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { Said } from '../../ui/said.tsx'
import { PlanPage } from './plan-page.tsx'
import '../../ui/plan/plan.css'

/** The plan dialog over any screen. Opening it starts nothing. */
export function PlanDialog(): ReactNode {
  const open = usePlanDialog(store => store.open)
  if (open === null) return null
  const wished = open.kind === 'undo' ? `undo ${open.undoes}` : open.kind
  return <OpenPlan key={`${open.cluster} ${wished} ${open.nodes.join(' ')}`} request={open} />
}

function OpenPlan({ request }: { readonly request: PlanRequest }): ReactNode {
  const { cluster, nodes } = request
  const [wish, setWish] = useState<PlanWish>(request)
  const [at, setAt] = useState(0)
  const [started, setStarted] = useState<ReadonlyMap<string, RunSummary>>(new Map())
  const node = nodes[at]
  const onStarted = useCallback(
    (run: RunSummary) => {
      const all = new Map(started).set(planSubject(run), run)
      setStarted(all)
      const next = nextNode(nodes, at, new Set(all.keys()))
      if (next !== null) {
        setAt(next)
        return
      }
      // From now on the live bar shows the run.
      closePlanDialog()
    },
    [started, nodes, at],
  )

  if (node === undefined) return null
  return (
    <PlanPage
      key={node}
      cluster={cluster}
      wish={wish}
      node={node}
      title={<Title words={nodePlanTitle(wish.kind, node)} node={node} />}
      nodes={
        nodes.length < 2 ? null : <PlanNodes cluster={cluster} nodes={nodes} at={at} started={started} onShow={setAt} />
      }
      onKind={kind => setWish({ kind })}
      onStarted={onStarted}
    />
  )
}

/** The title, with the name of the node in mono. */
function Title({ words, node }: { readonly words: string; readonly node: string }): ReactNode {
  const [before = '', after] = words.split(node)
  return after === undefined ? (
    <Said text={words} />
  ) : (
    <>
      <Said text={before} />
      <span className="mono">{node}</span>
      {after}
    </>
  )
}

/** The next node without a started run, after the current one and then from the beginning; null if there is none. */
export function nextNode(nodes: readonly string[], at: number, started: ReadonlySet<string>): number | null {
  const order = [...nodes.keys()].map(step => (at + 1 + step) % nodes.length)
  return order.find(place => !started.has(nodes[place] ?? '')) ?? null
}

interface Props {
  readonly cluster: string
  readonly nodes: readonly string[]
  readonly at: number
  readonly started: ReadonlyMap<string, RunSummary>
  readonly onShow: (at: number) => void
}

/** Nodes brought back together: the operator confirms each, once its work is done. */
function PlanNodes({ cluster, nodes, at, started, onShow }: Props): ReactNode {
  return (
    <nav className="plan-nodes" aria-label="Nodes chosen together">
      <p className="quiet">{nodes.length} nodes; you confirm each separately.</p>
      <ol>
        {nodes.map((node, place) => (
          <li key={node}>
            <button type="button" aria-current={place === at ? 'true' : undefined} onClick={() => onShow(place)}>
              <b>{node}</b>
              <PlannedNode
                cluster={cluster}
                node={node}
                words={started.has(node) ? 'run started' : place === at ? 'this plan' : null}
              />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface StatusProps {
  readonly cluster: string
  readonly node: string
  readonly words: string | null
}

function PlannedNode({ cluster, node, words }: StatusProps): ReactNode {
  const state = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes.get(node)?.state ?? null)
  return <span className="quiet">{words ?? (state === null ? 'unknown' : STATE_WORDS[state])}</span>
}
