import type { Finding } from '../../../shared/words/steps/coded.ts'

/** A Juju controller with its credentials; kept in memory only. */
export interface ResolvedJuju {
  readonly name: string
  readonly endpoints: readonly string[]
  readonly caCertificate: string
  readonly user: string
  readonly password: string
  /** `admin/openstack-machines`, or its UUID. */
  readonly model: string
  /** Problems that do not prevent a login, such as a password file that others may read. */
  readonly warnings: readonly Finding[]
}
