import type { JujuAccess } from '../../../shared/domain/role-maintenance.ts'

/** A Juju controller as it is edited, in two ways; both keep their text, and one is used. */
export interface JujuDraft {
  readonly kind: 'none' | JujuAccess['kind']
  readonly model: string
  readonly directory: string
  readonly controller: string
  /** One per line. */
  readonly endpoints: string
  readonly caCertificate: string
  readonly user: string
  readonly passwordFile: string
}

const EMPTY: JujuDraft = {
  kind: 'none',
  model: '',
  directory: '',
  controller: '',
  endpoints: '',
  caCertificate: '',
  user: '',
  passwordFile: '',
}

/** The current setting of a cluster as a draft. */
export function draftOf(juju: JujuAccess | null): JujuDraft {
  if (juju === null) return EMPTY
  return juju.kind === 'client-files'
    ? { ...EMPTY, ...juju }
    : { ...EMPTY, ...juju, endpoints: juju.endpoints.join('\n') }
}

/** The setting that a draft describes, or what is missing, in a sentence. */
type DraftedJuju =
  | { readonly ok: true; readonly juju: JujuAccess | null }
  | { readonly ok: false; readonly missing: string }

/** Reads a draft, only from the way in use. */
export function jujuOf(draft: JujuDraft): DraftedJuju {
  const missing = missingIn(draft)
  if (missing !== null) return { ok: false, missing }
  const model = draft.model.trim()
  switch (draft.kind) {
    case 'none':
      return { ok: true, juju: null }
    case 'client-files':
      return {
        ok: true,
        juju: { kind: 'client-files', directory: draft.directory.trim(), controller: draft.controller.trim(), model },
      }
    case 'typed':
      return {
        ok: true,
        juju: {
          kind: 'typed',
          endpoints: endpointsIn(draft.endpoints),
          caCertificate: `${draft.caCertificate.trim()}\n`,
          user: draft.user.trim(),
          passwordFile: draft.passwordFile.trim(),
          model,
        },
      }
  }
}

function endpointsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter(endpoint => endpoint !== '')
}

function missingIn(draft: JujuDraft): string | null {
  if (draft.kind === 'none') return null
  if (draft.kind === 'client-files') {
    if (!draft.directory.trim().startsWith('/'))
      return "Enter the full path of the Juju client's files, starting with /."
    if (draft.controller.trim() === '') return 'Enter the name of the controller, as in `juju controllers`.'
  } else {
    if (endpointsIn(draft.endpoints).length === 0) return 'Enter the address of the controller: host:port.'
    if (!draft.caCertificate.includes('-----BEGIN CERTIFICATE-----')) {
      return "Paste the certificate of the controller's authority, starting with -----BEGIN CERTIFICATE-----."
    }
    if (draft.user.trim() === '') return 'Enter the user.'
    if (!draft.passwordFile.trim().startsWith('/'))
      return 'Enter the full path of the file with the password, starting with /.'
  }
  return draft.model.trim() === '' ? 'Enter the model with the machines, as in `juju models`.' : null
}
