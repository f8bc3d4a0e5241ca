import { zonedText } from '../grammar/times.ts'
import type { OwnersOfProject } from './batches.ts'
import { csvOf } from './csv.ts'
import { ACTION_TAG_PREFIX, tagOf } from './instance-tags.ts'

/** When work is announced; null where no window is made yet. */
export interface Announcement {
  readonly startsAt: string
  readonly endsAt: string
  readonly timeZone: string
}

/** An instance whose owner is to be told. */
export type OwnedInstance = OwnersOfProject['instances'][number]

/** Instances of owners project by project: named projects first, in the order of their names; those without a project last. */
export function ownersByProject(
  instances: readonly (OwnedInstance & { readonly projectId: string | null })[],
  nameOf: (projectId: string) => string | null,
  cluster: string,
  announced: Announcement | null,
): readonly OwnersOfProject[] {
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
      return { ...project, instances: listed, message: messageTo(project, listed, cluster, announced) }
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || labelOf(a).localeCompare(labelOf(b), 'en', { numeric: true }))
}

/** The same, one instance a line. */
export function ownersCsv(projects: readonly OwnersOfProject[]): string {
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

function labelOf({ projectId, projectName }: ProjectNamed): string {
  if (projectId === null) return 'not known'
  return projectName === null ? projectId : `${projectName} (${projectId})`
}

/** What an owner is told: what happens when, to which instances, and what they can do about it (docs/domain.md A.6). */
function messageTo(
  project: ProjectNamed,
  instances: readonly OwnedInstance[],
  cluster: string,
  announced: Announcement | null,
): string {
  const waiting = instances.filter(({ action }) => action === 'notify')
  const stopping = instances.filter(({ action }) => action === 'poweroff')
  return [
    `To the owners of project ${labelOf(project)} in cloud ${cluster}`,
    announced === null
      ? 'Compute hosts of this cloud will be taken out of service for maintenance; the time is still to be announced.'
      : `Compute hosts of this cloud are taken out of service for maintenance between ${zonedText(announced.startsAt, announced.timeZone)} and ${zonedText(announced.endsAt, announced.timeZone)} (${announced.timeZone}).`,
    ...(waiting.length === 0 ? [] : [waitingPart(waiting)]),
    ...(stopping.length === 0 ? [] : [stoppingPart(stopping)]),
    `You decide by one tag an instance, ${ACTION_TAG_PREFIX}ACTION, which members of the project may set; an instance with several of them is treated as if it had none:
${tagOf('live_migrate')}
  it is moved to another host while it runs
${tagOf('poweroff')}
  it goes down with its host
${tagOf('notify')}
  its host waits until you acted`,
    commandsFor(instances),
  ].join('\n\n')
}

function waitingPart(instances: readonly OwnedInstance[]): string {
  return `Waiting for you: before its host goes down, stop or delete the instance, or say by its tag what may be done with it. Until then the maintenance of its host does not go on.
${instances.map(lineOf).join('\n')}`
}

function stoppingPart(instances: readonly OwnedInstance[]): string {
  return `Powered off together with the host: shut down what runs in them in good time, and look after them when the maintenance is over.
${instances.map(lineOf).join('\n')}`
}

function lineOf({ id, name, node, status }: OwnedInstance): string {
  return `- ${name} (${id}), ${status}, on host ${node}`
}

/** For the first of them, so that the command can be copied. */
function commandsFor([first]: readonly OwnedInstance[]): string {
  const id = first?.id ?? 'ID'
  const from = tagOf(first?.action ?? 'notify')
  return `For example, so that ${first?.name ?? 'an instance'} is moved (the first command only where it carries that tag):
openstack --os-compute-api-version 2.26 server unset --tag ${from} ${id}
openstack --os-compute-api-version 2.26 server set --tag ${tagOf('live_migrate')} ${id}`
}
