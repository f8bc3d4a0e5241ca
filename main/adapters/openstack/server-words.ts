import { z } from 'zod'
import { serverJsonOf } from '../../../shared/domain/json.ts'
import { firstWords } from '../../../shared/grammar/first-words.ts'
import type { RoleNeeded } from '../../../shared/words/reasons/openstack-policy.ts'
import type { ServiceType } from './services.ts'

/** Placement, and newer errors of others. */
const ErrorList = z.object({
  errors: z.tuple([z.object({ detail: z.string().optional(), title: z.string().optional() })], z.unknown()),
})

/** Watcher: JSON inside JSON, or plain text. */
const ErrorMessage = z.object({ error_message: z.union([z.string(), z.object({ faultstring: z.string() })]) })

const Fault = z.object({ faultstring: z.string() })

/** Keystone `error`, Nova `badRequest`, `forbidden`, `itemNotFound`, `conflictingRequest`, `computeFault` and so on, Neutron `NeutronError`. */
const Named = z.record(z.string(), z.object({ message: z.string().min(1) }))

const MOST_CHARACTERS = 500

/** The message in an error body of any OpenStack service; null without one (a proxy's page, an empty body). */
export function serverWords(body: string): string | null {
  const words = wordsIn(serverJsonOf(body))
  const shown = words === null ? '' : firstWords(words, MOST_CHARACTERS)
  return shown === '' ? null : shown
}

/** An error under its own key: Nova's and Cinder's for the two refusals in use (their `api/openstack/wsgi.py`, Fault), and Keystone's. */
const serviceError = (name: string) => {
  const schema = z.object({ [name]: z.object({ code: z.number().optional(), message: z.string() }) })
  return (document: unknown, status: number): boolean => {
    const fault = schema.safeParse(document)
    return fault.success && (fault.data[name]?.code ?? status) === status
  }
}
const FAULTS: Readonly<Record<number, ReturnType<typeof serviceError>>> = {
  404: serviceError('itemNotFound'),
  409: serviceError('conflictingRequest'),
}
const isKeystoneError = serviceError('error')

const NeutronError = z.object({ NeutronError: z.object({ message: z.string() }) })
const PlacementErrors = z.object({ errors: z.tuple([z.object({ status: z.number() })], z.unknown()) })

/** Whether a 404 or 409 is the service's own word about the object: an answer of a proxy, of a router without that path or of another service proves nothing. */
export function isOwnRefusal(service: ServiceType, status: number, body: string): boolean {
  const document = serverJsonOf(body)
  switch (service) {
    case 'compute':
    case 'block-storage':
    case 'image':
    case 'instance-ha':
      return FAULTS[status]?.(document, status) ?? false
    case 'identity':
      return isKeystoneError(document, status)
    case 'network':
      return NeutronError.safeParse(document).success
    case 'placement': {
      const list = PlacementErrors.safeParse(document)
      return list.success && list.data.errors[0].status === status
    }
    case 'infra-optim': {
      const reported = ErrorMessage.safeParse(document)
      const message = reported.success ? reported.data.error_message : null
      return Fault.safeParse(typeof message === 'string' ? serverJsonOf(message) : message).success
    }
  }
}

function wordsIn(document: unknown): string | null {
  const list = ErrorList.safeParse(document)
  if (list.success) return list.data.errors[0].detail ?? list.data.errors[0].title ?? null
  const inner = ErrorMessage.safeParse(document)
  if (inner.success) {
    const message = inner.data.error_message
    const fault = Fault.safeParse(typeof message === 'string' ? serverJsonOf(message) : message)
    return fault.success ? fault.data.faultstring : typeof message === 'string' ? message : null
  }
  const named = Named.safeParse(document)
  return named.success ? (Object.values(named.data)[0]?.message ?? null) : null
}

/** The default roles of OpenStack's policies, where it is not simply `admin` (domain.md C.4, "Minimum RBAC"). */
const ROLES: readonly (readonly [RegExp, RoleNeeded['kind']])[] = [
  [
    /^os_compute_api:(os-migrate-server:migrate(_live)?|servers:migrations:(force_complete|delete))$/,
    'admin-or-manager',
  ],
  [/^os_compute_api:os-server-tags:/, 'admin-or-member'],
  [/^os_compute_api:servers:confirm_resize$/, 'admin-or-member'],
]

/** Services that refuse an unscoped token whatever its roles (seen: Nova 34 and Placement 16; Watcher 17 accepts it). */
const FOR_A_PROJECT = /^(os_compute_api|placement):/

/** The default role of a policy rule; `projectName` is the login's project. */
export function roleFor(rule: string, projectName: string | null): RoleNeeded {
  return {
    kind: ROLES.find(([pattern]) => pattern.test(rule))?.[1] ?? 'admin',
    needsProject: projectName === null && FOR_A_PROJECT.test(rule),
  }
}

/** The rule that a 403 names: "Policy doesn't allow X to be performed" (Nova), "(rule:X) is disallowed by policy" (Neutron), "… requested action: X." (Keystone). */
export function ruleIn(text: string): string | null {
  const match =
    /Policy (?:doesn'?t|does not) allow ([\w.:-]+) to be performed/i.exec(text) ??
    /rule:([\w.:-]+).*is disallowed by policy/i.exec(text) ??
    /not authorized to perform the requested action: (\w+:[\w:-]+)/i.exec(text)
  return match?.[1] ?? null
}
