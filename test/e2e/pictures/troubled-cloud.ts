import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoCloud, startDemoCloud } from '../../../main/wings/simulators/demo-cloud.ts'
import {
  COMPUTE,
  CONTROL,
  computeDaemonSets,
  scenarioNode,
  WITH_AGENT,
} from '../../../main/wings/simulators/scenarios/scenario-objects.ts'

const CONTROLLER = 'ctl-1.management.berlin-adlershof-2.example-operator.net'
/** Hosts as installers with fully qualified names call them. */
export const LONG_HOSTS: readonly [string, string, string] = [
  'compute-general-purpose-01.rack-17.berlin-adlershof-2.example-operator.net',
  'compute-general-purpose-02.rack-17.berlin-adlershof-2.example-operator.net',
  'compute-general-purpose-03.rack-18.berlin-adlershof-2.example-operator.net',
]
const ZONE = 'berlin-adlershof-2-general-purpose'
const FLAVOR = 'm1.small'

/** A small cloud with names as long as some installers make them, and an instance on its first host whose migrations always fail. */
export async function startTroubledCloud(directory: string): Promise<DemoCloud> {
  const cloud = await startDemoCloud(
    {
      name: 'berlin-adlershof-2-production-tenants',
      flavour: 'plain',
      kubernetes: [
        scenarioNode(CONTROLLER, ZONE, CONTROL),
        ...LONG_HOSTS.map(host => scenarioNode(host, ZONE, { ...COMPUTE, ...WITH_AGENT })),
        ...computeDaemonSets(),
      ],
      openstack: {
        region: 'Berlin',
        users: [{ name: 'admin', password: 'embedded-only', project: 'admin', role: 'admin' }],
        flavors: [{ name: FLAVOR, vcpus: 1, ramMib: 2048, diskGib: 20 }],
        hosts: LONG_HOSTS.map(name => ({ name, zone: ZONE, vcpus: 64, memoryMib: 262_144, diskGib: 4000 })),
        controllers: [CONTROLLER],
        servers: LONG_HOSTS.flatMap((host, rack) =>
          Array.from({ length: 4 }, (_, index) => ({
            name: `customer-${rack + 1}-payment-gateway-settlement-worker-production-eu-central-${index + 1}`,
            host,
            flavor: FLAVOR,
          })),
        ),
      },
    },
    { clock: systemClock, directory, speed: 4, production: false },
  )
  cloud.openstack.faults.servers['customer-1-payment-gateway-settlement-worker-production-eu-central-2'] = {
    fail: true,
    stage: 'live',
  }
  return cloud
}
