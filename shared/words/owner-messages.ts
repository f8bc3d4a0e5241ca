import { ACTION_TAG_PREFIX, tagOf } from '../domain/instance-tags.ts'
import type { Announcement, OwnedInstance, OwningProject } from '../domain/owners.ts'
import type { MaintenanceWindow } from '../domain/window.ts'
import { zonedText } from '../grammar/times.ts'

export function subjectToOwners({
  cluster,
  title,
  ticket,
}: Pick<MaintenanceWindow, 'cluster' | 'title' | 'ticket'>): string {
  return `Maintenance of cloud ${cluster}: ${title}${ticket === '' ? '' : ` (${ticket})`}`
}

/** The message to an owner: what happens when, to which instances, and what they can do (docs/domain.md A.6). */
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
      ? 'Compute hosts of this cloud will be taken out of service for maintenance. The time will be announced later.'
      : `Compute hosts of this cloud are taken out of service for maintenance between ${zonedText(announced.startsAt, announced.timeZone)} and ${zonedText(announced.endsAt, announced.timeZone)} (${announced.timeZone}).`,
    ...(waiting.length === 0 ? [] : [waitingPart(waiting)]),
    ...(stopping.length === 0 ? [] : [stoppingPart(stopping)]),
    `You decide with one tag per instance, ${ACTION_TAG_PREFIX}ACTION, which members of the project may set. An instance with several of these tags counts as untagged:
${tagOf('live_migrate')}
  it moves to another host while it runs
${tagOf('poweroff')}
  it goes down with its host
${tagOf('notify')}
  its host waits until you have acted`,
    commandsFor(instances),
  ].join('\n\n')
}

function waitingPart(instances: readonly OwnedInstance[]): string {
  return `Waiting for you: stop or delete the instance before its host goes down, or set a tag to say what may be done with it. Until then the maintenance of its host waits.
${instances.map(lineOf).join('\n')}`
}

function stoppingPart(instances: readonly OwnedInstance[]): string {
  return `Powered off together with the node: shut down their services in time, and check them after the maintenance.
${instances.map(lineOf).join('\n')}`
}

function lineOf({ id, name, node, status }: OwnedInstance): string {
  return `- ${name} (${id}), ${status}, on host ${node}`
}

/** Commands for the first instance, ready to copy. */
function commandsFor([first]: readonly OwnedInstance[]): string {
  const id = first?.id ?? 'ID'
  const from = tagOf(first?.action ?? 'notify')
  return `For example, to have ${first?.name ?? 'an instance'} moved (run the first command only if the instance has that tag):
openstack --os-compute-api-version 2.26 server unset --tag ${from} ${id}
openstack --os-compute-api-version 2.26 server set --tag ${tagOf('live_migrate')} ${id}`
}

function labelOf({ projectId, projectName }: Pick<OwningProject, 'projectId' | 'projectName'>): string {
  if (projectId === null) return 'unknown'
  return projectName === null ? projectId : `${projectName} (${projectId})`
}
