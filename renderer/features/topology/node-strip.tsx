import { Button, PopoverNext } from '@blueprintjs/core'
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { typedReasonIn } from '../../../shared/domain/disabled-reason.ts'
import { staysOut } from '../../../shared/domain/plan.ts'
import { needsSomebody } from '../../../shared/domain/run-condition.ts'
import { completedAllSteps } from '../../../shared/domain/run-ending.ts'
import { talliesOf } from '../../../shared/domain/run-progress.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { nodeBadge, STATE_WORDS } from '../../../shared/words/actions.ts'
import { movesWords } from '../../../shared/words/instance-counts.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useRuns } from '../../stores/runs.ts'
import { type NodeOut, STAGES, type Stage } from '../../ui/drag/nodes-out.ts'
import { startDrag } from '../../ui/drag/start-drag.ts'
import { subjectOf } from '../../ui/runs/trouble-subject.ts'
import { useRunView } from '../../ui/runs/use-run-view.ts'
import { Age } from '../../ui/when.tsx'
import { useDragRoom } from './drag-room.tsx'
import { useNode, useNodeCount, useNodesOut } from './node-selectors.ts'
import { TakeButton } from './take-button.tsx'
import { useWaitsHere } from './tile-parts.tsx'

interface Props {
  readonly cluster: string
  readonly onOpen: (node: string) => void
}

interface Item {
  readonly out: NodeOut
  readonly stage: Stage
}

/** The width of an item and of the hint at the right. */
const ITEM_PX = 320
const HINT_PX = 320

/** The foot of the map when nothing is dragged: which nodes go out, are out or come back; each is a link, and can be dragged. */
export function NodeStrip({ cluster, onOpen }: Props): ReactNode {
  const out = useNodesOut(cluster)
  const items = useMemo(() => STAGES.flatMap(stage => out[stage].map(each => ({ stage, out: each }))), [out])
  const strip = useRef<HTMLElement>(null)
  const room = useRoomFor(strip)
  const shown = items.length <= room ? items : items.slice(0, Math.max(1, room))
  const rest = items.slice(shown.length)
  const list = (those: readonly Item[]) =>
    those.map(({ out: each, stage }) => (
      <StripItem key={each.name} cluster={cluster} stage={stage} out={each} onOpen={onOpen} />
    ))
  return (
    <section ref={strip} className="topo-strip rigid nowrap row" aria-label="Nodes out of service">
      {items.length === 0 ? <AllInService cluster={cluster} /> : list(shown)}
      {rest.length === 0 ? null : (
        <PopoverNext placement="top" content={<div className="topo-strip-rest column">{list(rest)}</div>}>
          <Button size="small" variant="minimal" text={`${rest.length} more`} />
        </PopoverNext>
      )}
      <span className="topo-strip-hint grow quiet cut">Drag a node to take it out or bring it back</span>
    </section>
  )
}

function AllInService({ cluster }: { readonly cluster: string }): ReactNode {
  const count = useNodeCount(cluster)
  return count === 0 ? null : <span className="topo-strip-all">All {counted(count, 'node')} are in service</span>
}

/** How many items have room beside the hint. */
function useRoomFor(strip: { readonly current: HTMLElement | null }): number {
  const [room, setRoom] = useState(3)
  useEffect(() => {
    const { current } = strip
    if (current === null) return
    const sizes = new ResizeObserver(() => {
      const { clientWidth } = current
      setRoom(Math.max(1, Math.floor((clientWidth - (clientWidth > ITEM_PX + HINT_PX ? HINT_PX : 80)) / ITEM_PX)))
    })
    sizes.observe(current)
    return () => sizes.disconnect()
  }, [strip])
  return room
}

interface ItemProps extends Props, Item {}

/** A node out of service: its state, its name, and the one thing that matters now. Enter opens it, `m` picks it up, a pointer drags it. */
const StripItem = memo(function StripItem({ cluster, stage, out, onOpen }: ItemProps): ReactNode {
  const { controller } = useDragRoom()
  const { name } = out
  const node = useNode(cluster, name)
  const waits = useWaitsHere(cluster, node)
  const run = useRuns(({ list }) => list?.find(({ id }) => id === out.runId) ?? null)
  return (
    <article
      className={`topo-strip-item row ${waits ? 'topo-badge-waits' : `topo-state-${stateOf(stage, node)}`}`}
      aria-label={name}
      onPointerDown={event => {
        if (event.button !== 0 || isControl(event.target)) return
        startDrag({ controller, event: event.nativeEvent, payload: [name] })
      }}
    >
      <span className="badge">{waits ? 'Needs you' : badgeOf(stage, node)}</span>
      <button
        type="button"
        className="topo-strip-name bare"
        data-handle=""
        title={`Open ${name}; drag it, or press m to move it by keys`}
        onClick={() => onOpen(name)}
        onKeyDown={event => {
          if (event.key !== 'm' || event.ctrlKey || event.metaKey || event.altKey) return
          event.preventDefault()
          event.stopPropagation()
          controller.pickUp([name])
        }}
      >
        {name}
      </button>
      {out.gone ? <span className="quiet">no longer in the cloud</span> : null}
      {run !== null && run.endedAt === null ? <RunWords run={run} node={name} waits={waits} /> : null}
      {stage === 'maintenance' ? <Since cluster={cluster} out={out} /> : null}
    </article>
  )
})

function stateOf(stage: Stage, node: NodeView | null): NodeView['state'] {
  return stage === 'maintenance' ? (node?.state ?? 'unknown') : stage
}

function badgeOf(stage: Stage, node: NodeView | null): string {
  return stage === 'maintenance' && node !== null ? nodeBadge(node) : STATE_WORDS[stage]
}

interface RunWordsProps {
  readonly run: RunSummary
  readonly node: string
  readonly waits: boolean
}

/** How far a run is, or what it waits for; a link to it. */
function RunWords({ run, node, waits }: RunWordsProps): ReactNode {
  const view = useRunView(run.id)
  const moves = useMemo(() => (view === null ? null : talliesOf(view).moves), [view])
  const { condition } = run
  const wait = 'waits' in condition ? condition.waits[0] : undefined
  const words =
    waits || needsSomebody(condition)
      ? wait === undefined || view === null
        ? run.summary
        : subjectOf(view, wait).line
      : moves === null || run.node === null
        ? run.summary
        : movesWords(moves)
  const isMoving = !waits && moves !== null && moves.total > 0 && run.node !== null
  return (
    <a
      className="topo-strip-words row quiet cut"
      href={hashOf(clusterRoute(run.cluster, 'history', { runId: run.id }))}
      title={words}
      aria-label={`Open the run on ${node}: ${words}`}
    >
      {isMoving ? (
        <span className="topo-hairline meter">
          <span style={{ width: `${(moves.done / moves.total) * 100}%` }} />
        </span>
      ) : null}
      <span className="cut">{words}</span>
    </a>
  )
}

/** Since when a node is out and who took it out, as far as a run of this console or Nova's reason says; and the way back. */
function Since({
  cluster,
  out: { name, runId, partial },
}: {
  readonly cluster: string
  readonly out: NodeOut
}): ReactNode {
  const node = useNode(cluster, name)
  const run = useRuns(
    ({ list }) =>
      list?.find(
        each => each.cluster === cluster && each.node === name && staysOut(each.kind) && completedAllSteps(each),
      ) ?? null,
  )
  const reason = typedReasonIn(node?.computeService?.disabledReason ?? '')
  return (
    <>
      <span className="topo-strip-words row quiet">
        {partial ? null : run === null || run.endedAt === null ? (
          <span className="cut">{reason}</span>
        ) : (
          <span className="cut">
            <Age at={run.endedAt} />, by {run.operator}
          </span>
        )}
      </span>
      <TakeButton
        cluster={cluster}
        nodes={() => [name]}
        target="leaving"
        text="Bring back…"
        label={`Bring back ${name}…`}
        runId={runId}
      />
    </>
  )
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button:not([data-handle]), a, input, summary') !== null
}
