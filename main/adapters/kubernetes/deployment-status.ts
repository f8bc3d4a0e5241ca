import type { DeploymentStatus } from '../../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import type { KubernetesObject } from './answers.ts'
import { asObject, objectIn, textIn, textOrNullIn } from './fields.ts'
import { listRead } from './list.ts'
import { readMetadata } from './read-metadata.ts'
import { DEPLOYMENT_STATUSES } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

/** The OpenStackDeploymentStatus of a namespace as far as the maintenance gate reads it (docs/domain.md A.3); null where there is none. */
export async function readDeploymentStatus(
  session: KubernetesSession,
  namespace: string,
  signal?: AbortSignal,
): Promise<Result<DeploymentStatus | null>> {
  const listed = await listRead(session, DEPLOYMENT_STATUSES, deploymentStatusOf, { namespace, signal })
  if (!listed.ok) return listed.failure.code === 'not-found' ? ok(null) : listed
  return ok(listed.value[0] ?? null)
}

/** Health is told a service and, below it, a component: `nova: {compute: {status: Ready}}`. */
function deploymentStatusOf(object: KubernetesObject): DeploymentStatus {
  const status = objectIn(object, 'status')
  const osdpl = objectIn(status, 'osdpl')
  const components = Object.entries(objectIn(status, 'health')).flatMap(([service, parts]) =>
    Object.entries(asObject(parts, `health of ${service}`)).map(([component, health]) => ({
      name: `${service}/${component}`,
      status: textIn(asObject(health, `health of ${component}`), 'status') || 'Unknown',
    })),
  )
  return {
    name: readMetadata(object).name,
    state: textIn(osdpl, 'state'),
    controllerVersion: textOrNullIn(osdpl, 'controller_version'),
    components,
  }
}
