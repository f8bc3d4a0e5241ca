import type { KubeconfigEntry } from './kubeconfig.ts'
import { rawList, rawObject, rawText } from './raw.ts'

/** What two settings of a cluster or a user mean together, that kubectl takes for nothing usable (client-go clientcmd/validation.go). */
type ClusterFault = 'authority-twice' | 'authority-unchecked'

/** The same of a user. */
type UserFault =
  | 'certificate-twice'
  | 'key-twice'
  | 'certificate-without-key'
  | 'key-without-certificate'
  | 'token-and-password'
  | 'command-and-provider'
  | 'provider-without-name'
  | 'interactive-mode-missing'
  | 'interactive-mode-unknown'
  | 'acts-as-nobody'

/** Why a cluster cannot be used as it is written; null: it can. */
export function clusterFault(cluster: KubeconfigEntry): ClusterFault | null {
  const [file, data] = filesOf(cluster, 'certificate-authority')
  if (file && data) return 'authority-twice'
  // Which of both is meant, nobody can tell; going on unchecked would be the worse guess.
  return (file || data) && cluster.fields['insecure-skip-tls-verify'] === true ? 'authority-unchecked' : null
}

/** Why a user cannot be used as it is written; null: it can. */
export function userFault(user: KubeconfigEntry): UserFault | null {
  const { fields } = user
  const has = (name: string) => rawText(fields[name]) !== ''
  const [certificateFile, certificateData] = filesOf(user, 'client-certificate')
  const [keyFile, keyData] = filesOf(user, 'client-key')
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
  // Only whoever acts as somebody has groups of somebody: otherwise they would be asked for with the user's own rights.
  const hasMore =
    has('as-uid') ||
    rawList(fields['as-groups']).length > 0 ||
    Object.keys(rawObject(fields['as-user-extra'])).length > 0
  return hasMore && !has('as') ? 'acts-as-nobody' : null
}

/** Version 1 has to say whether the command may ask somebody; before, it might. */
function modeFault(exec: ReturnType<typeof rawObject>): UserFault | null {
  const mode = rawText(exec.interactiveMode)
  if (mode === '') return rawText(exec.apiVersion).endsWith('/v1') ? 'interactive-mode-missing' : null
  return ['Never', 'IfAvailable', 'Always'].includes(mode) ? null : 'interactive-mode-unknown'
}

/** Whether an entry has something in a file, and as data. */
function filesOf({ fields }: KubeconfigEntry, name: string): readonly [boolean, boolean] {
  return [rawText(fields[name]) !== '', rawText(fields[`${name}-data`]) !== '']
}
