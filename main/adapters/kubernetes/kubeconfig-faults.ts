import { type RawObject, rawList, rawObject, rawText } from './raw.ts'

/** Combined settings that kubectl rejects (client-go clientcmd/validation.go). */
type ClusterFault = 'authority-twice' | 'authority-unchecked'

type UserFault =
  | 'certificate-twice'
  | 'key-twice'
  | 'certificate-without-key'
  | 'key-without-certificate'
  | 'token-and-password'
  | 'command-and-provider'
  | 'provider-without-name'
  | 'command-missing'
  | 'interactive-mode-missing'
  | 'interactive-mode-unknown'
  | 'acts-as-nobody'
  | 'acts-as-no-name'

export function clusterFault(fields: RawObject): ClusterFault | null {
  const [file, data] = filesOf(fields, 'certificate-authority')
  if (file && data) return 'authority-twice'
  // The intention is unclear, and connecting unverified would be the worse guess.
  return (file || data) && fields['insecure-skip-tls-verify'] === true ? 'authority-unchecked' : null
}

export function userFault(fields: RawObject): UserFault | null {
  const has = (name: string) => rawText(fields[name]) !== ''
  const [certificateFile, certificateData] = filesOf(fields, 'client-certificate')
  const [keyFile, keyData] = filesOf(fields, 'client-key')
  const hasCertificate = certificateFile || certificateData
  const hasKey = keyFile || keyData
  if (certificateFile && certificateData) return 'certificate-twice'
  if (keyFile && keyData) return 'key-twice'
  if (hasCertificate && !hasKey) return 'certificate-without-key'
  if (hasKey && !hasCertificate) return 'key-without-certificate'
  if ((has('token') || has('tokenFile')) && (has('username') || has('password'))) return 'token-and-password'
  const hasExec = fields.exec !== undefined && fields.exec !== null
  const hasProvider = fields['auth-provider'] !== undefined && fields['auth-provider'] !== null
  if (hasExec && hasProvider) return 'command-and-provider'
  if (hasProvider && rawText(rawObject(fields['auth-provider']).name) === '') return 'provider-without-name'
  if (hasExec) {
    const fault = modeFault(rawObject(fields.exec))
    if (fault !== null) return fault
  }
  // Groups need an impersonated user: otherwise the user would claim them with their own rights.
  const hasMore =
    has('as-uid') ||
    rawList(fields['as-groups']).length > 0 ||
    Object.keys(rawObject(fields['as-user-extra'])).length > 0
  if (hasMore && !has('as')) return 'acts-as-nobody'
  return namesIn([fields.as, fields['as-uid'], fields['as-groups'], fields['as-user-extra']]).some(hasControls)
    ? 'acts-as-no-name'
    : null
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : []
}

function hasControls(text: string): boolean {
  return [...text].some(sign => sign < ' ' || sign === '\u007f')
}

/** Version 1 requires interactiveMode; earlier versions allow interaction. */
function modeFault(exec: ReturnType<typeof rawObject>): UserFault | null {
  if (rawText(exec.command) === '') return 'command-missing'
  const mode = rawText(exec.interactiveMode)
  if (mode === '') return rawText(exec.apiVersion).endsWith('/v1') ? 'interactive-mode-missing' : null
  return ['Never', 'IfAvailable', 'Always'].includes(mode) ? null : 'interactive-mode-unknown'
}

function filesOf(fields: RawObject, name: string): readonly [boolean, boolean] {
  return [rawText(fields[name]) !== '', rawText(fields[`${name}-data`]) !== '']
}
