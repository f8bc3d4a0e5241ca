import { recordNamed } from '../../../../shared/domain/machine-names.ts'

/** In the order of enabling; MicroOVN itself places `central` on three nodes. */
const NEEDED = ['switch', 'chassis'] as const

/** Reads `- name (address)`, then `Services: a, b` (MicroOVN `cmd/microovn/status.go`). */
export function servicesOfMember(stdout: string, member: string): readonly string[] {
  const lines = stdout.split('\n').map(line => line.trim())
  const members = lines.flatMap((line, at) => {
    const name = /^- (\S+) \(/.exec(line)?.[1]
    return name === undefined ? [] : [{ name, reported: lines[at + 1] ?? '' }]
  })
  const own = recordNamed([member], members, ({ name }) => name)
  const listed = /^Services:(.*)$/.exec(own?.reported ?? '')?.[1]
  return (listed ?? '')
    .split(',')
    .map(service => service.trim())
    .filter(service => service !== '')
}

export function missingServices(services: readonly string[]): readonly string[] {
  return NEEDED.filter(service => !services.includes(service))
}
