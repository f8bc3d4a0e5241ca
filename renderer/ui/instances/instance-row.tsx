// biome-ignore-all lint/a11y/useSemanticElements: only visible rows are drawn, each at its place, which a table cannot do.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its row (aria-activedescendant).

import { DuplicateIcon } from '@blueprintjs/icons'
import { memo, type ReactNode } from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { assertNever } from '../../../shared/domain/must.ts'
import { ACTION_WORDS } from '../../../shared/words/actions.ts'
import { flavorWords, powerWords, sizeWords, statusWords } from '../../../shared/words/instances.ts'
import type { InstanceColumn } from '../../stores/instance-lists.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { MarkedWord, markOfAction } from '../instance-mark.tsx'
import { MoveWords, useInstanceMove } from './instance-moves.tsx'
import { projectName } from './instance-order.ts'
import { InstanceMode } from './mode-select.tsx'
import { NoteCell } from './note-cell.tsx'
import { setMarks } from './set-marks.ts'

interface Props {
  readonly cluster: string
  /** The id of the row in the document. */
  readonly rowId: string
  readonly id: string
  readonly index: number
  readonly top: number
  readonly columns: readonly InstanceColumn[]
  readonly selected: boolean
  readonly current: boolean
}

/** One instance of a list; it draws only its own changes. */
export const InstanceRow = memo(function InstanceRow({
  cluster,
  rowId,
  id,
  index,
  top,
  columns,
  selected,
  current,
}: Props): ReactNode {
  const instance = useViews(store => lastOf(store.byCluster.get(cluster))?.instances.get(id) ?? null)
  return (
    <div
      role="row"
      id={rowId}
      data-id={id}
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={`inst-row${selected ? ' inst-selected' : ''}${current ? ' inst-current' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      {instance === null ? (
        <div role="gridcell" className="quiet" aria-colspan={columns.length + 1}>
          gone
        </div>
      ) : (
        <>
          <div role="gridcell">
            <input
              type="checkbox"
              tabIndex={-1}
              checked={selected}
              readOnly
              data-box={id}
              aria-label={`Select ${instance.name}`}
            />
          </div>
          {columns.map(column => (
            <div role="gridcell" key={column} className={`inst-cell-${column}`}>
              <Cell cluster={cluster} instance={instance} column={column} isTwoLines={!columns.includes('action')} />
            </div>
          ))}
        </>
      )}
    </div>
  )
})

interface CellProps {
  readonly cluster: string
  readonly instance: InstanceView
  readonly column: InstanceColumn
  /** What happens is below the name. */
  readonly isTwoLines: boolean
}

function Cell({ cluster, instance, column, isTwoLines }: CellProps): ReactNode {
  switch (column) {
    case 'name':
      return isTwoLines ? (
        <span className="inst-two-lines">
          <Name instance={instance} />
          <Fate instance={instance} />
        </span>
      ) : (
        <Name instance={instance} />
      )
    case 'id':
      return (
        <button
          type="button"
          className="inst-id bare mono"
          tabIndex={-1}
          data-copy={instance.id}
          title={`${instance.id}\nClick to copy`}
          aria-label={`Copy the id of ${instance.name}`}
        >
          {instance.id.slice(0, 8)}
          <DuplicateIcon size={11} />
        </button>
      )
    case 'project':
      return <Project cluster={cluster} projectId={instance.projectId} />
    case 'node':
      return <Home instance={instance} />
    case 'zone':
      return <Cut text={instance.zone ?? '?'} title={instance.zone ?? 'Nova reports no zone.'} />
    case 'status':
      return (
        <Cut
          text={statusWords(instance)}
          title={`${statusWords(instance)}; ${powerWords(instance.powerState)}`}
          className={instance.status === 'ERROR' ? 'bad' : 'quiet'}
        />
      )
    case 'flavor':
      return (
        <Cut
          text={instance.flavor === null ? '?' : sizeWords(instance.flavor)}
          title={
            instance.flavor === null
              ? 'Its Nova cell does not answer.'
              : `${flavorWords(instance.flavor)}; flavor ${instance.flavor.name}`
          }
        />
      )
    case 'action':
      return <Fate instance={instance} />
    case 'mark':
      return (
        <InstanceMode
          cluster={cluster}
          id={instance.id}
          called={instance.name}
          tabIndex={-1}
          onMode={actions => void setMarks(cluster, [instance.id], actions)}
        />
      )
    case 'notes':
      return <NoteCell cluster={cluster} instance={instance} />
    default:
      return assertNever(column, 'column of a list of instances')
  }
}

function Name({ instance: { id, name } }: { readonly instance: InstanceView }): ReactNode {
  return (
    <button type="button" className="inst-name bare mono inst-cut cut" tabIndex={-1} data-open={id} title={name}>
      {name}
    </button>
  )
}

/** What a maintenance does to an instance; for one that is moving or down, the progress. */
function Fate({ instance: { id, name, action, actionReason } }: { readonly instance: InstanceView }): ReactNode {
  const move = useInstanceMove(id)
  if (move !== null) return <MoveWords name={name} move={move} />
  const mark = markOfAction(action)
  if (mark === null) return <Cut text={ACTION_WORDS[action]} title={actionReason} />
  return (
    <span title={actionReason}>
      <MarkedWord kind={mark} word={ACTION_WORDS[action]} />
    </span>
  )
}

function Project({ cluster, projectId }: { readonly cluster: string; readonly projectId: string | null }): ReactNode {
  const name = useViews(store => projectName(projectId, lastOf(store.byCluster.get(cluster))?.projects ?? NO_PROJECTS))
  return <Cut text={name} title={projectId ?? 'Its Nova cell does not answer.'} />
}

const NO_PROJECTS: ReadonlyMap<string, string> = new Map()

function Home({ instance: { node, host } }: { readonly instance: InstanceView }): ReactNode {
  if (node !== null)
    return <Cut className="mono" text={node} title={host === node || host === null ? node : `${node}, host ${host}`} />
  if (host === null) return <Cut text="no node" title="Nova reports no node for it." className="quiet" />
  return <Cut text={host} title={`Its host ${host} is not a node of this cloud.`} className="caution" />
}

interface CutProps {
  readonly text: string
  readonly title: string
  readonly className?: string
}

function Cut({ text, title, className = '' }: CutProps): ReactNode {
  return (
    <span className={`inst-cut cut ${className}`} title={title}>
      {text}
    </span>
  )
}
