import {
  announcedApplications,
  FIRST_APPLICATIONS,
  REQUEST_APPLICATIONS_ANNOTATION,
} from '../../../../shared/domain/application-update.ts'
import { MAINTENANCE_GROUP, MAINTENANCE_VERSION } from '../../../../shared/domain/maintenance-api.ts'
import { listAt, recordAt, textAt } from '../kubernetes/store/json.ts'
import { moskChart, PROJECT_NAMESPACE } from '../scenarios/demo-mosk-definitions.ts'
import { MAINTENANCE_PATH, type NodeWork, updateNode } from './lcm-node.ts'
import { type LcmParts, LcmStopped, until } from './lcm-parts.ts'
import { commenceAll, createUpdateSteps } from './update-steps.ts'

interface LcmGroup {
  readonly name: string
  readonly nodes: readonly string[]
  readonly concurrentUpdates: number
}

/** The update that LCM performs. */
export interface LcmUpdate extends NodeWork {
  readonly cluster: string
  readonly plan: string
  readonly controlNodes: readonly string[]
  readonly groups: readonly LcmGroup[]
  /** Applications that are updated at the end, after OpenStack and Ceph. */
  readonly lastApplications: readonly string[]
  readonly version: string
  /** Starts without waiting until an operator commences the steps. */
  readonly commenced: boolean
}

/** Plays LCM: once the update plan is commenced, it does the five phases of an update with API requests only (seed 003). Application controllers run elsewhere. */
export async function runScriptedLcm(parts: LcmParts, update: LcmUpdate): Promise<void> {
  try {
    if (update.commenced) await commenceAll(parts, update.plan)
    await perform(parts, update)
  } catch (thrown) {
    if (!(thrown instanceof LcmStopped)) throw thrown
  }
}

async function perform(parts: LcmParts, update: LcmUpdate): Promise<void> {
  const steps = createUpdateSteps(parts, update.plan)
  const request = `${MAINTENANCE_PATH}/clustermaintenancerequests/lcm-${update.cluster}`
  const deploy = (name: string) => startApplication(parts, name, update.version)
  const deployed = (name: string) => untilDeployed(parts, name, update.version)
  await steps.run('openstack', async () => {
    await requestClusterMaintenance(parts, update)
    await deploy('openstack')
    await deployed('openstack')
    await untilClusterLocks(parts, 'inactive', controller => controller === 'openstack')
  })
  await steps.run('ceph', async () => {
    await deploy('ceph')
    await deployed('ceph')
    await untilClusterLocks(parts, 'inactive', () => true)
  })
  await steps.run('k8s-controllers', () => updateAll(parts, update.controlNodes, 1, update))
  for (const { name, nodes, concurrentUpdates } of update.groups) {
    await steps.run(`k8s-workers-${name}`, () => updateAll(parts, nodes, concurrentUpdates, update))
  }
  await steps.run('mcc-components', async () => {
    for (const name of update.lastApplications) await deploy(name)
    for (const name of update.lastApplications) await deployed(name)
    await until(parts, async () => [200, 404].includes((await parts.client.remove(request)).status))
    await until(parts, async () => (await parts.client.get(request)).status === 404)
    await untilClusterLocks(parts, 'active', () => true)
  })
  await steps.finish()
}

const BUNDLES = `/apis/${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}/namespaces/${PROJECT_NAMESPACE}/helmbundles`

/** Returns how to see that OpenStack and Ceph are updated. */
function firstApplications({ version }: LcmUpdate) {
  return FIRST_APPLICATIONS.map(application => ({
    application,
    finished: {
      kind: 'field' as const,
      object: {
        apiVersion: `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`,
        kind: 'HelmBundle',
        namespace: PROJECT_NAMESPACE,
        name: application,
      },
      path: `status.releaseStatuses.${application}.version`,
      equals: version,
    },
  }))
}

/** Gives the application's bundle its new version, and waits until its operator has seen it. */
async function startApplication(parts: LcmParts, name: string, version: string): Promise<void> {
  const path = `${BUNDLES}/${name}`
  const spec = { releases: [moskChart(name, version)] }
  await until(parts, async () => (await parts.client.patch(path, { spec })).status === 200)
  await until(parts, async () => {
    const { body } = await parts.client.get(path)
    const { status, version: now } = recordAt(body, 'status', 'releaseStatuses', name)
    return status === 'DEPLOYING' || now === version
  })
}

async function untilDeployed(parts: LcmParts, name: string, version: string): Promise<void> {
  await until(parts, async () => {
    const { body } = await parts.client.get(`${BUNDLES}/${name}`)
    return textAt(body, 'status', 'releaseStatuses', name, 'version') === version
  })
}

async function requestClusterMaintenance(parts: LcmParts, update: LcmUpdate): Promise<void> {
  await until(parts, async () => {
    const created = await parts.client.create(`${MAINTENANCE_PATH}/clustermaintenancerequests`, {
      apiVersion: `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`,
      kind: 'ClusterMaintenanceRequest',
      metadata: {
        name: `lcm-${update.cluster}`,
        // Without this annotation a controller would release its lock before its application's update.
        annotations: { [REQUEST_APPLICATIONS_ANNOTATION]: announcedApplications(firstApplications(update)) },
      },
      spec: { scope: update.scope },
    })
    return created.status === 201 || created.status === 409
  })
}

async function untilClusterLocks(
  parts: LcmParts,
  state: 'active' | 'inactive',
  counts: (controller: string) => boolean,
): Promise<void> {
  await until(parts, async () => {
    const { status, body } = await parts.client.get(`${MAINTENANCE_PATH}/clusterworkloadlocks`)
    const locks = listAt(body, 'items').filter(lock => counts(textAt(lock, 'spec', 'controllerName') ?? ''))
    // No controller has answered yet; LCM waits for them.
    return status === 200 && locks.length > 0 && locks.every(lock => textAt(lock, 'status', 'state') === state)
  })
}

/** Updates the nodes in order, `atOnce` at a time. */
async function updateAll(parts: LcmParts, nodes: readonly string[], atOnce: number, work: NodeWork): Promise<void> {
  const waiting = [...nodes]
  const lane = async (): Promise<void> => {
    for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) await updateNode(parts, node, work)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, nodes.length) }, lane))
}
