import { homedir } from 'node:os'
import { type OpenStackSession, openOpenStackSession } from '../../../main/adapters/openstack/keystone-session.ts'
import { createOpenStackPort } from '../../../main/adapters/openstack/openstack-port.ts'
import { systemClock } from '../../../main/clock/clock.ts'
import { resolveCloud } from '../../../main/clusters/clouds-yaml.ts'
import { silentLogger } from '../../../main/log/logger.ts'
import type { OpenStackPort } from '../../../main/ports/openstack.ts'
import { value } from '../../contract/target.ts'
import { LAB_CLOUDS } from '../lab-places.ts'

/** The lab's cloud as our own adapter reaches it: where nothing is judged, because each start of the openstack client takes seconds. */
export interface LabPort {
  readonly session: OpenStackSession
  readonly port: OpenStackPort
}

/** Opens a session of the lab's administrator; whoever opens it closes it. */
export async function openLabPort(): Promise<LabPort> {
  const places = { environment: {}, home: homedir(), currentDirectory: process.cwd() }
  const cloud = value(await resolveCloud({ path: LAB_CLOUDS, cloud: 'lab' }, places))
  const session = value(await openOpenStackSession({ cloud, clock: systemClock, log: silentLogger }))
  return { session, port: createOpenStackPort({ session }) }
}
