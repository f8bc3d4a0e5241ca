import type { CloudSituation } from '../situations.ts'
import { FILES } from './files.ts'
import { LOGINS } from './logins.ts'
import { PLACES } from './places.ts'

/** Every situation of openstacksdk, by name. */
export const CLOUDS: readonly CloudSituation[] = [...LOGINS, ...PLACES, ...FILES]
