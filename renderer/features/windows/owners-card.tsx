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
  if (asked.kind === 'failed') {
    return <FailureCallout title="The owners could not be read" failure={asked.failure} onRetry={onAgain} />
  }
  if (owners === null || (owners.projects.length === 0 && owners.unreachable.length === 0)) return null
  const instances = owners.projects.reduce((sum, project) => sum + project.instances.length, 0)
  return (
    <section className={`panel${isCurrent ? '' : ' win-old'}`} aria-labelledby="win-owners">
      <div className="spread">
        <h2 id="win-owners">
          Owners to inform{' '}
          <span className="quiet">
            {counted(owners.projects.length, 'project')}, {counted(instances, 'instance')}
          </span>
        </h2>
        {owners.projects.length === 0 ? null : (
          <Button
            size="small"
            text="Save as CSV"
            onClick={() => saveFile(fileName, 'text/csv', new TextEncoder().encode(owners.csv))}
          />
        )}
      </div>
      {owners.projects.map(project => (
        <Project key={project.projectId ?? ''} project={project} />
      ))}
      {owners.unreachable.map(words => (
        <p key={words} className="caution">
          {words}
        </p>
      ))}
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
              {action === 'notify' ? 'Waits for owner' : 'Stops'}
            </Tag>
            <div className="quiet">{reason}</div>
          </li>
        ))}
      </ul>
      <pre className="win-message quoted">{message}</pre>
      <Button size="small" text="Copy the message" onClick={() => void copy()} />
    </details>
  )
}
