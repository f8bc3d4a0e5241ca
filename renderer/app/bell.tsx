import { Button, PopoverNext } from '@blueprintjs/core'
import { NotificationsIcon } from '@blueprintjs/icons'
import { type ReactNode, useMemo, useState } from 'react'
import { counted } from '../../shared/grammar/counts.ts'
import { type NamedTitle, runTitle } from '../../shared/words/runs.ts'
import { clusterRoute, hashOf } from '../stores/route.ts'
import { useRuns } from '../stores/runs.ts'
import { useToasts } from '../stores/toasts.ts'
import type { Need } from '../ui/needs/needs.ts'
import { useNeeds } from '../ui/needs/use-needs.ts'
import { Named } from '../ui/runs/named.tsx'
import { Age } from '../ui/when.tsx'

/** What needs you on any cloud, and what happened lately: how many, which ones, since when, and links to them. */
export function Bell(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { needs, isRead, unread, unreadClouds } = useNeeds()
  const title =
    needs.length > 0
      ? `${counted(needs.length, 'thing needs', 'things need')} you`
      : !isRead
        ? 'Lockkeeper has not read yet what needs you'
        : unreadClouds > 0
          ? unreadWords(unreadClouds)
          : unread.length > 0
            ? 'Nothing needs you. Some sources did not answer.'
            : 'Nothing needs you'
  const close = () => setOpen(false)
  return (
    <PopoverNext
      content={
        <div className="said">
          <Needs needs={needs} isRead={isRead} unread={unread} unreadClouds={unreadClouds} onLeave={close} />
          <Recent onLeave={close} />
        </div>
      }
      placement="bottom-end"
      isOpen={isOpen}
      onInteraction={setOpen}
    >
      <Button variant="minimal" className="bell" icon={<NotificationsIcon />} aria-label={title} title={title}>
        {needs.length === 0 ? null : (
          <span className="bell-count small strong" aria-hidden>
            {needs.length}
          </span>
        )}
      </Button>
    </PopoverNext>
  )
}

interface NeedsProps {
  readonly needs: readonly Need[]
  /** Whether runs, windows and campaigns were read. Until then the bell claims nothing. */
  readonly isRead: boolean
  /** The clusters whose campaigns could not be read. */
  readonly unread: readonly string[]
  readonly unreadClouds: number
  readonly onLeave: () => void
}

/** `3 clouds not read yet`: what is on them may need you. */
function unreadWords(clouds: number): string {
  return `${counted(clouds, 'cloud')} not read yet`
}

function Needs({ needs, isRead, unread, unreadClouds, onLeave }: NeedsProps): ReactNode {
  return (
    <section aria-label="Needs you">
      <h3>Needs you</h3>
      {!isRead ? (
        <p className="quiet">Not read yet.</p>
      ) : unreadClouds > 0 ? (
        <p className="quiet">{unreadWords(unreadClouds)}.</p>
      ) : needs.length === 0 ? (
        <p className="quiet">Nothing needs you.</p>
      ) : null}
      <ul className="plain-list">
        {needs.map(need => (
          <li key={need.key} className="said-need" data-tone={need.tone}>
            <a href={need.href} onClick={onLeave}>
              <Named title={need.title} />
            </a>
            <span className="said-more">
              {need.detail === null ? null : <span>{need.detail}</span>}
              <span className="quiet">
                {need.cluster}
                {need.since === null ? null : (
                  <>
                    {' · '}
                    <Age at={need.since} />
                  </>
                )}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {unread.length === 0 ? null : <p className="caution small">Campaigns could not be read: {unread.join(', ')}.</p>}
    </section>
  )
}

/** How many messages the bell keeps in sight. */
const MOST_RECENT = 12

interface Message {
  readonly key: string
  readonly at: string
  readonly title: NamedTitle
  readonly cluster: string | null
  readonly href: string | null
}

/** Finished runs and messages, newest first. */
function Recent({ onLeave }: { readonly onLeave: () => void }): ReactNode {
  const said = useToasts(store => store.said)
  const runs = useRuns(store => store.list)
  const messages = useMemo(() => {
    const ended = (runs ?? []).flatMap((run): readonly Message[] =>
      run.endedAt === null
        ? []
        : [
            {
              key: `run ${run.id}`,
              at: run.endedAt,
              title: runTitle(run),
              cluster: run.cluster,
              href: hashOf(clusterRoute(run.cluster, 'history', { runId: run.id })),
            },
          ],
    )
    const spoken = said.flatMap(({ id, at, text, isListed }): readonly Message[] =>
      isListed ? [{ key: `toast ${id}`, at, title: [text, '', ''], cluster: null, href: null }] : [],
    )
    return [...ended, ...spoken].toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, MOST_RECENT)
  }, [runs, said])
  if (messages.length === 0) return null
  return (
    <section aria-label="Recent messages">
      <h3>Recent messages</h3>
      <ol className="plain-list">
        {messages.map(({ key, at, title, cluster, href }) => (
          <li key={key}>
            {href === null ? (
              <Named title={title} />
            ) : (
              <a href={href} onClick={onLeave}>
                <Named title={title} />
              </a>
            )}
            <span className="said-more quiet">
              {cluster === null ? null : `${cluster} · `}
              <Age at={at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
