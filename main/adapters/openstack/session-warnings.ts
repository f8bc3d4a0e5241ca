import type { SessionWarning } from '../../../shared/domain/cluster.ts'
import type { ResolvedCloud } from './resolved-cloud.ts'

/** What is unsafe about the way to a cloud (it works, with a visible warning). Nothing leaves the machine on loopback. */
export function warningsOf(
  cloud: Pick<ResolvedCloud, 'name' | 'insecure'>,
  keystone: string,
): readonly SessionWarning[] {
  const url = new URL(keystone)
  const warnings: SessionWarning[] = []
  if (cloud.insecure) {
    warnings.push({
      code: 'tls-not-verified',
      message: `Certificates of cloud ${cloud.name} are not verified (insecure or verify: false in clouds.yaml): anybody on the way can read the password. Name the authority with cacert instead.`,
    })
  }
  if (url.protocol === 'http:' && !['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) {
    warnings.push({
      code: 'plain-http',
      message: `Keystone of cloud ${cloud.name} at ${url.host} is reached without encryption: anybody on the way can read the password. Use an https auth_url.`,
    })
  }
  return warnings
}
