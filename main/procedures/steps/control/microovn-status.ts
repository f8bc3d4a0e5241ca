/** What a gateway node needs of MicroOVN, in the order in which it is enabled; `central` is placed by MicroOVN on three nodes of its own choice. */
const NEEDED = ['switch', 'chassis'] as const

/** The services that `microovn status` lists for a member (MicroOVN `cmd/microovn/status.go`): `- name (address)`, then `Services: a, b`. */
export function servicesOfMember(stdout: string, member: string): readonly string[] {
  const lines = stdout.split('\n').map(line => line.trim())
  const at = lines.findIndex(line => {
    const name = /^- (\S+) \(/.exec(line)?.[1]
    return name !== undefined && (name === member || first(name) === first(member))
  })
  const listed = at < 0 ? undefined : /^Services:(.*)$/.exec(lines[at + 1] ?? '')?.[1]
  return (listed ?? '')
    .split(',')
    .map(service => service.trim())
    .filter(service => service !== '')
}

/** The services a gateway node lacks. */
export function missingServices(services: readonly string[]): readonly string[] {
  return NEEDED.filter(service => !services.includes(service))
}

function first(name: string): string {
  return name.split('.')[0] ?? name
}
