import { Button } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import { memo, type ReactNode } from 'react'
import { typedReasonIn } from '../../../shared/domain/disabled-reason.ts'
import { staysOut } from '../../../shared/domain/plan.ts'
import { completedAllSteps } from '../../../shared/domain/run-ending.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { nodeBadge, STATE_WORDS } from '../../../shared/words/actions.ts'
import { yetToLeave } from '../../geometry/instance-chips.ts'
import { useRuns } from '../../stores/runs.ts'
import type { DockColumn, DockedNode } from '../../ui/drag/dock-contents.ts'
import { startDrag } from '../../ui/drag/start-drag.ts'
import { RunProgress } from '../../ui/runs/run-progress.tsx'
import { Age, When } from '../../ui/when.tsx'
import { useDragRoom } from './drag-room.tsx'
import { unqueue } from './node-actions.ts'
import { useNode } from './node-selectors.ts'
import { TakeButton } from './take-button.tsx'

interface Props {
  readonly cluster: string
  readonly column: DockColumn
  readonly docked: DockedNode
  readonly position: number
  readonly onOpen: (node: string) => void
}

/** A node in the dock. Its name is its handle: Enter opens it, `m` picks it up, a pointer drags the card. */
export const DockCard = memo(function DockCard(props: Props): ReactNode {
  const { cluster, column, docked, onOpen } = props
  const { controller } = useDragRoom()
  const { name } = docked
  return (
    <article
      className={`topo-card${docked.partial ? ' topo-card-partial' : ''}${docked.gone ? ' topo-card-gone' : ''}`}
      aria-label={name}
      onPointerDown={event => {
        if (event.button !== 0 || isControl(event.target)) return
        startDrag({ controller, event: event.nativeEvent, payload: { kind: 'docked', column, node: name } })
      }}
    >
      <div className="topo-card-head row wrap">
        {column === 'queue' ? <span className="topo-card-order">{props.position + 1}</span> : null}
        <Handle column={column} name={name} onOpen={onOpen} />
        <Buttons {...props} />
      </div>
      {docked.gone ? <p className="topo-card-line">It is no longer in the cloud.</p> : null}
      {docked.runId === null || column === 'queue' ? (
        <Status cluster={cluster} column={column} name={name} />
      ) : (
        <RunProgress runId={docked.runId} node={name} />
      )}
    </article>
  )
})

interface HandleProps {
  readonly column: DockColumn
  readonly name: string
  readonly onOpen: (node: string) => void
}

/** The name of a docked node: a press opens the node, and `m` picks it up. */
function Handle({ column, name, onOpen }: HandleProps): ReactNode {
  const { controller } = useDragRoom()
  return (
    <button
      type="button"
      className="topo-card-name cut"
      data-handle=""
      title={`Open ${name}; drag it, or press m to move it by keys`}
      onClick={() => onOpen(name)}
      onKeyDown={event => {
        if (event.key !== 'm' || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        event.stopPropagation()
        controller.pickUp({ kind: 'docked', column, node: name })
      }}
    >
      {name}
    </button>
  )
}

/** A node in the folded dock: its name, and the one thing that matters now. */
export const DockPill = memo(function DockPill({
  cluster,
  column,
  docked,
  onOpen,
}: Omit<Props, 'position'>): ReactNode {
  const { controller } = useDragRoom()
  const node = useNode(cluster, docked.name)
  return (
    <article
      className={`topo-pill row topo-pill-${column}${docked.partial ? ' topo-pill-partial' : ''}${node === null ? '' : ` topo-state-${node.state}`}`}
      aria-label={docked.name}
      onPointerDown={event => {
        if (event.button !== 0 || isControl(event.target)) return
        startDrag({ controller, event: event.nativeEvent, payload: { kind: 'docked', column, node: docked.name } })
      }}
    >
      <Handle column={column} name={docked.name} onOpen={onOpen} />
      <PillWords cluster={cluster} column={column} docked={docked} />
    </article>
  )
})

function PillWords({ cluster, column, docked }: Omit<Props, 'position' | 'onOpen'>): ReactNode {
  const node = useNode(cluster, docked.name)
  const since = useInMaintenanceSince(cluster, docked.name)
  if (docked.gone) return <span className="topo-pill-words">not in the cloud</span>
  if (docked.partial) return <PillBadge words={node === null ? 'partly out' : nodeBadge(node).toLowerCase()} />
  if (column === 'maintenance') {
    return since === null ? null : (
      <span className="topo-pill-words">
        <Age at={since} />
      </span>
    )
  }
  // What is still on it is known; only the run knows how many there were.
  if (column !== 'entering' || node?.instances == null) return null
  return <span className="topo-pill-words">{yetToLeave(node.instances)} to leave</span>
}

/** The badge of a node that is partly out of service; a narrow pill shows the rest of it on hover. */
function PillBadge({ words }: { readonly words: string }): ReactNode {
  return (
    <span className="topo-pill-words" title={words}>
      {words}
    </span>
  )
}

/** Since when a node is in maintenance by a run of this console; null if unknown. */
function useInMaintenanceSince(cluster: string, name: string): string | null {
  return useRuns(
    store =>
      store.list?.find(
        run => run.cluster === cluster && run.node === name && staysOut(run.kind) && completedAllSteps(run),
      )?.endedAt ?? null,
  )
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button:not([data-handle]), a, input, summary') !== null
}

function Buttons({ cluster, column, docked, position }: Props): ReactNode {
  const take = { cluster, nodes: () => [docked.name], runId: docked.runId }
  if (column === 'queue') {
    return (
      <>
        {position === 0 && !docked.gone ? <TakeButton {...take} target="entering" text="See plan…" /> : null}
        <Button
          size="small"
          variant="minimal"
          icon={<CrossIcon />}
          aria-label={`Take ${docked.name} out of the queue`}
          onClick={() => unqueue(cluster, [docked.name])}
        />
      </>
    )
  }
  if (column !== 'maintenance') return null
  return (
    <>
      {docked.partial ? (
        <TakeButton {...take} target="entering" text="Take out…" label={`Take ${docked.name} out of service…`} />
      ) : null}
      <TakeButton {...take} target="leaving" text="Bring back…" label={`Bring ${docked.name} back into service…`} />
    </>
  )
}

interface StatusProps {
  readonly cluster: string
  readonly column: DockColumn
  readonly name: string
}

/** Why a node is in its column, since when, and what is still on it. */
function Status({ cluster, column, name }: StatusProps): ReactNode {
  const node = useNode(cluster, name)
  const since = useInMaintenanceSince(cluster, name)
  if (node === null) return null
  if (column === 'queue') {
    return node.state === 'active' ? null : (
      <p className="topo-card-line">{`${STATE_WORDS[node.state]}. ${node.stateReason}`}</p>
    )
  }
  const reason = typedReasonIn(node.computeService?.disabledReason ?? '')
  const left = [
    ...(node.instances === null || node.instances.total === 0 ? [] : [counted(node.instances.total, 'instance')]),
    ...(node.pods === null || node.pods === 0 ? [] : [counted(node.pods, 'pod')]),
  ]
  return (
    <>
      <p className="topo-card-line">
        {node.state === 'partial' || node.verdict?.kind === 'NotEmpty' ? (
          <b className="caution">{nodeBadge(node)}. </b>
        ) : null}
        {node.stateReason}
      </p>
      <p className="topo-card-line quiet">
        {since !== null && node.state === 'maintenance' ? (
          <>
            Since <When at={since} />
            {'. '}
          </>
        ) : null}
        {left.length === 0 ? '' : `On it: ${left.join(', ')}.`}
        {reason === '' || node.stateReason.includes(reason) ? '' : ` Reason: ${reason}`}
      </p>
    </>
  )
}
