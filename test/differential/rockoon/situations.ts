import { BACK } from './situations-back.ts'
import { CLUSTER } from './situations-cluster.ts'
import { NODE } from './situations-node.ts'

/** Every situation that Rockoon and our OpenStack Controller are asked about. */
export const SITUATIONS = [...CLUSTER, ...NODE, ...BACK]
