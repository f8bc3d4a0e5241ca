import { describe, expect, test } from 'vitest'
import { countedBeyond, hypervisorsOf } from '../../../shared/domain/hypervisors-of-node.ts'
import type { Hypervisor } from '../../../shared/domain/openstack.ts'

const hypervisor = (name: string, host: string, more: Partial<Hypervisor> = {}): Hypervisor => ({
  id: `${name}/${host}`,
  name,
  host,
  serviceId: host,
  type: 'QEMU',
  state: 'up',
  instances: 0,
  ...more,
})

describe('hypervisor records of a node', () => {
  const idsOf = (all: readonly Hypervisor[], others: readonly string[] = []) => {
    const { own, elsewhere } = hypervisorsOf(['cmp-1'], 'cmp-1', all, others)
    return { own: own.map(({ id }) => id), elsewhere: elsewhere.map(({ id }) => id) }
  }

  test.each<[what: string, all: readonly Hypervisor[], others: readonly string[], own: string[], elsewhere: string[]]>([
    ['its own', [hypervisor('cmp-1', 'cmp-1'), hypervisor('cmp-10', 'cmp-10')], [], ['cmp-1/cmp-1'], []],
    ['its own under whatever name', [hypervisor('blade-7', 'cmp-1')], [], ['blade-7/cmp-1'], []],
    ['its name under another nova-compute', [hypervisor('cmp-1.dc', 'blade-7')], [], [], ['cmp-1.dc/blade-7']],
    ['a name that another node bears', [hypervisor('cmp-1.dc', 'blade-7')], ['cmp-1.dc'], [], []],
    ['a nova-compute that another node bears the name of', [hypervisor('cmp-1', 'cmp-2.dc')], ['cmp-2'], [], []],
    ['a nova-compute alike, which the records of services show', [hypervisor('cmp-1.dc', 'cmp-1.dc')], [], [], []],
    ['machines of Ironic', [hypervisor('cmp-1', 'cmp-1', { type: 'ironic' })], [], [], []],
  ])('%s', (_, all, others, own, elsewhere) => expect(idsOf(all, others)).toEqual({ own, elsewhere }))
})

describe('what they count beyond the list of instances', () => {
  const up = { state: 'up', instances: 2 } as const
  const held = (ids: readonly string[], moved: readonly string[] = []) => ({ ids, moved: new Set(moved) })
  test.each<[what: string, ...Parameters<typeof countedBeyond>, found: ReturnType<typeof countedBeyond>]>([
    ['nothing', [{ ...up, instances: 0 }], held([]), new Set(), null],
    ['what is listed', [up], held(['a', 'b']), new Set(['a', 'b']), null],
    ['one more', [up], held(['a', 'b']), new Set(['a']), { instances: 1, ids: ['b'] }],
    ['one that moved meanwhile', [up], held(['b'], ['b']), new Set(), null],
    ['a count beside two empty lists', [up], held([]), new Set(), { instances: 2, ids: [] }],
    ['an old count, of a nova-compute that is down', [{ ...up, state: 'down' }], held([]), new Set(), null],
    ['a count beside a list with instances', [up], held([]), new Set(['a']), null],
  ])('%s', (_, own, ids, listed, found) => expect(countedBeyond(own, ids, listed)).toEqual(found))
})
