import { memo, type ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { counted } from '../../../shared/grammar/counts.ts'

interface Props {
  readonly name: string
  /** Null if unknown so far. */
  readonly node: NodeView | null
  readonly isGone: boolean
  readonly isSelected: boolean
  readonly isDragged: boolean
  /** Tab reaches only one of the cards. */
  readonly isFocusable: boolean
  readonly trouble: 'hard' | 'soft' | null
  /** What blocks its plan, in short; null if nothing does. */
  readonly blocked: string | null
  readonly whyLeft: string | null
  readonly onFocus: (name: string) => void
  readonly onToggle: (name: string) => void
  readonly onPress: (event: PointerEvent, name: string) => void
}

const TROUBLE_WORDS = { hard: 'breaks a rule', soft: 'not as wished' } as const

export const BatchCard = memo(function BatchCard(props: Props): ReactNode {
  const {
    name,
    node,
    isGone,
    isSelected,
    isDragged,
    isFocusable,
    trouble,
    blocked,
    whyLeft,
    onFocus,
    onToggle,
    onPress,
  } = props
  const facts = node === null ? [] : [node.roles.join(', '), node.zone ?? '', instancesOf(node)]
  return (
    <li>
      <button
        type="button"
        className="win-card bare breaks full block"
        data-card={name}
        data-trouble={trouble ?? undefined}
        data-dragged={isDragged}
        aria-pressed={isSelected}
        tabIndex={isFocusable ? 0 : -1}
        onFocus={() => onFocus(name)}
        onClick={event => {
          if (event.ctrlKey || event.metaKey) onToggle(name)
        }}
        onPointerDown={event => {
          if (event.button === 0 && !event.ctrlKey && !event.metaKey) onPress(event.nativeEvent, name)
        }}
      >
        <b className="mono">{name}</b>
        {trouble === null ? null : <span className="visually-hidden">, {TROUBLE_WORDS[trouble]}, </span>}
        <span className="small quiet block">
          {isGone ? 'not in the cloud' : facts.filter(part => part !== '').join(' · ')}
        </span>
        {blocked === null ? null : <span className="small block bad">{blocked}</span>}
        {whyLeft === null ? null : <span className="small block">{whyLeft}</span>}
      </button>
    </li>
  )
})

function instancesOf({ instances }: NodeView): string {
  return instances === null || instances.total === 0 ? '' : counted(instances.total, 'instance')
}
