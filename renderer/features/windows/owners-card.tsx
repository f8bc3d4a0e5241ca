import { Button, Tag } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { OwnersList, OwnersOfProject } from '../../../shared/domain/batches.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { showToast } from '../../stores/toasts.ts'
import { type Asked, lastRead } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { saveFile } from '../../ui/save-file.ts'

interface Props {
  readonly asked: Asked<OwnersList>
  readonly isCurrent: boolean
  /** The name of the file. */
  readonly fileName: string
  readonly onAgain: () => void
}

/** The owners of instances that wait for them or are powered off, by project, with a message to each. */
export function OwnersCard({ asked, isCurrent, fileName, onAgain }: Props): ReactNode {
  const owners = lastRead(asked)
  return (
    <section className="panel" aria-labelledby="win-owners">
      <div className="win-panel-head spread">
        <h2 id="win-owners">Owners to inform</h2>
        {owners === null || owners.projects.length === 0 ? null : (
          <Button
            size="small"
            text="Save as CSV"
            onClick={() => saveFile(fileName, 'text/csv', new TextEncoder().encode(owners.csv))}
          />
        )}
      </div>
      {asked.kind === 'failed' ? (
        <FailureCallout title="The owners could not be read" failure={asked.failure} onRetry={onAgain} />
      ) : null}
      {owners === null ? (
        asked.kind === 'reading' ? (
          <p className="quiet">Reading instances and projects.</p>
        ) : null
      ) : (
        <div className={isCurrent ? '' : 'win-old'}>
          {owners.projects.length === 0 ? (
            <p className="quiet">No instance of this plan waits for its owner or is powered off.</p>
          ) : null}
          {owners.projects.map(project => (
            <Project key={project.projectId ?? ''} project={project} />
          ))}
          {owners.unreachable.map(words => (
            <p key={words} className="caution">
              {words}
            </p>
          ))}
        </div>
      )}
    </section>
  )
}

function Project({ project }: { readonly project: OwnersOfProject }): ReactNode {
  const { projectId, projectName, instances, message } = project
  const name = projectName ?? projectId ?? 'without a project'
  const copy = () =>
    navigator.clipboard.writeText(message).then(
      () => showToast({ text: `The message to the owners of ${name} was copied.`, tone: 'good' }),
      () => showToast({ text: 'The clipboard could not be written to.', tone: 'caution' }),
    )
  return (
    <details className="win-project">
      <summary>
        <b>{name}</b> <span className="quiet">{counted(instances.length, 'instance')}</span>
      </summary>
      <ul className="win-list">
        {instances.map(({ id, name: instance, node, batch, action, reason }) => (
          <li key={id} title={id}>
            <b>{instance}</b> on {node}
            {batch === null ? '' : `, batch ${batch}`}{' '}
            <Tag minimal style={{ color: `var(--act-${action})` }}>
              {action === 'notify' ? 'waits for its owner' : 'is powered off'}
            </Tag>
            <div className="quiet">{reason}</div>
          </li>
        ))}
      </ul>
      <pre className="win-message">{message}</pre>
      <Button size="small" text="Copy the message" onClick={() => void copy()} />
    </details>
  )
}
