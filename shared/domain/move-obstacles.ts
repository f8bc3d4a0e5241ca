import type { Instance, InstancePort, Volume } from './openstack.ts'
import { isTrue } from './placement-needs.ts'

export type MoveWay = 'live' | 'cold'

/** No API reports this condition. Its text is made by shared/words/move-obstacles.ts. */
export type MoveCondition =
  /** Every nova-compute of its cell, or of all cells, has at least this release; a port is gone while the instance moves. */
  | { readonly code: 'CellComputesOfRelease' | 'ComputesOfReleasePortAway'; readonly release: string }
  | { readonly code: 'KeyManagerGivesSecret' | 'KeyManagerGivesVolumeKey' }
  | { readonly code: 'MediatedDevicesAgree' | 'BindingExtended' | 'DisksAreShared' }

export type KnownToNova =
  /** Nova has a release that moves them; one that moves host secrets; or one whose alias also allows it. */
  | { readonly code: 'ReleaseMovesThem' | 'ReleaseMovesHostSecret' | 'ReleaseAndAlias'; readonly release: string }
  | { readonly code: 'ComputesOfRelease'; readonly release: string }
  | { readonly code: 'ComputesOfVersion'; readonly version: number }
  | { readonly code: 'AliasAndFreeDevice' | 'FreeDevice' | 'FreeBandwidth' | 'FreeProcessors' | 'FreePages' }
  | { readonly code: 'FilterAndItsHosts' }

type MoveVerdict =
  | { readonly kind: 'moves' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'copies'; readonly gib: number }
  | { readonly kind: 'only-if'; readonly condition: MoveCondition }
  | { readonly kind: 'nova-knows'; readonly what: KnownToNova }

type PlainTrait =
  | 'Accelerator'
  | 'EncryptedMemory'
  | 'EmulatedTpm'
  | 'PciDevice'
  | 'VirtualGpu'
  | 'PersistentMemory'
  | 'PinnedProcessors'
  | 'NumaNodes'
  | 'PageSize'
  | 'ConfigDrive'
  | 'EncryptedVolume'
  | 'SharedVolume'
  | 'SecureBoot'
  | 'Uefi'

export type MoveTrait =
  | { readonly code: PlainTrait }
  | { readonly code: 'PortsOfKind'; readonly ports: number; readonly kinds: readonly string[] }
  | { readonly code: 'PortsWithBandwidth'; readonly ports: number }
  | { readonly code: 'DiskOnHypervisor'; readonly gib: number }
  | { readonly code: 'SchedulerHints'; readonly hints: readonly string[] }

export type MoveRemedy = 'MoveCold' | 'OwnerActs'

/** What is known about an instance when its move is judged; null if unreadable. */
export interface MoveSubject {
  readonly instance: Instance
  readonly ports: readonly InstancePort[] | null
  readonly volumes: readonly Volume[] | null
  /** Of Nova's negotiated microversion: it gives the minimum release. */
  readonly novaMinor: number | null
}

export type MoveObstacle = {
  readonly rule: MoveRule
  readonly has: MoveTrait
  readonly way: MoveWay
  readonly verdict: MoveVerdict
  readonly remedy: MoveRemedy
}

interface RuleEntry {
  /** The property that the rule concerns; null if the rule does not apply. */
  readonly has: (subject: MoveSubject) => MoveTrait | null
  readonly live: (subject: MoveSubject) => MoveVerdict
  readonly cold: (subject: MoveSubject) => MoveVerdict
  readonly remedy: MoveRemedy
}

const MOVES: MoveVerdict = { kind: 'moves' }
const REFUSED: MoveVerdict = { kind: 'refused' }
const moves = (): MoveVerdict => MOVES
const refused = (): MoveVerdict => REFUSED
const onlyIf = (condition: MoveCondition): MoveVerdict => ({ kind: 'only-if', condition })
const novaKnows = (what: KnownToNova): MoveVerdict => ({ kind: 'nova-knows', what })

/** From this minor on Nova has at least this release (rest_api_version_history.rst, "Maximum in"). */
const MINOR = { train: 79, wallaby: 88, zed: 93, caracal: 96, epoxy: 100, gazpacho: 103 } as const

/** Releases before the named one refuse the move; a Nova of unknown release may be either. */
function since({ novaMinor }: MoveSubject, minor: number, then: MoveVerdict, unknown: KnownToNova): MoveVerdict {
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

/** Every rule by which Nova refuses a move because of the instance, or moves it on a condition (docs/moves.md). */
const RULES = {
  accelerators: {
    has: ({ instance }) => traitIf('Accelerator', specOf(instance, 'accel:device_profile')),
    live: refused,
    cold: refused,
    remedy: 'OwnerActs',
  },
  'accelerator-ports': {
    has: ({ ports }) => portsOf(ports, ({ vnicType }) => ACCELERATED.has(vnicType)),
    live: refused,
    cold: refused,
    remedy: 'OwnerActs',
  },
  'memory-encryption': {
    has: ({ instance }) =>
      isTrue(specOf(instance, 'hw:mem_encryption')) || isTrue(instance.imageProperties?.hw_mem_encryption)
        ? { code: 'EncryptedMemory' }
        : null,
    live: refused,
    cold: moves,
    remedy: 'MoveCold',
  },
  vtpm: {
    has: ({ instance }) =>
      traitIf('EmulatedTpm', specOf(instance, 'hw:tpm_version') ?? instance.imageProperties?.hw_tpm_version),
    live: subject =>
      specOf(subject.instance, 'hw:tpm_secret_security') === 'host'
        ? since(subject, MINOR.gazpacho, onlyIf({ code: 'CellComputesOfRelease', release: '2026.1' }), {
            code: 'ReleaseMovesHostSecret',
            release: '2026.1',
          })
        : REFUSED,
    cold: () => onlyIf({ code: 'KeyManagerGivesSecret' }),
    remedy: 'MoveCold',
  },
  'pci-passthrough': {
    has: ({ instance }) => traitIf('PciDevice', specOf(instance, 'pci_passthrough:alias')),
    live: subject =>
      since(subject, MINOR.epoxy, novaKnows({ code: 'AliasAndFreeDevice' }), {
        code: 'ReleaseAndAlias',
        release: '2025.1',
      }),
    cold: () => novaKnows({ code: 'FreeDevice' }),
    remedy: 'MoveCold',
  },
  vgpu: {
    has: ({ instance }) => traitIf('VirtualGpu', resourceOf(instance, /^(VGPU|CUSTOM_.*VGPU.*)$/)),
    live: subject =>
      since(subject, MINOR.caracal, onlyIf({ code: 'MediatedDevicesAgree' }), {
        code: 'ReleaseMovesThem',
        release: '2024.1',
      }),
    cold: moves,
    remedy: 'MoveCold',
  },
  'persistent-memory': {
    has: ({ instance }) => traitIf('PersistentMemory', specOf(instance, 'hw:pmem')),
    live: subject =>
      // Compute services of version 51 do; Wallaby's API starts beside no older one.
      since(subject, MINOR.wallaby, MOVES, { code: 'ComputesOfVersion', version: 51 }),
    cold: moves,
    remedy: 'MoveCold',
  },
  'vdpa-ports': {
    has: ({ ports }) => portsOf(ports, ({ vnicType }) => vnicType === 'vdpa'),
    live: subject =>
      since(subject, MINOR.zed, onlyIf({ code: 'ComputesOfReleasePortAway', release: 'Zed' }), {
        code: 'ComputesOfRelease',
        release: 'Zed',
      }),
    cold: () => novaKnows({ code: 'FreeDevice' }),
    remedy: 'MoveCold',
  },
  'direct-ports': {
    has: ({ ports }) => portsOf(ports, ({ vnicType }) => DIRECT.has(vnicType)),
    live: subject =>
      since(subject, MINOR.train, onlyIf({ code: 'BindingExtended' }), { code: 'ReleaseMovesThem', release: 'Train' }),
    cold: () => novaKnows({ code: 'FreeDevice' }),
    remedy: 'MoveCold',
  },
  'ports-with-resources': {
    has: ({ ports }) => {
      const withRequest = (ports ?? []).filter(({ hasResourceRequest }) => hasResourceRequest)
      return withRequest.length === 0 ? null : { code: 'PortsWithBandwidth', ports: withRequest.length }
    },
    live: () => novaKnows({ code: 'FreeBandwidth' }),
    cold: () => novaKnows({ code: 'FreeBandwidth' }),
    remedy: 'OwnerActs',
  },
  numa: {
    has: ({ instance }) => numaOf(instance),
    live: subject => sinceTrain(subject, { code: 'FreeProcessors' }),
    cold: () => novaKnows({ code: 'FreeProcessors' }),
    remedy: 'MoveCold',
  },
  'huge-pages': {
    has: ({ instance }) =>
      traitIf('PageSize', specOf(instance, 'hw:mem_page_size') ?? instance.imageProperties?.hw_mem_page_size),
    live: subject => sinceTrain(subject, { code: 'FreePages' }),
    cold: () => novaKnows({ code: 'FreePages' }),
    remedy: 'MoveCold',
  },
  'local-disks': {
    has: ({ instance }) => {
      const gib = localGib(instance)
      return gib === null || gib === 0 ? null : { code: 'DiskOnHypervisor', gib }
    },
    live: ({ instance }) => ({ kind: 'copies', gib: localGib(instance) ?? 0 }),
    cold: ({ instance }) => ({ kind: 'copies', gib: localGib(instance) ?? 0 }),
    remedy: 'OwnerActs',
  },
  'config-drive': {
    has: ({ instance }) => (instance.hasConfigDrive === true ? { code: 'ConfigDrive' } : null),
    live: ({ instance }) => (localGib(instance) === 0 ? MOVES : onlyIf({ code: 'DisksAreShared' })),
    cold: moves,
    remedy: 'MoveCold',
  },
  'encrypted-volumes': {
    has: ({ volumes }) => (volumes?.some(({ encrypted }) => encrypted) === true ? { code: 'EncryptedVolume' } : null),
    live: () => onlyIf({ code: 'KeyManagerGivesVolumeKey' }),
    cold: () => onlyIf({ code: 'KeyManagerGivesVolumeKey' }),
    remedy: 'OwnerActs',
  },
  'multi-attached-volumes': {
    has: ({ volumes }) => (volumes?.some(({ multiattach }) => multiattach) === true ? { code: 'SharedVolume' } : null),
    live: moves,
    cold: moves,
    remedy: 'OwnerActs',
  },
  'secure-boot': {
    has: ({ instance }) =>
      (specOf(instance, 'os:secure_boot') ?? instance.imageProperties?.os_secure_boot) === 'required'
        ? { code: 'SecureBoot' }
        : instance.imageProperties?.hw_firmware_type === 'uefi'
          ? { code: 'Uefi' }
          : null,
    live: moves,
    cold: moves,
    remedy: 'OwnerActs',
  },
  'scheduler-hints': {
    has: ({ instance }) => {
      const hints = Object.keys(instance.schedulerHints ?? {}).filter(hint => HINTS.has(hint))
      return hints.length === 0 ? null : { code: 'SchedulerHints', hints }
    },
    live: () => novaKnows({ code: 'FilterAndItsHosts' }),
    cold: () => novaKnows({ code: 'FilterAndItsHosts' }),
    remedy: 'OwnerActs',
  },
} as const satisfies Readonly<Record<string, RuleEntry>>

export type MoveRule = keyof typeof RULES

export const MOVE_RULES: readonly MoveRule[] = Object.keys(RULES).filter((name): name is MoveRule => name in RULES)

/** Hints that exclude hosts by unreadable facts; `same_host`, `different_host` and groups are readable. */
const HINTS: ReadonlySet<string> = new Set(['query', 'build_near_host_ip'])

/** Every rule that applies to an instance, also harmless ones. */
export function moveObstacles(subject: MoveSubject, way: MoveWay): readonly MoveObstacle[] {
  return MOVE_RULES.flatMap(rule => {
    const entry: RuleEntry = RULES[rule]
    const has = entry.has(subject)
    if (has === null) return []
    const verdict = way === 'live' ? entry.live(subject) : entry.cold(subject)
    return [{ rule, has, way, verdict, remedy: entry.remedy }]
  })
}

function sinceTrain(subject: MoveSubject, what: KnownToNova): MoveVerdict {
  const { novaMinor } = subject
  // The API of Wallaby and newer starts beside no nova-compute older than the previous release.
  if (novaMinor !== null && novaMinor >= MINOR.wallaby) return novaKnows(what)
  return since(subject, MINOR.train, onlyIf({ code: 'CellComputesOfRelease', release: 'Train' }), {
    code: 'ComputesOfRelease',
    release: 'Train',
  })
}

function specOf({ flavor }: Pick<Instance, 'flavor'>, key: string): string | undefined {
  return flavor?.extraSpecs[key]
}

function resourceOf({ flavor }: Pick<Instance, 'flavor'>, wanted: RegExp): string | undefined {
  return Object.keys(flavor?.extraSpecs ?? {}).find(key =>
    wanted.test(/^resources[a-zA-Z0-9_-]{0,64}:(.*)$/.exec(key)?.[1] ?? ''),
  )
}

function numaOf(instance: Instance): MoveTrait | null {
  const image = instance.imageProperties ?? {}
  const policy = specOf(instance, 'hw:cpu_policy') ?? image.hw_cpu_policy
  if (policy === 'dedicated' || policy === 'mixed' || resourceOf(instance, /^PCPU$/) !== undefined) {
    return { code: 'PinnedProcessors' }
  }
  return traitIf('NumaNodes', specOf(instance, 'hw:numa_nodes') ?? image.hw_numa_nodes)
}

function traitIf(code: PlainTrait, value: string | undefined): MoveTrait | null {
  return value === undefined ? null : { code }
}

function portsOf(ports: readonly InstancePort[] | null, isOfKind: (port: InstancePort) => boolean): MoveTrait | null {
  const counted = (ports ?? []).filter(isOfKind)
  if (counted.length === 0) return null
  return { code: 'PortsOfKind', ports: counted.length, kinds: [...new Set(counted.map(({ vnicType }) => vnicType))] }
}

/** GiB on the hypervisor; null if unknown. In an older record, having a volume means booting from it. */
function localGib({ bootsFromVolume, flavor, volumeIds }: Instance): number | null {
  if (flavor === null) return null
  const root = (bootsFromVolume ?? volumeIds.length > 0) ? 0 : flavor.diskGib
  return root + flavor.ephemeralGib + Math.ceil(flavor.swapMib / 1024)
}
