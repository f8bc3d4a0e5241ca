import type { Instance, InstancePort, Volume } from './openstack.ts'
import { isTrue } from './placement-needs.ts'

/** How an instance is to move: while it runs, or stopped. */
export type MoveWay = 'live' | 'cold'

/** What Nova does with a move of an instance that a rule is about. */
type MoveVerdict =
  /** It moves as any other. */
  | { readonly kind: 'moves' }
  /** Nova does not move it this way, whatever the destination. */
  | { readonly kind: 'refused' }
  /** It moves, and so much of its disks is copied unless both hosts share them. */
  | { readonly kind: 'copies'; readonly gib: number }
  /** It moves on a condition that no API of the cloud tells. */
  | { readonly kind: 'only-if'; readonly condition: string }
  /** Nova alone knows: it judges by what it tells nobody. */
  | { readonly kind: 'nova-knows'; readonly what: string }

/** What is known of an instance when its move is judged; null: that could not be read. */
export interface MoveSubject {
  readonly instance: Instance
  readonly ports: readonly InstancePort[] | null
  readonly volumes: readonly Volume[] | null
  /** The minor of the microversion that Nova is spoken to with: it tells the release at least. */
  readonly novaMinor: number | null
}

/** A rule that concerns an instance, with its verdict on one way of moving it. `words` is a sentence, `remedy` another. */
export interface MoveObstacle {
  readonly rule: MoveRule
  readonly verdict: MoveVerdict
  readonly words: string
  readonly remedy: string
  readonly source: string
}

interface RuleEntry {
  /** Where Nova says so. */
  readonly source: string
  /** What of the instance it is about, in words that a sentence begins with; null: it does not concern it. */
  readonly has: (subject: MoveSubject) => string | null
  readonly live: (subject: MoveSubject) => MoveVerdict
  readonly cold: (subject: MoveSubject) => MoveVerdict
  readonly remedy: string
}

const MOVES: MoveVerdict = { kind: 'moves' }
const REFUSED: MoveVerdict = { kind: 'refused' }
const moves = (): MoveVerdict => MOVES
const refused = (): MoveVerdict => REFUSED
const onlyIf = (condition: string): MoveVerdict => ({ kind: 'only-if', condition })
const novaKnows = (what: string): MoveVerdict => ({ kind: 'nova-knows', what })

const COLD_INSTEAD =
  'Move it cold (rule live migration out for this run), or have its owner stop it or take it elsewhere.'
const OWNER = 'Have its owner move, stop or delete it; or leave it out.'

/** From this minor on Nova is of this release or newer (rest_api_version_history.rst, "Maximum in"). */
const MINOR = { train: 79, wallaby: 88, zed: 93, caracal: 96, epoxy: 100, gazpacho: 103 } as const

/** A move that releases before the named one refuse; a Nova of which nothing is known may be either. */
function since({ novaMinor }: MoveSubject, minor: number, then: MoveVerdict, unknown: string): MoveVerdict {
  if (novaMinor === null) return novaKnows(unknown)
  return novaMinor >= minor ? then : REFUSED
}

const DIRECT: ReadonlySet<string> = new Set([
  'direct',
  'direct-physical',
  'macvtap',
  'virtio-forwarder',
  'remote-managed',
])
const ACCELERATED: ReadonlySet<string> = new Set(['accelerator-direct', 'accelerator-direct-physical'])

/** Every rule by which Nova refuses a move of an instance for what the instance is, or moves it on a condition (docs/moves.md). */
const RULES = {
  accelerators: {
    source: 'nova/compute/api.py, block_accelerators',
    has: ({ instance }) => said('an accelerator by its flavor', specOf(instance, 'accel:device_profile')),
    live: refused,
    cold: refused,
    remedy: OWNER,
  },
  'accelerator-ports': {
    source: 'nova/compute/api.py, block_port_accelerators',
    has: ({ ports }) => portsOf(ports, ({ vnicType }) => ACCELERATED.has(vnicType)),
    live: refused,
    cold: refused,
    remedy: OWNER,
  },
  'memory-encryption': {
    source: 'nova/compute/api.py, reject_sev_instances; doc/source/admin/sev.rst, "Impermanent limitations"',
    has: ({ instance }) =>
      isTrue(specOf(instance, 'hw:mem_encryption')) || isTrue(instance.imageProperties?.hw_mem_encryption)
        ? 'encrypted memory'
        : null,
    live: refused,
    cold: moves,
    remedy: COLD_INSTEAD,
  },
  vtpm: {
    source: 'nova/compute/api.py, reject_legacy_vtpm_live_migration; doc/source/admin/emulated-tpm.rst',
    has: ({ instance }) =>
      said('an emulated TPM', specOf(instance, 'hw:tpm_version') ?? instance.imageProperties?.hw_tpm_version),
    live: subject =>
      specOf(subject.instance, 'hw:tpm_secret_security') === 'host'
        ? since(
            subject,
            MINOR.gazpacho,
            onlyIf('every nova-compute of its cell is of 2026.1 or newer'),
            'whether it is of 2026.1 or newer, which moves one whose secret is of the host',
          )
        : REFUSED,
    cold: () => onlyIf('the key manager lets whoever asks for the move read its secret'),
    remedy: COLD_INSTEAD,
  },
  'pci-passthrough': {
    source: 'nova/conductor/tasks/live_migrate.py, _check_can_migrate_pci; doc/source/admin/pci-passthrough.rst',
    has: ({ instance }) => said('a PCI device by its flavor', specOf(instance, 'pci_passthrough:alias')),
    live: subject =>
      since(
        subject,
        MINOR.epoxy,
        novaKnows('whether its alias is live_migratable, and which host has such a device free'),
        'whether it is of 2025.1 or newer, and its alias live_migratable',
      ),
    cold: () => novaKnows('which host has such a device free'),
    remedy: COLD_INSTEAD,
  },
  vgpu: {
    source:
      'doc/source/admin/virtual-gpu.rst, "Caveats"; nova/virt/libvirt/driver.py, _assert_source_can_live_migrate_mdevs',
    has: ({ instance }) => said('a virtual GPU by its flavor', resourceOf(instance, /^(VGPU|CUSTOM_.*VGPU.*)$/)),
    live: subject =>
      since(
        subject,
        MINOR.caracal,
        onlyIf('both hosts have libvirt 8.6, QEMU 8.1 and one common type of mediated device, and post-copy is off'),
        'whether it is of 2024.1 or newer, which moves them',
      ),
    cold: moves,
    remedy: COLD_INSTEAD,
  },
  'persistent-memory': {
    source: 'nova/conductor/tasks/live_migrate.py, _check_can_migrate_specific_resources',
    has: ({ instance }) => said('virtual persistent memory by its flavor', specOf(instance, 'hw:pmem')),
    live: subject =>
      // Compute services of version 51 do; Wallaby's API starts beside none that is older.
      since(subject, MINOR.wallaby, MOVES, 'whether every nova-compute is new enough (service version 51)'),
    cold: moves,
    remedy: COLD_INSTEAD,
  },
  'vdpa-ports': {
    source: 'nova/compute/api.py, reject_vdpa_instances (service version 63); doc/source/admin/vdpa.rst',
    has: ({ ports }) => portsOf(ports, ({ vnicType }) => vnicType === 'vdpa'),
    live: subject =>
      since(
        subject,
        MINOR.zed,
        onlyIf('every nova-compute is of Zed or newer; the port is unplugged while it moves'),
        'whether every nova-compute is of Zed or newer',
      ),
    cold: () => novaKnows('which host has such a device free'),
    remedy: COLD_INSTEAD,
  },
  'direct-ports': {
    source:
      'nova/conductor/tasks/live_migrate.py, _check_can_migrate_pci; release note sriov-live-migration-0311dfb7102a48db (Train)',
    has: ({ ports }) => portsOf(ports, ({ vnicType }) => DIRECT.has(vnicType)),
    live: subject =>
      since(
        subject,
        MINOR.train,
        onlyIf(
          'Neutron has the extension binding-extended and a host has such a device free; a port plugged in directly is away while it moves',
        ),
        'whether it is of Train or newer, which moves them',
      ),
    cold: () => novaKnows('which host has such a device free'),
    remedy: COLD_INSTEAD,
  },
  'ports-with-resources': {
    source: 'nova/compute/api.py, block_extended_resource_request; doc/source/admin/port_with_resource_request.rst',
    has: ({ ports }) => portsOf(ports, ({ hasResourceRequest }) => hasResourceRequest, 'a guaranteed bandwidth'),
    live: () => novaKnows('which host has that bandwidth left'),
    cold: () => novaKnows('which host has that bandwidth left'),
    remedy: OWNER,
  },
  numa: {
    source:
      'nova/conductor/tasks/live_migrate.py, _check_instance_has_no_numa (service version 40, Train); doc/source/admin/cpu-topologies.rst',
    has: ({ instance }) => numaOf(instance),
    live: subject => sinceTrain(subject, 'which host has free processors and NUMA nodes that fit'),
    cold: () => novaKnows('which host has free processors and NUMA nodes that fit'),
    remedy: COLD_INSTEAD,
  },
  'huge-pages': {
    source:
      'nova/conductor/tasks/live_migrate.py, _check_instance_has_no_numa (pages are part of a NUMA topology); doc/source/admin/huge-pages.rst',
    has: ({ instance }) =>
      said(
        'memory pages of a size of its own',
        specOf(instance, 'hw:mem_page_size') ?? instance.imageProperties?.hw_mem_page_size,
      ),
    live: subject => sinceTrain(subject, 'which host has such pages free'),
    cold: () => novaKnows('which host has such pages free'),
    remedy: COLD_INSTEAD,
  },
  'local-disks': {
    source:
      'nova/virt/libvirt/driver.py, check_can_live_migrate_source (block_migration auto) and migrate_disk_and_power_off; doc/source/admin/configuring-migrations.rst',
    has: ({ instance }) => {
      const gib = localGib(instance)
      return gib === null || gib === 0 ? null : `${gib} GiB of disk on the hypervisor`
    },
    live: ({ instance }) => ({ kind: 'copies', gib: localGib(instance) ?? 0 }),
    cold: ({ instance }) => ({ kind: 'copies', gib: localGib(instance) ?? 0 }),
    remedy: OWNER,
  },
  'config-drive': {
    source: 'doc/source/admin/configuring-migrations.rst, "Block live migration"',
    has: ({ instance }) => (instance.hasConfigDrive === true ? 'a config drive' : null),
    live: ({ instance }) =>
      localGib(instance) === 0
        ? MOVES
        : onlyIf('its disks are on shared storage: Nova calls copying disks incompatible with a config drive'),
    cold: moves,
    remedy: COLD_INSTEAD,
  },
  'encrypted-volumes': {
    source:
      'nova/virt/libvirt/driver.py, _attach_encryptor: the destination asks the key manager as whoever asked for the move',
    has: ({ volumes }) => (volumes?.some(({ encrypted }) => encrypted) === true ? 'an encrypted volume' : null),
    live: () => onlyIf('the key manager lets whoever asks for the move read the key of the volume'),
    cold: () => onlyIf('the key manager lets whoever asks for the move read the key of the volume'),
    remedy: OWNER,
  },
  'multi-attached-volumes': {
    source: 'nova/compute/manager.py: nothing in a migration refuses one',
    has: ({ volumes }) =>
      volumes?.some(({ multiattach }) => multiattach) === true ? 'a volume that others may have too' : null,
    live: moves,
    cold: moves,
    remedy: OWNER,
  },
  'secure-boot': {
    source: 'nova/scheduler/utils.py, _translate_secure_boot_request: a trait, which Placement is asked for',
    has: ({ instance }) =>
      (specOf(instance, 'os:secure_boot') ?? instance.imageProperties?.os_secure_boot) === 'required'
        ? 'secure boot'
        : instance.imageProperties?.hw_firmware_type === 'uefi'
          ? 'UEFI'
          : null,
    live: moves,
    cold: moves,
    remedy: OWNER,
  },
  'scheduler-hints': {
    source: 'nova/scheduler/filters/json_filter.py, affinity_filter.py: only where the operator enabled them',
    has: ({ instance }) => {
      const hints = Object.keys(instance.schedulerHints ?? {}).filter(hint => HINTS.has(hint))
      return hints.length === 0 ? null : `a hint for the scheduler (${hints.join(', ')})`
    },
    live: () => novaKnows('whether its filter is enabled, and which hosts it leaves'),
    cold: () => novaKnows('whether its filter is enabled, and which hosts it leaves'),
    remedy: OWNER,
  },
} as const satisfies Readonly<Record<string, RuleEntry>>

/** Stable name of a rule, as docs/moves.md lists it. */
type MoveRule = keyof typeof RULES

/** Every rule, for its documents. */
export const MOVE_RULES: readonly MoveRule[] = Object.keys(RULES).filter((name): name is MoveRule => name in RULES)

/** Hints that rule out hosts of which too little is told; where those are that `same_host` and `different_host` name can be asked, and a group is one of Nova's own. */
const HINTS: ReadonlySet<string> = new Set(['query', 'build_near_host_ip'])

/** Every rule that concerns an instance, with what Nova does with its move this way; those by which it moves as any other too. */
export function moveObstacles(subject: MoveSubject, way: MoveWay): readonly MoveObstacle[] {
  return MOVE_RULES.flatMap(rule => {
    const entry: RuleEntry = RULES[rule]
    const what = entry.has(subject)
    if (what === null) return []
    const verdict = way === 'live' ? entry.live(subject) : entry.cold(subject)
    return [{ rule, verdict, words: wordsOf(what, verdict, way), remedy: entry.remedy, source: entry.source }]
  })
}

function wordsOf(what: string, verdict: MoveVerdict, way: MoveWay): string {
  switch (verdict.kind) {
    case 'moves':
      return `It has ${what}: Nova moves it ${way} all the same.`
    case 'refused':
      return `It has ${what}: Nova does not move it ${way}.`
    case 'copies':
      return `It has ${what}: it is copied unless both hosts share it.`
    case 'only-if':
      return `It has ${what}: it moves ${way} only if ${verdict.condition}.`
    case 'nova-knows':
      return `It has ${what}: Nova alone knows ${verdict.what}.`
  }
}

function sinceTrain(subject: MoveSubject, what: string): MoveVerdict {
  const { novaMinor } = subject
  // Wallaby's API and newer ones start beside no nova-compute that is older than the release before.
  if (novaMinor !== null && novaMinor >= MINOR.wallaby) return novaKnows(what)
  return since(
    subject,
    MINOR.train,
    onlyIf('every nova-compute of its cell is of Train or newer'),
    'whether every nova-compute is of Train or newer',
  )
}

function specOf({ flavor }: Pick<Instance, 'flavor'>, key: string): string | undefined {
  return flavor?.extraSpecs[key]
}

function resourceOf({ flavor }: Pick<Instance, 'flavor'>, wanted: RegExp): string | undefined {
  return Object.keys(flavor?.extraSpecs ?? {}).find(key =>
    wanted.test(/^resources[a-zA-Z0-9_-]{0,64}:(.*)$/.exec(key)?.[1] ?? ''),
  )
}

function numaOf(instance: Instance): string | null {
  const image = instance.imageProperties ?? {}
  const policy = specOf(instance, 'hw:cpu_policy') ?? image.hw_cpu_policy
  if (policy === 'dedicated' || policy === 'mixed' || resourceOf(instance, /^PCPU$/) !== undefined) {
    return 'pinned processors'
  }
  return said('NUMA nodes of its own', specOf(instance, 'hw:numa_nodes') ?? image.hw_numa_nodes)
}

function said(words: string, value: string | undefined): string | null {
  return value === undefined ? null : words
}

function portsOf(
  ports: readonly InstancePort[] | null,
  isMeant: (port: InstancePort) => boolean,
  words?: string,
): string | null {
  const meant = (ports ?? []).filter(isMeant)
  if (meant.length === 0) return null
  const kinds = [...new Set(meant.map(({ vnicType }) => vnicType))].join(', ')
  return `${meant.length === 1 ? 'a port' : `${meant.length} ports`} with ${words ?? `vnic_type ${kinds}`}`
}

/** What of its disks lies on the hypervisor, by its flavor; null: not known. An older record does not say what it boots from: having a volume says it then. */
function localGib({ bootsFromVolume, flavor, volumeIds }: Instance): number | null {
  if (flavor === null) return null
  const root = (bootsFromVolume ?? volumeIds.length > 0) ? 0 : flavor.diskGib
  return root + flavor.ephemeralGib + Math.ceil(flavor.swapMib / 1024)
}
