import type { ControllersStatus } from '../contract/maintenance.ts'
import type { ControllerChoice, ControllerName } from '../domain/maintenance-api.ts'

/** The applications whose controllers answer maintenance requests. */
export const CONTROLLER_WORDS: Readonly<Record<ControllerName, string>> = {
  openstack: 'OpenStack',
  ceph: 'Ceph',
  tungstenfabric: 'Tungsten Fabric',
  stacklight: 'StackLight',
}

/** Who answers for an application. */
export const CHOICE_WORDS: Readonly<Record<ControllerChoice, string>> = {
  cluster: 'a controller in the cluster',
  console: 'Lockkeeper',
  none: 'nobody: there is none',
}

/** Whether our controllers run, and where. */
export function standingWords({ state, heldBy }: ControllersStatus): string {
  switch (state) {
    case 'here':
      return 'Our controllers run in this console.'
    case 'elsewhere':
      return `Our controllers run elsewhere${heldBy === null ? '' : `: ${heldBy}`}.`
    case 'stopped':
      return 'Our controllers do not run: nobody answers for them.'
    case 'not-used':
      return 'No application is answered for by Lockkeeper.'
  }
}
