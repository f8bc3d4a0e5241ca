/** The roles that OpenStack's own policies ask for, where it is not simply `admin` (domain.md C.4, "Minimum RBAC"). */
const ROLES: readonly (readonly [RegExp, string])[] = [
  [
    /^os_compute_api:(os-migrate-server:migrate(_live)?|servers:migrations:(force_complete|delete)|os-migrations:index)$/,
    'the role admin (on recent clouds the role manager in the project is enough)',
  ],
  [/^os_compute_api:os-server-tags:/, 'the role member in the project of the instance, or admin'],
  [/^os_compute_api:servers:confirm_resize$/, 'the role member in the project of the instance, or admin'],
]

/** Which role a policy rule asks for by default, in words. */
export function roleFor(rule: string): string {
  return ROLES.find(([pattern]) => pattern.test(rule))?.[1] ?? 'the role admin'
}

/**
 * The rule that a 403 names: "Policy doesn't allow X to be performed" (Nova, Placement), "(rule:X) is disallowed by policy" (Neutron), "You are
 * not authorized to perform the requested action: X." (Keystone).
 */
export function ruleIn(text: string): string | null {
  const match =
    /Policy (?:doesn'?t|does not) allow ([\w.:-]+) to be performed/i.exec(text) ??
    /rule:([\w.:-]+).*is disallowed by policy/i.exec(text) ??
    /not authorized to perform the requested action: (\w+:[\w:-]+)/i.exec(text)
  return match?.[1] ?? null
}
