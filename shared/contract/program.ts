import type { RequestName } from './index.ts'

/** A port of the runner's loopback, which the API server's port-forward reaches. */
export const PROGRAM_PORT = 7373
export const PROGRAM_PATH = '/program'
/** Pages have another protocol. */
export const PROGRAM_PROTOCOL = 'lockkeeper.program.v1'

/** All that an attached console may ask: to read the journal, or to describe the runner. */
export const PROGRAM_REQUESTS: ReadonlySet<RequestName> = new Set<RequestName>([
  'attach.describe',
  'attach.stretch',
  'run.list',
])
