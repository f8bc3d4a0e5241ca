import { ContextMenuPopover, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import {
  CubeIcon,
  DuplicateIcon,
  HandUpIcon,
  HistoryIcon,
  LogInIcon,
  LogOutIcon,
  PanelStatsIcon,
  SettingsIcon,
} from '@blueprintjs/icons'
import { type JSX, type ReactNode, useEffect, useRef } from 'react'
import { RUN_KIND_WORDS } from '../../../shared/words/runs.ts'
import { clusterRoute, goTo } from '../../stores/route.ts'
import { useTopology } from '../../stores/topology.ts'
import { briefly, type DropZone } from '../../ui/drag/drop-verdict.ts'
import { walkMenu } from '../../ui/walk-menu.ts'
import { useDragRoom } from './drag-room.tsx'
import { judgeNow, takeTo } from './node-actions.ts'
import { nodesOutNow, useNode } from './node-selectors.ts'
import { say } from './toast-caution.ts'

/** An open menu, its nodes and its place. */
export interface OpenMenu {
  readonly nodes: readonly string[]
  /** The node on which it opened. */
  readonly node: string
  readonly left: number
  readonly top: number
}

interface Props {
  readonly cluster: string
  readonly open: OpenMenu | null
  readonly onClose: () => void
  readonly onOpenPanel: (node: string) => void
}

/** Every action on nodes, including actions by dragging (docs/style.md G32). An impossible action says why. */
export function NodeMenu({ cluster, open, onClose, onOpenPanel }: Props): ReactNode {
  return (
    <ContextMenuPopover
      isOpen={open !== null}
      isDarkTheme={document.documentElement.dataset.theme === 'dark'}
      targetOffset={open === null ? undefined : { left: open.left, top: open.top }}
      onClose={onClose}
      content={open === null ? <Menu /> : <Items cluster={cluster} open={open} onOpenPanel={onOpenPanel} />}
    />
  )
}

type ItemsProps = Omit<Props, 'open' | 'onClose'> & { readonly open: OpenMenu }

function Items({ cluster, open, onOpenPanel }: ItemsProps): ReactNode {
  const { controller } = useDragRoom()
  const menu = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const frame = requestAnimationFrame(() => walkMenu(menu.current, 'Home'))
    return () => cancelAnimationFrame(frame)
  }, [])
  const { nodes } = open
  const take = { cluster, nodes }
  return (
    <Menu
      ulRef={menu}
      size="small"
      className="topo-menu"
      aria-label={`${briefly(nodes)} of ${cluster}`}
      onKeyDown={event => {
        if (walkMenu(menu.current, event.key)) event.preventDefault()
      }}
    >
      <li role="presentation" className="topo-menu-title">
        {briefly(nodes)}
      </li>
      <TakeItem {...take} target="entering" icon={<LogOutIcon />} text={`${RUN_KIND_WORDS.enter}…`} label="e" />
      <TakeItem {...take} target="leaving" icon={<LogInIcon />} text={`${RUN_KIND_WORDS.leave}…`} label="l" />
      <MenuItem
        icon={<HandUpIcon />}
        text="Pick up, to move by keys"
        labelElement={<kbd>m</kbd>}
        onClick={() => controller.pickUp(nodes)}
      />
      <MenuDivider />
      <OpenItems cluster={cluster} open={open} onOpenPanel={onOpenPanel} />
    </Menu>
  )
}

/** Opens or copies what belongs to the node. */
function OpenItems({ cluster, open: { node, nodes }, onOpenPanel }: ItemsProps): ReactNode {
  const computes = useNode(cluster, node)?.roles.includes('compute') ?? false
  const { entering, leaving } = nodesOutNow(cluster)
  const runId = [...entering, ...leaving].find(out => out.name === node && out.runId !== null)?.runId ?? null
  return (
    <>
      <MenuItem
        icon={<PanelStatsIcon />}
        text={`Open ${node}`}
        labelElement={<kbd>Enter</kbd>}
        onClick={() => onOpenPanel(node)}
      />
      {computes ? (
        <MenuItem
          icon={<SettingsIcon />}
          text="Mode of the node…"
          onClick={() => {
            useTopology.setState({ panelTab: 'overview' })
            onOpenPanel(node)
          }}
        />
      ) : null}
      <MenuItem
        icon={<CubeIcon />}
        text="Open instances"
        onClick={() => goTo(clusterRoute(cluster, 'instances', { node }))}
      />
      {runId === null ? null : (
        <MenuItem
          icon={<HistoryIcon />}
          text="Open its run"
          onClick={() => goTo(clusterRoute(cluster, 'history', { runId }))}
        />
      )}
      <MenuItem
        icon={<DuplicateIcon />}
        text={nodes.length === 1 ? 'Copy name' : 'Copy names'}
        onClick={() => {
          navigator.clipboard.writeText(nodes.join('\n')).catch(() => say('The clipboard could not be written to.'))
        }}
      />
    </>
  )
}

interface TakeItemProps {
  readonly cluster: string
  readonly nodes: readonly string[]
  readonly target: DropZone
  readonly icon: JSX.Element
  readonly text: string
  readonly label: string
}

function TakeItem({ cluster, nodes, target, icon, text, label }: TakeItemProps): ReactNode {
  const verdict = judgeNow(cluster, nodes, target)
  const refused = verdict.kind === 'refused'
  return (
    <MenuItem
      icon={icon}
      text={
        refused ? (
          <>
            {text}
            <div className="topo-menu-why">{verdict.words}</div>
          </>
        ) : (
          text
        )
      }
      multiline
      labelElement={<kbd>{label}</kbd>}
      disabled={refused}
      onClick={() => takeTo(cluster, nodes, target)}
    />
  )
}
