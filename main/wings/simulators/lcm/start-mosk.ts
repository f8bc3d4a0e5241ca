import { join } from 'node:path'
import { isUpdatedLast } from '../../../../shared/domain/application-update.ts'
import { ControllerName } from '../../../../shared/domain/maintenance-api.ts'
import { type DemoCloud, type DemoCloudOptions, startDemoCloud } from '../demo-cloud.ts'
import { demoMosk } from '../scenarios/demo-mosk.ts'
import {
  KAAS_GROUP,
  NEXT_MOSK_RELEASE,
  PROJECT_NAMESPACE,
  UPDATE_PLAN_NAME,
} from '../scenarios/demo-mosk-definitions.ts'
import { MOSK_WORKER_GROUPS, moskApplications } from '../scenarios/demo-mosk-kubernetes.ts'
import { MOSK_CONTROL_NODES } from '../scenarios/demo-mosk-names.ts'
import { type ControllersProcess, startControllersProcess, terminalFace } from './controllers-process.ts'
import { createKubeClient } from './kube-client.ts'
import { type LcmUpdate, runScriptedLcm } from './scripted-lcm.ts'

export interface MoskOptions {
  /** Uses Tungsten Fabric instead of Neutron's agents; the default is false. */
  readonly tungstenFabric?: boolean
  /** Runs the application controllers in another process. By default no controller answers. */
  readonly controllers?: boolean
  /** `waits`: LCM starts when its update plan is commenced; `commenced`: at once. Without it there is no LCM. */
  readonly lcm?: 'waits' | 'commenced'
  /** How many compute nodes its controllers release at a time; the default is 1, as the vendor documents (seed 000). */
  readonly computeMax?: number
  readonly lcmNodes?: Pick<LcmUpdate, 'controlNodes' | 'groups'>
}

export interface MoskCloud extends DemoCloud {
  /** Null if no controllers run: they were not requested, or this installation cannot start them. */
  readonly controllers: ControllersProcess | null
  /** Resolves when LCM's update ends or the cloud stops. */
  readonly updated: Promise<void>
}

/** The kubelet version that LCM installs. */
export const NEXT_KUBELET_VERSION = 'v1.37.1'

const UPDATE_PLAN_PATH = `/apis/${KAAS_GROUP}/v1alpha1/namespaces/${PROJECT_NAMESPACE}/clusterupdateplans/${UPDATE_PLAN_NAME}`

/** Starts demo-mosk with the requested in-cluster controllers and the scripted LCM. */
export async function startMosk(
  place: Pick<DemoCloudOptions, 'clock' | 'directory' | 'speed' | 'release'>,
  options: MoskOptions,
): Promise<MoskCloud> {
  const { clock, directory } = place
  const scenario = demoMosk({ tungstenFabric: options.tungstenFabric ?? false })
  const started = await startDemoCloud(scenario, { ...place, production: false })
  const limits = options.computeMax === undefined ? {} : { computeMax: options.computeMax }
  const cloud = {
    ...started,
    cluster: { ...started.cluster, maintenanceApi: { ...started.cluster.maintenanceApi, ...limits } },
  }
  const face = options.controllers === true ? terminalFace() : null
  const { maintenanceApi } = cloud.cluster
  const names = ControllerName.options.filter(name => maintenanceApi.controllers[name] === 'cluster')
  const controllers =
    face === null
      ? null
      : startControllersProcess(clock, face, { ...cloud.cluster, controllers: names }, join(directory, 'controllers'))
  const ending = new AbortController()
  const client = createKubeClient(cloud.kubernetes.kubeconfig())
  const updated =
    options.lcm === undefined
      ? Promise.resolve()
      : runScriptedLcm(
          { clock, client, signal: ending.signal },
          {
            cluster: cloud.cluster.name,
            plan: UPDATE_PLAN_PATH,
            scope: 'os',
            kubeletVersion: NEXT_KUBELET_VERSION,
            version: NEXT_MOSK_RELEASE,
            lastApplications: moskApplications(options.tungstenFabric ?? false).filter(isUpdatedLast),
            controlNodes: MOSK_CONTROL_NODES,
            groups: MOSK_WORKER_GROUPS,
            ...options.lcmNodes,
            commenced: options.lcm === 'commenced',
          },
        )
  // Without a controller process the console may answer: an operator starts its controllers.
  const answeredHere = options.controllers === true && controllers === null
  return {
    ...cloud,
    cluster: answeredHere ? { ...cloud.cluster, maintenanceApi: byConsole(maintenanceApi) } : cloud.cluster,
    controllers,
    updated,
    stop: async () => {
      ending.abort()
      await Promise.all([controllers?.stop(), updated])
      client.close()
      await cloud.stop()
    },
  }
}

type MaintenanceApi = DemoCloud['cluster']['maintenanceApi']

function byConsole(api: MaintenanceApi): MaintenanceApi {
  const { openstack, ceph, tungstenfabric, stacklight } = api.controllers
  const moved = (choice: typeof openstack) => (choice === 'cluster' ? 'console' : choice)
  return {
    ...api,
    controllers: {
      openstack: moved(openstack),
      ceph: moved(ceph),
      tungstenfabric: moved(tungstenfabric),
      stacklight: moved(stacklight),
    },
  }
}
