/** Every mark of an instance, in the order of a legend; the shape differs for each, so that no mark needs its colour. */
export const MARK_KINDS = ['moves', 'moving', 'stops', 'off', 'waits', 'blocked', 'left', 'arriving'] as const
export type MarkKind = (typeof MARK_KINDS)[number]

/** The word of each mark in a legend. */
export const LEGEND_WORDS: Readonly<Record<MarkKind, string>> = {
  moves: 'Moves',
  moving: 'Moving now',
  stops: 'Stops',
  off: 'Stays off',
  waits: 'Waits for owner',
  blocked: 'Blocked',
  left: 'Has left',
  arriving: 'Would come here',
}

/** The mark of each action of a plan; `cold_migrate` moves too. An action that is not listed has no mark. */
const MARK_OF_ACTION: Readonly<Partial<Record<string, MarkKind>>> = {
  live_migrate: 'moves',
  cold_migrate: 'moves',
  migrating: 'moving',
  poweroff: 'stops',
  stop: 'stops',
  ignore: 'off',
  notify: 'waits',
  blocked: 'blocked',
}

/** The mark of what a plan does to an instance; null where a plan says nothing about it. */
export function markOfAction(action: string): MarkKind | null {
  return MARK_OF_ACTION[action] ?? null
}

const SHAPES: Readonly<Record<MarkKind, React.JSX.Element>> = {
  moves: <rect width="12" height="12" rx="3" />,
  moving: (
    <>
      <rect className="mark-halo" x="-3" y="-3" width="18" height="18" rx="5" />
      <rect width="12" height="12" rx="3" />
    </>
  ),
  stops: <rect y="6" width="12" height="5" rx="1.5" />,
  off: <circle cx="6" cy="6" r="2.6" />,
  waits: <path d="M6 0 12 6 6 12 0 6Z" />,
  blocked: (
    <>
      <rect className="mark-outline" x="1" y="1" width="10" height="10" rx="2.5" />
      <path className="mark-outline" d="m4 4 4 4m0-4-4 4" />
    </>
  ),
  left: <rect className="mark-dashed" x="0.75" y="0.75" width="10.5" height="10.5" rx="3" />,
  arriving: <rect className="mark-dashed mark-tinted" x="0.75" y="0.75" width="10.5" height="10.5" rx="3" />,
}

/** The mark of an instance, 12 px: the same shape in cards, tables, bars and the legend. A text beside it names it. */
export function InstanceMark({ kind }: { readonly kind: MarkKind }): React.JSX.Element {
  return (
    <svg className={`mark mark-${kind}`} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {SHAPES[kind]}
    </svg>
  )
}

/** A mark and its word, in the mark's colour: what happens to an instance. */
export function MarkedWord({ kind, word }: { readonly kind: MarkKind; readonly word?: string }): React.JSX.Element {
  return (
    <span className={`marked-word mark-${kind}`}>
      <InstanceMark kind={kind} />
      {word ?? LEGEND_WORDS[kind]}
    </span>
  )
}
