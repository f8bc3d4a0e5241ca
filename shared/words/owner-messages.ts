import { ACTION_TAG_PREFIX, tagOf } from '../domain/instance-tags.ts'
import type { Announcement, OwnedInstance, OwningProject } from '../domain/owners.ts'
import type { MaintenanceWindow } from '../domain/window.ts'
import { zonedText } from '../grammar/times.ts'

/** The subject of the message to an owner. */
export function subjectToOwners({
  cluster,
  title,
  ticket,
}: Pick<MaintenanceWindow, 'cluster' | 'title' | 'ticket'>): string {
  return `Maintenance of cloud ${cluster}: ${title}${ticket === '' ? '' : ` (${ticket})`}`
}

/** What an owner is told: what happens when, to which instances, and what they can do about it (docs/domain.md A.6). */
export function messageToOwners(
  { instances, ...project }: OwningProject,
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

function labelOf({ projectId, projectName }: Pick<OwningProject, 'projectId' | 'projectName'>): string {
  if (projectId === null) return 'not known'
  return projectName === null ? projectId : `${projectName} (${projectId})`
}
