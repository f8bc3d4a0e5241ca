import type { Finding } from '../../../shared/words/steps/coded.ts'

/** A Juju controller with everything needed to log in; lives in memory only. */
export interface ResolvedJuju {
  /** How operators call it. */
  readonly name: string
  /** `host:port`, tried in order. */
  readonly endpoints: readonly string[]
  /** PEM. */
  readonly caCertificate: string
  readonly user: string
  readonly password: string
  /** `admin/openstack-machines`, or its UUID. */
  readonly model: string
  /** What is not as it should be but does not stop anybody, such as a password file that others may read. */
  readonly warnings: readonly Finding[]
}
