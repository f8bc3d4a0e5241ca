import { needsOf } from './destinations.ts'
import type { Instance } from './openstack.ts'

export type PlacementNeeds = Readonly<Record<string, string>>

/** `resources:VGPU`, `trait:HW_CPU_X86_AVX2`, or either in its own group (`resources1:`) (nova/scheduler/utils.py, XS_KEYPAT). */
const EXTRA_SPEC = /^(resources|trait)([a-zA-Z0-9_-]{1,64})?:(.*)$/

/** What Nova's scheduler requests besides processors, memory and disk (nova/scheduler/utils.py, ResourceRequest). Null if there is nothing, or it is unknown. */
export function specialNeedsOf(
  instance: Pick<Instance, 'flavor' | 'volumeIds' | 'imageProperties'>,
): PlacementNeeds | null {
  const plain = needsOf(instance)
  if (instance.flavor === null || plain === null) return null
  const { extraSpecs } = instance.flavor
  const image = instance.imageProperties ?? {}
  const resources = new Map<string, Map<string, number>>()
  const traits = new Map<string, Set<string>>()
  const addResource = (group: string, name: string, amount: number) =>
    resources.set(group, new Map([...(resources.get(group) ?? []), [name, amount]]))
  const addTrait = (group: string, trait: string) => traits.set(group, new Set([...(traits.get(group) ?? []), trait]))

  for (const [key, value] of Object.entries(extraSpecs)) {
    const [, kind, group = '', name = ''] = EXTRA_SPEC.exec(key) ?? []
    if (kind === 'resources') addResource(group, name, Number(value))
    if (kind === 'trait' && value === 'required') addTrait(group, name)
    if (kind === 'trait' && value === 'forbidden') addTrait(group, `!${name}`)
  }
  for (const trait of ownTraits(extraSpecs, image)) addTrait('', trait)
  if (isTrue(extraSpecs['hw:mem_encryption']) || isTrue(image.hw_mem_encryption)) {
    addResource('', 'MEM_ENCRYPTION_CONTEXT', 1)
  }
  for (const label of (extraSpecs['hw:pmem'] ?? '').split(',').filter(each => each !== '')) {
    const name = `CUSTOM_PMEM_NAMESPACE_${label.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`
    addResource('', name, (resources.get('')?.get(name) ?? 0) + 1)
  }
  if (resources.size === 0 && traits.size === 0) return null

  // The flavor's own figures count only where no extra spec of any group replaces them.
  const said = new Set([...resources.values()].flatMap(group => [...group.keys()]))
  const own = Object.entries(plain).filter(
    ([name]) => !said.has(name) && !(name === 'VCPU' && said.has('PCPU')) && !(name === 'PCPU' && said.has('VCPU')),
  )
  for (const [name, amount] of own) addResource('', name, amount)
  return {
    ...Object.fromEntries(
      [...resources].flatMap(([group, wanted]) => {
        const asked = [...wanted].filter(([, amount]) => amount > 0).map(([name, amount]) => `${name}:${amount}`)
        return asked.length === 0 ? [] : [[`resources${group}`, asked.join(',')]]
      }),
    ),
    ...Object.fromEntries([...traits].map(([group, names]) => [`required${group}`, [...names].join(',')])),
    ...([...resources.keys()].filter(group => group !== '').length > 1
      ? { group_policy: extraSpecs.group_policy ?? 'none' }
      : {}),
  }
}

/** Nova adds these traits without the flavor naming them. */
function ownTraits(
  extraSpecs: Readonly<Record<string, string>>,
  image: Readonly<Record<string, string>>,
): readonly string[] {
  // Newer releases also request a trait of the model; a Placement without it would refuse the whole query.
  const version = extraSpecs['hw:tpm_version'] ?? image.hw_tpm_version
  const secureBoot = extraSpecs['os:secure_boot'] ?? image.os_secure_boot
  return [
    ...(version === undefined ? [] : [version === '1.2' ? 'COMPUTE_SECURITY_TPM_1_2' : 'COMPUTE_SECURITY_TPM_2_0']),
    ...(secureBoot === 'required' ? ['COMPUTE_SECURITY_UEFI_SECURE_BOOT'] : []),
  ]
}

/** Reads a boolean as oslo_utils.strutils, bool_from_string. */
export function isTrue(value: string | undefined): boolean {
  return /^(1|t|true|on|y|yes)$/i.test(value?.trim() ?? '')
}
