import { ContextMenuPopover, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { BlankIcon, TickIcon } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useRef } from 'react'
import { MAINTENANCE_ACTIONS, type MaintenanceAction } from '../../../shared/domain/instance-tags.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { MARK_WORDS } from '../../../shared/words/actions.ts'
import { marksWords } from '../../../shared/words/instances.ts'
import { sameMarks } from '../../stores/edits.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { walkMenu } from '../walk-menu.ts'
import { setMarks } from './set-marks.ts'

/** An open menu, its instances and its place. */
export interface OpenMarkMenu {
  readonly ids: readonly string[]
  readonly left: number
  readonly top: number
}

interface Props {
  readonly cluster: string
  readonly open: OpenMarkMenu | null
  readonly onClose: () => void
}

/** The migration modes that instances may be set to; the current one is ticked. */
export function MarkMenu({ cluster, open, onClose }: Props): ReactNode {
  return (
    <ContextMenuPopover
      isOpen={open !== null}
      isDarkTheme={document.documentElement.dataset.theme === 'dark'}
      targetOffset={open === null ? undefined : { left: open.left, top: open.top }}
      onClose={onClose}
      content={open === null ? <Menu /> : <Items cluster={cluster} ids={open.ids} />}
    />
  )
}

const CHOICES: readonly (readonly MaintenanceAction[])[] = [
  ...MAINTENANCE_ACTIONS.toSorted().map(action => [action]),
  [],
]

function Items({ cluster, ids }: { readonly cluster: string; readonly ids: readonly string[] }): ReactNode {
  const menu = useRef<HTMLUListElement>(null)
  const instances = useViews(store => lastOf(store.byCluster.get(cluster))?.instances ?? null)
  useEffect(() => {
    const frame = requestAnimationFrame(() => walkMenu(menu.current, 'Home'))
    return () => cancelAnimationFrame(frame)
  }, [])
  const chosen = ids.flatMap(id => instances?.get(id) ?? [])
  const only = chosen.length === 1 ? chosen[0] : undefined
  const subject = only?.name ?? counted(ids.length, 'instance')
  return (
    <Menu
      ulRef={menu}
      size="small"
      className="inst-menu"
      aria-label={`Migration mode of ${subject}`}
      onKeyDown={event => {
        if (walkMenu(menu.current, event.key)) event.preventDefault()
      }}
    >
      <MenuDivider title={`Migration mode of ${subject}`} />
      {CHOICES.map(actions => {
        const having = chosen.filter(instance => sameMarks(instance.marks, actions)).length
        const all = having === chosen.length && chosen.length > 0
        return (
          <MenuItem
            key={actions.join() || 'default'}
            icon={all ? <TickIcon title="set now" /> : <BlankIcon />}
            text={<Choice actions={actions} />}
            {...(having > 0 && !all ? { label: `${having} now` } : {})}
            onClick={() => void setMarks(cluster, ids, actions)}
          />
        )
      })}
      {only !== undefined && only.marks.length > 1 ? (
        <li className="inst-menu-note caution">
          {`It has ${marksWords(only.marks)}: Lockkeeper ignores them. Your choice replaces all.`}
        </li>
      ) : null}
    </Menu>
  )
}

function Choice({ actions }: { readonly actions: readonly MaintenanceAction[] }): ReactNode {
  const action = actions[0]
  return (
    <span className="column">
      <b>{action ?? "node's default"}</b>
      <span className="quiet">
        {action === undefined ? 'No mode: the mode of its node decides' : MARK_WORDS[action]}
      </span>
    </span>
  )
}
