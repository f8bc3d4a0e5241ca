import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MOVE_RULES, type MoveSubject, type MoveWay, moveObstacles } from '../../../shared/domain/move-obstacles.ts'
import type { Instance, InstanceFlavor } from '../../../shared/domain/openstack.ts'
import { specialNeedsOf } from '../../../shared/domain/placement-needs.ts'
import { MOVE_REMEDIES, MOVE_SOURCES, moveObstacleWords } from '../../../shared/words/move-obstacles.ts'
import { fakeFlavor } from '../../fixtures/procedures/fake-records.ts'
import { fakeInstance } from '../../fixtures/procedures/fake-world.ts'

const FLAVOR: InstanceFlavor = fakeFlavor({ vcpus: 2, ramMib: 2048, diskGib: 20 })

const withSpecs = (extraSpecs: Record<string, string>): Partial<Instance> => ({ flavor: { ...FLAVOR, extraSpecs } })

interface Case {
  readonly instance?: Partial<Instance>
  readonly vnicType?: string
  readonly bandwidth?: boolean
  readonly volume?: { readonly encrypted?: boolean; readonly multiattach?: boolean }
  readonly nova?: number | null
}

function subject({ instance = {}, vnicType = 'normal', bandwidth = false, volume, nova = 93 }: Case): MoveSubject {
  return {
    instance: fakeInstance('a', 'cmp-1', {
      flavor: FLAVOR,
      bootsFromVolume: true,
      volumeIds: ['v'],
      ...instance,
    }),
    ports: [{ id: 'p', instanceId: 'a', vnicType, hasResourceRequest: bandwidth }],
    volumes: [{ id: 'v', encrypted: false, multiattach: false, ...volume }],
    novaMinor: nova,
  }
}

const verdictsOf = (asked: Case, way: MoveWay) =>
  Object.fromEntries(moveObstacles(subject(asked), way).map(({ rule, verdict }) => [rule, verdict.kind]))

const PCI = withSpecs({ 'pci_passthrough:alias': 'gpu:1' })
const TPM = { 'hw:tpm_version': '2.0' }
const HOST_TPM = withSpecs({ ...TPM, 'hw:tpm_secret_security': 'host' })
const VGPU = withSpecs({ 'resources:VGPU': '1' })
const PINNED = withSpecs({ 'hw:cpu_policy': 'dedicated' })
const PAGES = withSpecs({ 'hw:mem_page_size': '1GB' })
const PMEM = withSpecs({ 'hw:pmem': '6GB' })

describe('what Nova does with a move of an instance for what it is (docs/moves.md)', () => {
  it.each<[string, string, Case, string, string]>([
    [
      'an accelerator',
      'accelerators',
      { instance: withSpecs({ 'accel:device_profile': 'fpga' }) },
      'refused',
      'refused',
    ],
    ['an accelerator by a port', 'accelerator-ports', { vnicType: 'accelerator-direct' }, 'refused', 'refused'],
    [
      'encrypted memory by its flavor',
      'memory-encryption',
      { instance: withSpecs({ 'hw:mem_encryption': 'True' }) },
      'refused',
      'moves',
    ],
    [
      'encrypted memory by its image (2.98)',
      'memory-encryption',
      { instance: { imageProperties: { hw_mem_encryption: 'true' } } },
      'refused',
      'moves',
    ],
    ['an emulated TPM', 'vtpm', { instance: withSpecs(TPM), nova: 104 }, 'refused', 'only-if'],
    [
      'an emulated TPM by its image (2.98)',
      'vtpm',
      { instance: { imageProperties: { hw_tpm_version: '2.0' } }, nova: 104 },
      'refused',
      'only-if',
    ],
    ['… whose secret is of the host, before 2026.1', 'vtpm', { instance: HOST_TPM, nova: 100 }, 'refused', 'only-if'],
    ['… whose secret is of the host, from 2026.1 on', 'vtpm', { instance: HOST_TPM, nova: 103 }, 'only-if', 'only-if'],
    [
      '… whose secret is of the host, with a Nova of no known age',
      'vtpm',
      { instance: HOST_TPM, nova: null },
      'nova-knows',
      'only-if',
    ],
    ['a PCI device, before 2025.1', 'pci-passthrough', { instance: PCI, nova: 96 }, 'refused', 'nova-knows'],
    ['a PCI device, from 2025.1 on', 'pci-passthrough', { instance: PCI, nova: 100 }, 'nova-knows', 'nova-knows'],
    ['a virtual GPU, before 2024.1', 'vgpu', { instance: VGPU, nova: 95 }, 'refused', 'moves'],
    ['a virtual GPU, from 2024.1 on', 'vgpu', { instance: VGPU, nova: 96 }, 'only-if', 'moves'],
    ['persistent memory, before Wallaby', 'persistent-memory', { instance: PMEM, nova: 79 }, 'refused', 'moves'],
    ['persistent memory, from Wallaby on', 'persistent-memory', { instance: PMEM, nova: 88 }, 'moves', 'moves'],
    ['a vDPA port, before Zed', 'vdpa-ports', { vnicType: 'vdpa', nova: 90 }, 'refused', 'nova-knows'],
    ['a vDPA port, from Zed on', 'vdpa-ports', { vnicType: 'vdpa', nova: 93 }, 'only-if', 'nova-knows'],
    ['an SR-IOV port', 'direct-ports', { vnicType: 'direct' }, 'only-if', 'nova-knows'],
    ['an SR-IOV port, before Train', 'direct-ports', { vnicType: 'direct', nova: 72 }, 'refused', 'nova-knows'],
    ['a macvtap port', 'direct-ports', { vnicType: 'macvtap' }, 'only-if', 'nova-knows'],
    ['a whole device as a port', 'direct-ports', { vnicType: 'direct-physical' }, 'only-if', 'nova-knows'],
    ['a guaranteed bandwidth', 'ports-with-resources', { bandwidth: true }, 'nova-knows', 'nova-knows'],
    ['pinned processors, before Train', 'numa', { instance: PINNED, nova: 72 }, 'refused', 'nova-knows'],
    ['pinned processors, since Train', 'numa', { instance: PINNED, nova: 79 }, 'only-if', 'nova-knows'],
    ['pinned processors, since Wallaby', 'numa', { instance: PINNED, nova: 88 }, 'nova-knows', 'nova-knows'],
    ['NUMA nodes', 'numa', { instance: withSpecs({ 'hw:numa_nodes': '2' }) }, 'nova-knows', 'nova-knows'],
    ['huge pages', 'huge-pages', { instance: PAGES }, 'nova-knows', 'nova-knows'],
    ['huge pages, before Train', 'huge-pages', { instance: PAGES, nova: 72 }, 'refused', 'nova-knows'],
    ['a root disk on the hypervisor', 'local-disks', { instance: { bootsFromVolume: false } }, 'copies', 'copies'],
    [
      'a config drive and disks to copy',
      'config-drive',
      { instance: { bootsFromVolume: false, hasConfigDrive: true } },
      'only-if',
      'moves',
    ],
    ['a config drive and volumes alone', 'config-drive', { instance: { hasConfigDrive: true } }, 'moves', 'moves'],
    ['an encrypted volume', 'encrypted-volumes', { volume: { encrypted: true } }, 'only-if', 'only-if'],
    ['a shared volume', 'multi-attached-volumes', { volume: { multiattach: true } }, 'moves', 'moves'],
    ['secure boot', 'secure-boot', { instance: withSpecs({ 'os:secure_boot': 'required' }) }, 'moves', 'moves'],
    ['UEFI', 'secure-boot', { instance: { imageProperties: { hw_firmware_type: 'uefi' } } }, 'moves', 'moves'],
    [
      'a hint for the scheduler',
      'scheduler-hints',
      { instance: { schedulerHints: { query: ['[">=","$free_ram_mb",1024]'] } } },
      'nova-knows',
      'nova-knows',
    ],
  ])('%s: %s', (_, rule, asked, live, cold) => {
    expect({ live: verdictsOf(asked, 'live')[rule], cold: verdictsOf(asked, 'cold')[rule] }).toEqual({ live, cold })
  })

  it('an instance without any of it that boots from a volume has no note', () => {
    expect(verdictsOf({}, 'live')).toEqual({})
    expect(
      verdictsOf({ instance: { schedulerHints: { group: ['g'], same_host: ['b'], cidr: ['/24'] } } }, 'cold'),
    ).toEqual({})
  })

  it('what could not be read is judged by no rule', () => {
    const unread = { ...subject({ vnicType: 'vdpa', volume: { encrypted: true } }), ports: null, volumes: null }
    expect(moveObstacles(unread, 'live')).toEqual([])
  })

  it('how much is copied counts root, ephemeral disk and swap, and no root that is a volume', () => {
    const disks = { flavor: { ...FLAVOR, ephemeralGib: 5, swapMib: 1500 } }
    const copied = (instance: Partial<Instance>) =>
      moveObstacles(subject({ instance }), 'live').map(each => each.verdict)
    expect(copied({ ...disks, bootsFromVolume: false })).toEqual([{ kind: 'copies', gib: 27 }])
    expect(copied(disks)).toEqual([{ kind: 'copies', gib: 7 }])
  })

  it('each has a sentence, a remedy and a source', () => {
    const found = moveObstacles(subject({ instance: PCI, vnicType: 'vdpa', nova: 90 }), 'live')
    expect(found.map(({ rule, has, verdict }) => [rule, has, verdict])).toEqual([
      ['pci-passthrough', { code: 'PciDevice' }, { kind: 'refused' }],
      ['vdpa-ports', { code: 'PortsOfKind', ports: 1, kinds: ['vdpa'] }, { kind: 'refused' }],
    ])
    expect(found.map(moveObstacleWords)).toEqual([
      'It has a PCI device by its flavor: Nova does not move it live.',
      'It has a port with vnic_type vdpa: Nova does not move it live.',
    ])
    for (const remedy of Object.values(MOVE_REMEDIES)) expect(remedy).toMatch(/\.$/)
    for (const rule of MOVE_RULES) expect(MOVE_SOURCES[rule]).toMatch(/nova\/|doc\/source/)
  })

  it('docs/moves.md names every rule in its own row, and no other', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../../docs/moves.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(match => match[1])
    expect(rows.toSorted()).toEqual([...MOVE_RULES].toSorted())
  })
})

describe('what an instance asks of Placement specially (nova/scheduler/utils.py)', () => {
  const needs = (extraSpecs: Record<string, string>, imageProperties: Record<string, string> = {}) =>
    specialNeedsOf({ flavor: { ...FLAVOR, extraSpecs }, volumeIds: ['v'], imageProperties })

  it.each<[string, Record<string, string>, Record<string, string> | null]>([
    ['nothing', {}, null],
    ['nothing by specs of other kinds', { 'hw:cpu_policy': 'dedicated', 'quota:vif_outbound_peak': '1' }, null],
    ['a resource class beside its figures', { 'resources:VGPU': '1' }, { resources: 'VGPU:1,VCPU:2,MEMORY_MB:2048' }],
    [
      'traits, required and forbidden',
      { 'trait:HW_CPU_X86_AVX2': 'required', 'trait:CUSTOM_OLD': 'forbidden' },
      { resources: 'VCPU:2,MEMORY_MB:2048', required: 'HW_CPU_X86_AVX2,!CUSTOM_OLD' },
    ],
    [
      'its own figures where a spec says others',
      { 'resources:VCPU': '0', 'resources:CUSTOM_BAREMETAL': '1' },
      { resources: 'CUSTOM_BAREMETAL:1,MEMORY_MB:2048' },
    ],
    [
      'their own groups',
      { 'resources1:VGPU': '1', 'resources2:VGPU': '1', 'trait1:CUSTOM_A': 'required', group_policy: 'isolate' },
      {
        resources: 'VCPU:2,MEMORY_MB:2048',
        resources1: 'VGPU:1',
        resources2: 'VGPU:1',
        required1: 'CUSTOM_A',
        group_policy: 'isolate',
      },
    ],
    [
      'a trait for a TPM and for secure boot',
      { 'hw:tpm_version': '2.0', 'os:secure_boot': 'required' },
      { resources: 'VCPU:2,MEMORY_MB:2048', required: 'COMPUTE_SECURITY_TPM_2_0,COMPUTE_SECURITY_UEFI_SECURE_BOOT' },
    ],
    [
      'a context for encrypted memory',
      { 'hw:mem_encryption': 'true' },
      { resources: 'MEM_ENCRYPTION_CONTEXT:1,VCPU:2,MEMORY_MB:2048' },
    ],
    [
      'a name space for each label of persistent memory',
      { 'hw:pmem': '6GB,6GB,big-one' },
      { resources: 'CUSTOM_PMEM_NAMESPACE_6GB:2,CUSTOM_PMEM_NAMESPACE_BIG_ONE:1,VCPU:2,MEMORY_MB:2048' },
    ],
  ])('%s', (_, specs, asked) => {
    expect(needs(specs)).toEqual(asked)
  })

  it('secure boot and a TPM by its image count where Nova tells them (2.98)', () => {
    expect(needs({}, { hw_tpm_version: '1.2', os_secure_boot: 'required' })?.required).toBe(
      'COMPUTE_SECURITY_TPM_1_2,COMPUTE_SECURITY_UEFI_SECURE_BOOT',
    )
  })

  it('of an instance without a flavor nothing is asked', () => {
    expect(specialNeedsOf({ flavor: null, volumeIds: [] })).toBeNull()
  })
})
