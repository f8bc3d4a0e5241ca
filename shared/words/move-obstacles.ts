import type {
  KnownToNova,
  MoveCondition,
  MoveObstacle,
  MoveRemedy,
  MoveRule,
  MoveTrait,
} from '../domain/move-obstacles.ts'

/** The effect of a rule of Nova on a move: a sentence. */
export function moveObstacleWords({ has, verdict, way }: Pick<MoveObstacle, 'has' | 'verdict' | 'way'>): string {
  const what = traitWords(has)
  switch (verdict.kind) {
    case 'moves':
      return `It has ${what}: Nova moves it ${way} anyway.`
    case 'refused':
      return `It has ${what}: Nova does not move it ${way}.`
    case 'copies':
      return `It has ${what}: it is copied unless both hosts share it.`
    case 'only-if':
      return `It has ${what}: it moves ${way} only if ${conditionWords(verdict.condition)}.`
    case 'nova-knows':
      return `It has ${what}: only Nova knows ${knownWords(verdict.what)}.`
  }
}

/** What an operator can do: a sentence. */
export const MOVE_REMEDIES: Readonly<Record<MoveRemedy, string>> = {
  MoveCold:
    'Move it with downtime (rule out live migration for this run), or have its owner stop it or take it elsewhere.',
  OwnerActs: 'Have its owner move, stop or delete it; or leave it out.',
}

/** The source of each rule in Nova. */
export const MOVE_SOURCES: Readonly<Record<MoveRule, string>> = {
  accelerators: 'nova/compute/api.py, block_accelerators',
  'accelerator-ports': 'nova/compute/api.py, block_port_accelerators',
  'memory-encryption': 'nova/compute/api.py, reject_sev_instances; doc/source/admin/sev.rst, "Impermanent limitations"',
  vtpm: 'nova/compute/api.py, reject_legacy_vtpm_live_migration; doc/source/admin/emulated-tpm.rst',
  'pci-passthrough':
    'nova/conductor/tasks/live_migrate.py, _check_can_migrate_pci; doc/source/admin/pci-passthrough.rst',
  vgpu: 'doc/source/admin/virtual-gpu.rst, "Caveats"; nova/virt/libvirt/driver.py, _assert_source_can_live_migrate_mdevs',
  'persistent-memory': 'nova/conductor/tasks/live_migrate.py, _check_can_migrate_specific_resources',
  'vdpa-ports': 'nova/compute/api.py, reject_vdpa_instances (service version 63); doc/source/admin/vdpa.rst',
  'direct-ports':
    'nova/conductor/tasks/live_migrate.py, _check_can_migrate_pci; release note sriov-live-migration-0311dfb7102a48db (Train)',
  'ports-with-resources':
    'nova/compute/api.py, block_extended_resource_request; doc/source/admin/port_with_resource_request.rst',
  numa: 'nova/conductor/tasks/live_migrate.py, _check_instance_has_no_numa (service version 40, Train); doc/source/admin/cpu-topologies.rst',
  'huge-pages':
    'nova/conductor/tasks/live_migrate.py, _check_instance_has_no_numa (pages are part of a NUMA topology); doc/source/admin/huge-pages.rst',
  'local-disks':
    'nova/virt/libvirt/driver.py, check_can_live_migrate_source (block_migration auto) and migrate_disk_and_power_off; doc/source/admin/configuring-migrations.rst',
  'config-drive': 'doc/source/admin/configuring-migrations.rst, "Block live migration"',
  'encrypted-volumes':
    'nova/virt/libvirt/driver.py, _attach_encryptor: the destination asks the key manager as the user who requested the move',
  'multi-attached-volumes': 'nova/compute/manager.py: nothing in a migration refuses one',
  'secure-boot': 'nova/scheduler/utils.py, _translate_secure_boot_request: a trait that Nova requests from Placement',
  'scheduler-hints': 'nova/scheduler/filters/json_filter.py, affinity_filter.py: only if the operator enabled them',
}

function traitWords(has: MoveTrait): string {
  switch (has.code) {
    case 'Accelerator':
      return 'an accelerator by its flavor'
    case 'EncryptedMemory':
      return 'encrypted memory'
    case 'EmulatedTpm':
      return 'an emulated TPM'
    case 'PciDevice':
      return 'a PCI device by its flavor'
    case 'VirtualGpu':
      return 'a virtual GPU by its flavor'
    case 'PersistentMemory':
      return 'virtual persistent memory by its flavor'
    case 'PinnedProcessors':
      return 'pinned processors'
    case 'NumaNodes':
      return 'a NUMA topology'
    case 'PageSize':
      return 'memory pages of a special size'
    case 'ConfigDrive':
      return 'a config drive'
    case 'EncryptedVolume':
      return 'an encrypted volume'
    case 'SharedVolume':
      return 'a volume that other instances may have too'
    case 'SecureBoot':
      return 'secure boot'
    case 'Uefi':
      return 'UEFI'
    case 'PortsOfKind':
      return `${portWords(has.ports)} with vnic_type ${has.kinds.join(', ')}`
    case 'PortsWithBandwidth':
      return `${portWords(has.ports)} with a guaranteed bandwidth`
    case 'DiskOnHypervisor':
      return `${has.gib} GiB of disk on the hypervisor`
    case 'SchedulerHints':
      return `a hint for the scheduler (${has.hints.join(', ')})`
  }
}

function portWords(ports: number): string {
  return ports === 1 ? 'a port' : `${ports} ports`
}

function conditionWords(condition: MoveCondition): string {
  switch (condition.code) {
    case 'CellComputesOfRelease':
      return `every nova-compute of its cell has release ${condition.release} or newer`
    case 'ComputesOfReleasePortAway':
      return `every nova-compute has release ${condition.release} or newer; the port is unplugged while it moves`
    case 'KeyManagerGivesSecret':
      return 'the key manager lets the user who requests the move read its secret'
    case 'KeyManagerGivesVolumeKey':
      return 'the key manager lets the user who requests the move read the key of the volume'
    case 'MediatedDevicesAgree':
      return 'both hosts have libvirt 8.6, QEMU 8.1 and one common type of mediated device, and post-copy is off'
    case 'BindingExtended':
      return 'Neutron has the extension binding-extended and a host has such a device free; a directly plugged port is unplugged while it moves'
    case 'DisksAreShared':
      return 'its disks are on shared storage: Nova cannot copy disks together with a config drive'
  }
}

function knownWords(known: KnownToNova): string {
  switch (known.code) {
    case 'ReleaseMovesThem':
      return `whether it has release ${known.release} or newer, which moves them`
    case 'ReleaseMovesHostSecret':
      return `whether it has release ${known.release} or newer, which moves one whose secret belongs to the host`
    case 'ReleaseAndAlias':
      return `whether it has release ${known.release} or newer, and whether its alias is live_migratable`
    case 'ComputesOfRelease':
      return `whether every nova-compute has release ${known.release} or newer`
    case 'ComputesOfVersion':
      return `whether every nova-compute is new enough (service version ${known.version})`
    case 'AliasAndFreeDevice':
      return 'whether its alias is live_migratable, and which host has such a device free'
    case 'FreeDevice':
      return 'which host has such a device free'
    case 'FreeBandwidth':
      return 'which host has that bandwidth left'
    case 'FreeProcessors':
      return 'which host has free processors and NUMA nodes that fit'
    case 'FreePages':
      return 'which host has such pages free'
    case 'FilterAndItsHosts':
      return 'whether its filter is enabled, and which hosts it leaves'
  }
}
