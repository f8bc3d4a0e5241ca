import type { KubeconfigSituation } from '../situations.ts'
import { ADDRESSES } from './addresses.ts'
import { CREDENTIALS } from './credentials.ts'
import { ENCODINGS } from './encodings.ts'
import { EXEC } from './exec.ts'
import { IMPERSONATION } from './impersonation.ts'
import { MERGING } from './merging.ts'
import { PROXIES } from './proxies.ts'
import { SHAPES } from './shapes.ts'
import { TRUST } from './trust.ts'

/** Every situation of kubectl, by name. */
export const KUBECONFIGS: readonly KubeconfigSituation[] = [
  ...ADDRESSES,
  ...TRUST,
  ...CREDENTIALS,
  ...IMPERSONATION,
  ...EXEC,
  ...MERGING,
  ...ENCODINGS,
  ...SHAPES,
  ...PROXIES,
]
