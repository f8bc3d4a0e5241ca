import type { RequestName } from './index.ts'

/** Where a console attaches to a runner: a port of the pod's loopback, which the API server's port-forward reaches. */
export const PROGRAM_PORT = 7373
export const PROGRAM_PATH = '/program'
/** The messages of the socket; those of a page have another name. */
export const PROGRAM_PROTOCOL = 'lockkeeper.program.v1'

/** The requests of an attached console: they only read the journal or describe the runner. None acts, or reads files of the pod. */
export const PROGRAM_REQUESTS: ReadonlySet<RequestName> = new Set<RequestName>([
  'attach.describe',
  'attach.stretch',
  'run.list',
])
