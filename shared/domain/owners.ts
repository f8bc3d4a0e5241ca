import type { OwnersOfProject } from './batches.ts'
import { csvOf } from './csv.ts'

/** The announced time of the work; null if no window exists yet. */
export interface Announcement {
  readonly startsAt: string
  readonly endsAt: string
  readonly timeZone: string
}

export type OwnedInstance = OwnersOfProject['instances'][number]

export type OwningProject = Omit<OwnersOfProject, 'message'>

/** Named projects first, by name; instances without a project last. */
export function ownersByProject(
  instances: readonly (OwnedInstance & { readonly projectId: string | null })[],
  nameOf: (projectId: string) => string | null,
): readonly OwningProject[] {
  return [...Map.groupBy(instances, ({ projectId }) => projectId)]
    .map(([projectId, own]) => {
      const project = { projectId, projectName: projectId === null ? null : nameOf(projectId) }
      const listed = own
        .map(({ projectId: _, ...instance }) => instance)
        .sort(
          (a, b) =>
            (a.batch ?? 0) - (b.batch ?? 0) ||
            a.node.localeCompare(b.node, 'en', { numeric: true }) ||
            a.name.localeCompare(b.name, 'en', { numeric: true }),
        )
      return { ...project, instances: listed }
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || placeOf(a).localeCompare(placeOf(b), 'en', { numeric: true }))
}

export function ownersCsv(projects: readonly OwningProject[]): string {
  const header = ['project', 'project_id', 'instance', 'instance_id', 'node', 'batch', 'status', 'action', 'reason']
  return csvOf([
    header,
    ...projects.flatMap(({ projectId, projectName, instances }) =>
      instances.map(({ id, name, node, batch, status, action, reason }) => [
        projectName,
        projectId,
        name,
        id,
        node,
        batch,
        status,
        action,
        reason,
      ]),
    ),
  ])
}

type ProjectNamed = Pick<OwnersOfProject, 'projectId' | 'projectName'>

function rankOf({ projectId, projectName }: ProjectNamed): number {
  return projectName !== null ? 0 : projectId !== null ? 1 : 2
}

function placeOf({ projectId, projectName }: ProjectNamed): string {
  return projectName === null ? (projectId ?? '') : `${projectName} (${projectId})`
}
