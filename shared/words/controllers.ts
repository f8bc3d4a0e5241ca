import type { ControllersStatus } from '../contract/maintenance.ts'
import type { LeaseHolder } from '../domain/kubernetes.ts'
import type { ControllerChoice, ControllerName } from '../domain/maintenance-api.ts'
import type { RunDriver } from '../domain/run.ts'
import { instantWords } from '../grammar/times.ts'

/** The applications whose controllers answer maintenance requests. */
export const CONTROLLER_WORDS: Readonly<Record<ControllerName, string>> = {
  openstack: 'OpenStack',
  ceph: 'Ceph',
  tungstenfabric: 'Tungsten Fabric',
  stacklight: 'StackLight',
}

export const CHOICE_WORDS: Readonly<Record<ControllerChoice, string>> = {
  cluster: 'a controller in the cluster',
  console: 'Lockkeeper',
  none: 'no controller',
}

/** The holder of the controllers' Lease: `root on bastion-1 since 2026-11-21 10:40:12 UTC`. */
export function holderWords({
  operator,
  identity,
  machine,
  since,
}: Pick<LeaseHolder, 'identity' | 'operator' | 'machine' | 'since'>): string {
  const when = since === null ? 'an unknown time' : instantWords(since)
  return `${operator ?? identity} on ${machine ?? 'another machine'} since ${when}`
}

export function processWords({ operator, machine, pid }: Pick<RunDriver, 'operator' | 'machine' | 'pid'>): string {
  return `${operator} on ${machine} (process ${pid})`
}

/** Whether Lockkeeper's controllers run, and where. */
export function statusWords({ state, heldBy }: ControllersStatus): string {
  switch (state) {
    case 'here':
      return "Lockkeeper's controllers run in this console."
    case 'elsewhere':
      return `Lockkeeper's controllers run elsewhere${heldBy === null ? '' : `: ${heldBy}`}.`
    case 'stopped':
      return "Lockkeeper's controllers do not run, so nothing answers for their applications."
    case 'not-used':
      return 'Lockkeeper answers for no application.'
  }
}
