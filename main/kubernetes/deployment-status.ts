import { type DeploymentStatus, MAINTENANCE_GROUP, MAINTENANCE_VERSION } from '../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { listAll } from './list.ts'
import { type RawObject, rawObject, rawText, rawTextOrNull } from './raw.ts'
import { readMetadata } from './read-metadata.ts'
import type { KubernetesSession } from './session.ts'

/** The OpenStackDeploymentStatus of a namespace as far as the maintenance gate reads it (docs/domain.md A.3); null where there is none. */
export async function readDeploymentStatus(
  session: KubernetesSession,
  namespace: string,
  signal?: AbortSignal,
): Promise<Result<DeploymentStatus | null>> {
  const folder = `/apis/${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}/namespaces/${encodeURIComponent(namespace)}`
  const listed = await listAll(session, `${folder}/openstackdeploymentstatuses`, {}, signal)
  if (!listed.ok) return listed.failure.code === 'not-found' ? ok(null) : listed
  const first = listed.value.items[0]
  return ok(first === undefined ? null : deploymentStatusOf(first))
}

/** Health is told a service and, below it, a component: `nova: {compute: {status: Ready}}`. */
function deploymentStatusOf(object: RawObject): DeploymentStatus {
  const status = rawObject(object.status)
  const osdpl = rawObject(status.osdpl)
  const components = Object.entries(rawObject(status.health)).flatMap(([service, parts]) =>
    Object.entries(rawObject(parts)).map(([component, health]) => ({
      name: `${service}/${component}`,
      status: rawText(rawObject(health).status) || 'Unknown',
    })),
  )
  return {
    name: readMetadata(object).name,
    state: rawText(osdpl.state),
    controllerVersion: rawTextOrNull(osdpl.controller_version),
    components,
  }
}
