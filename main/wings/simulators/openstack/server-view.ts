import type { Server } from './cloud.ts'
import { hostId } from './ids.ts'
import type { NovaCall } from './nova-call.ts'
import { novaTime, secondsTime } from './times.ts'
import { isServiceAlive } from './world.ts'

const RESIZE_TASKS: ReadonlySet<string> = new Set([
  'resize_prep',
  'resize_migrating',
  'resize_migrated',
  'resize_finish',
])

/** Returns the API's status for vm_state and task_state (nova/api/openstack/common.py). */
export function statusOf(server: Pick<Server, 'vmState' | 'taskState'>): string {
  const { vmState, taskState } = server
  if ((vmState === 'active' || vmState === 'paused') && taskState === 'migrating') return 'MIGRATING'
  if ((vmState === 'active' || vmState === 'stopped') && taskState !== null && RESIZE_TASKS.has(taskState))
    return 'RESIZE'
  if (vmState === 'resized') return taskState === 'resize_reverting' ? 'REVERT_RESIZE' : 'VERIFY_RESIZE'
  return vmState === 'stopped' ? 'SHUTOFF' : vmState.toUpperCase()
}

const WITH_PROGRESS: ReadonlySet<string> = new Set(['ACTIVE', 'RESIZE', 'VERIFY_RESIZE', 'REVERT_RESIZE', 'MIGRATING'])

export function shortView(call: NovaCall, server: Server): unknown {
  return { id: server.id, name: server.name, links: links(call, server) }
}

/** Returns a server of a cell that is down, from the API database alone (2.69); `show` adds the request spec. */
export function partialView(call: NovaCall, server: Server, how: 'list' | 'detail' | 'show'): unknown {
  const base = { id: server.id, status: 'UNKNOWN' }
  if (how === 'list') return { ...base, links: links(call, server) }
  return {
    ...base,
    tenant_id: server.projectId,
    created: secondsTime(server.createdAt),
    links: links(call, server),
    ...(how === 'show'
      ? {
          image: image(call, server),
          flavor: flavor(call, server),
          'OS-EXT-AZ:availability_zone': server.pinnedZone ?? 'UNKNOWN',
          'OS-EXT-STS:power_state': 0,
          user_id: server.userId,
          ...(call.minor >= 71 ? { server_groups: server.groupId === null ? [] : [server.groupId] } : {}),
        }
      : {}),
  }
}

/** Returns a full server, with the fields of the microversion and of the user's rights. `show` is GET of one server. */
export function fullView(call: NovaCall, server: Server, how: 'detail' | 'show'): unknown {
  const { minor, isAdmin } = call
  const { cloud } = call.world
  const from = (version: number, fields: Readonly<Record<string, unknown>>) => (minor >= version ? fields : {})
  const status = statusOf(server)
  const zone = server.host === null ? (server.pinnedZone ?? '') : (cloud.hosts.get(server.host)?.zone ?? '')
  const withFault = (status === 'ERROR' || status === 'DELETED') && server.fault !== null
  return {
    id: server.id,
    name: server.name,
    status,
    tenant_id: server.projectId,
    user_id: server.userId,
    metadata: {},
    hostId: hostId(server.projectId, server.host),
    image: image(call, server),
    flavor: flavor(call, server),
    created: secondsTime(server.createdAt),
    updated: secondsTime(server.updatedAt),
    addresses: addresses(server),
    accessIPv4: '',
    accessIPv6: '',
    links: links(call, server),
    'OS-DCF:diskConfig': 'MANUAL',
    ...(withFault && server.fault !== null
      ? { fault: { code: 500, created: secondsTime(server.fault.createdAt), message: server.fault.message } }
      : {}),
    ...(WITH_PROGRESS.has(status) ? { progress: 0 } : {}),
    'OS-EXT-AZ:availability_zone': zone,
    config_drive: server.hasConfigDrive ? 'True' : '',
    key_name: null,
    'OS-SRV-USG:launched_at': server.launchedAt === null ? null : novaTime(server.launchedAt),
    'OS-SRV-USG:terminated_at': null,
    security_groups: [{ name: 'default' }],
    ...(isAdmin ? extendedAttributes(call, server) : {}),
    'OS-EXT-STS:task_state': server.taskState,
    'OS-EXT-STS:vm_state': server.vmState,
    'OS-EXT-STS:power_state': server.powerState,
    'os-extended-volumes:volumes_attached': server.volumeIds.map(id => ({
      id,
      ...from(3, { delete_on_termination: false }),
    })),
    ...from(16, isAdmin ? { host_status: hostStatus(call, server) } : {}),
    ...from(9, { locked: server.locked }),
    ...from(73, { locked_reason: server.lockedReason }),
    ...from(19, { description: null }),
    ...from(26, { tags: [...server.tags].sort() }),
    ...from(63, { trusted_image_certificates: null }),
    ...from(90, { 'OS-EXT-SRV-ATTR:hostname': server.name }),
    ...(how === 'show' ? from(71, { server_groups: server.groupId === null ? [] : [server.groupId] }) : {}),
    ...from(96, { pinned_availability_zone: server.pinnedZone }),
    ...from(100, {
      scheduler_hints: { ...server.schedulerHints, ...(server.groupId === null ? {} : { group: [server.groupId] }) },
    }),
  }
}

function extendedAttributes(call: NovaCall, server: Server) {
  return {
    'OS-EXT-SRV-ATTR:host': server.host,
    'OS-EXT-SRV-ATTR:instance_name': `instance-${server.number.toString(16).padStart(8, '0')}`,
    'OS-EXT-SRV-ATTR:hypervisor_hostname': server.host,
    ...(call.minor >= 3
      ? {
          'OS-EXT-SRV-ATTR:reservation_id': `r-${server.id.slice(0, 8)}`,
          'OS-EXT-SRV-ATTR:launch_index': 0,
          'OS-EXT-SRV-ATTR:hostname': server.name,
          'OS-EXT-SRV-ATTR:kernel_id': '',
          'OS-EXT-SRV-ATTR:ramdisk_id': '',
          'OS-EXT-SRV-ATTR:root_device_name': '/dev/vda',
          'OS-EXT-SRV-ATTR:user_data': null,
        }
      : {}),
  }
}

/** DOWN (declared), MAINTENANCE (disabled), UP or UNKNOWN (does not report), in that order (nova get_instance_host_status). */
function hostStatus(call: NovaCall, server: Server): string {
  if (server.host === null) return ''
  const { cloud } = call.world
  const service = cloud.services.find(each => each.binary === 'nova-compute' && each.host === server.host)
  if (service === undefined) return 'UNKNOWN'
  if (service.forcedDown) return 'DOWN'
  if (!service.enabled) return 'MAINTENANCE'
  return isServiceAlive(cloud, service) ? 'UP' : 'UNKNOWN'
}

function links(call: NovaCall, server: Server) {
  return [
    { rel: 'self', href: `${call.request.base}/v2.1/servers/${server.id}` },
    { rel: 'bookmark', href: `${call.request.base}/servers/${server.id}` },
  ]
}

/** Nova shows an empty text for a server that boots from a volume. */
function image(call: NovaCall, server: Server) {
  if (server.bootFromVolume) return ''
  const { imageId } = call.world.cloud
  return {
    id: imageId,
    links: [{ rel: 'bookmark', href: `${call.request.base}/images/${imageId}` }],
    ...(call.minor >= 98 ? { properties: server.imageProperties } : {}),
  }
}

function flavor(call: NovaCall, server: Server) {
  const { id, vcpus, ramMib, diskGib, ephemeralGib, name, extraSpecs } = server.flavor
  if (call.minor < 47) return { id, links: [{ rel: 'bookmark', href: `${call.request.base}/flavors/${id}` }] }
  return {
    vcpus,
    ram: ramMib,
    disk: diskGib,
    ephemeral: ephemeralGib,
    swap: 0,
    original_name: name,
    extra_specs: extraSpecs,
  }
}

/** The MAC derives from the server's id, so it never changes. */
function addresses(server: Server) {
  const mac = ['fa', '16', '3e', server.id.slice(0, 2), server.id.slice(2, 4), server.id.slice(4, 6)].join(':')
  return {
    'demo-net': [{ version: 4, addr: server.address, 'OS-EXT-IPS:type': 'fixed', 'OS-EXT-IPS-MAC:mac_addr': mac }],
  }
}
