import { expect, it } from 'vitest'
import { must } from '../../shared/domain/must.ts'
import { type ContractTarget, value } from './target.ts'

/** A cloud with an instance whose owner asked for a host different from that of the movable server. */
export type HintsTarget = Pick<ContractTarget, 'openstack' | 'openstackSession' | 'movableServer'> & {
  readonly hintedServer: string
}

/** What an owner asked of the scheduler (nova/api/openstack/compute/views/servers.py, _get_scheduler_hints). */
export function hintsContract(target: () => HintsTarget): void {
  it('since 2.100 an instance shows its scheduler hints, in a list and by id; before, it shows none', async () => {
    const { openstack, openstackSession, movableServer, hintedServer } = target()
    const { items } = value(await openstack.listInstances())
    const named = (name: string) =>
      must(
        items.find(instance => instance.name === name),
        `the cloud has ${name}`,
      )
    const spoken = must(value(await openstackSession.microversion('compute')), 'Nova has microversions')
    const hasHints = spoken.minor >= 100
    const hinted = named(hintedServer)
    const hints = hasHints ? { different_host: [named(movableServer).id] } : undefined
    expect(hinted.schedulerHints).toEqual(hints)
    expect(value(await openstack.getInstance(hinted.id)).schedulerHints).toEqual(hints)
    expect(named(movableServer).schedulerHints).toEqual(hasHints ? {} : undefined)
  })
}
