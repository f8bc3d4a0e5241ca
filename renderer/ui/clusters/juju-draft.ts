import type { JujuAccess } from '../../../shared/domain/role-maintenance.ts'

/** How a Juju controller is named while it is typed: both ways keep what was typed, one counts. */
export interface JujuDraft {
  readonly kind: 'none' | JujuAccess['kind']
  readonly model: string
  readonly directory: string
  readonly controller: string
  /** One a line. */
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

/** What a cluster has now, to be changed. */
export function draftOf(juju: JujuAccess | null): JujuDraft {
  if (juju === null) return EMPTY
  return juju.kind === 'client-files'
    ? { ...EMPTY, ...juju }
    : { ...EMPTY, ...juju, endpoints: juju.endpoints.join('\n') }
}

/** What a draft comes to, or what is still missing, in a sentence. */
type DraftedJuju =
  | { readonly ok: true; readonly juju: JujuAccess | null }
  | { readonly ok: false; readonly missing: string }

/** Reads a draft; nothing of the way that does not count is kept. */
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
    if (!draft.directory.trim().startsWith('/')) return "Give the whole path of the Juju client's files, from / on."
    if (draft.controller.trim() === '') return 'Name the controller, as `juju controllers` does.'
  } else {
    if (endpointsIn(draft.endpoints).length === 0) return 'Say where the controller is: host:port.'
    if (!draft.caCertificate.includes('-----BEGIN CERTIFICATE-----')) {
      return "Paste the certificate of the controller's authority, from -----BEGIN CERTIFICATE----- on."
    }
    if (draft.user.trim() === '') return 'Say who we are there.'
    if (!draft.passwordFile.trim().startsWith('/'))
      return 'Give the whole path of the file with the password, from / on.'
  }
  return draft.model.trim() === '' ? 'Name the model with the machines, as `juju models` does.' : null
}
