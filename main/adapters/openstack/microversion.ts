import { z } from 'zod'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { SERVICES, type ServiceType } from './services.ts'

export interface Microversion {
  readonly major: number
  readonly minor: number
}

/** Nova returns one version; Placement a list with another name for the maximum. */
const Version = z.object({
  version: z.string().optional(),
  max_version: z.string().optional(),
  min_version: z.string().optional(),
})
const VersionDocument = z.union([z.object({ version: Version }), z.object({ versions: z.array(Version) })])

/** Whether a document is a version answer; Watcher's says little, its headers the rest. */
export function isVersionDocument(document: unknown): boolean {
  return VersionDocument.safeParse(document).success || z.object({ id: z.literal('v1') }).safeParse(document).success
}

/** Chooses the newest microversion that both sides know, at most `cap` (domain.md C.4). */
export function chooseMicroversion(
  service: ServiceType,
  document: unknown,
  cap: string | undefined,
): Result<Microversion | null> {
  const { name, microversions } = SERVICES[service]
  if (microversions === null) return ok(null)
  const parsed = VersionDocument.safeParse(document)
  const offered = parsed.success ? newest(parsed.data) : null
  const least = parseMicroversion(microversions.least)
  const known = parseMicroversion(microversions.known)
  if (offered === null || least === null || known === null) {
    return failed(refusal('server-fault', because('ApiVersionsNotTold', { service: name })))
  }
  const limits = [offered, known, ...(cap === undefined ? [] : [parseMicroversion(cap) ?? known])]
  const chosen = limits.reduce((a, b) => (isAtLeast(a, b) ? b : a))
  if (!isAtLeast(chosen, least)) {
    return failed(
      refusal(
        'bad-input',
        because('ApiTooOld', {
          service: name,
          version: versionText(chosen),
          needed: microversions.least,
          isLimited: isAtLeast(offered, least),
        }),
      ),
    )
  }
  return ok(chosen)
}

function newest(document: z.infer<typeof VersionDocument>): Microversion | null {
  const all = 'versions' in document ? document.versions : [document.version]
  return all
    .map(each => parseMicroversion(each.max_version ?? each.version ?? ''))
    .reduce((best, each) => (best === null || (each !== null && isAtLeast(each, best)) ? each : best), null)
}

function parseMicroversion(text: string): Microversion | null {
  const match = /^(\d+)\.(\d+)$/.exec(text)
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]) }
}

export function isAtLeast(a: Microversion, b: Microversion): boolean {
  return a.major > b.major || (a.major === b.major && a.minor >= b.minor)
}

export function versionText(version: Microversion): string {
  return `${version.major}.${version.minor}`
}
