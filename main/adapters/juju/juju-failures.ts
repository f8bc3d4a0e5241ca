import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { type FaultHints, faultOf } from '../http/faults.ts'
import type { SocketTrouble } from './juju-socket.ts'

/** The failure for an endpoint that no connection came to. */
export function connectFailure(controller: string, endpoint: string, trouble: SocketTrouble): Failure {
  const target = `juju/${controller}`
  const where = `Juju controller ${controller} at ${endpoint}`
  switch (trouble.kind) {
    case 'aborted':
      return failure('aborted', `Stopped before ${where} answered.`, { target })
    case 'timed-out':
      return failure(
        'unreachable',
        `${where} did not answer. Look whether its machine runs and the way to it is open.`,
        { target },
      )
    case 'broken': {
      const detail = `${trouble.code}: ${trouble.text}`
      const { kind, words } = faultOf(trouble.code, HINTS)
      return failure('unreachable', `${where} ${words}`, { target, detail, retryable: kind !== 'tls' })
    }
    case 'no-address': {
      const words = 'is not an address such as 10.0.0.1:17070. Correct the endpoint.'
      return failure('unreachable', `${where} ${words}`, { target, detail: trouble.text, retryable: false })
    }
  }
}

/** Where the settings of a controller have what an operator may have to correct. */
const HINTS: FaultHints = {
  authority: "Log in again with `juju login`, or correct the authority in the cluster's settings.",
  serverName: 'It is not for juju-apiserver: something else listens there.',
  clientCertificate: "Correct the cluster's settings.",
}

/** The failure for what a login was refused with; the library has put words of its own for two of Juju's. */
export function loginFailure(controller: string, user: string, text: string): Failure {
  const target = `juju/${controller}`
  if (/granted permission to a model|invalid entity name or password/.test(text)) {
    return failure(
      'unauthenticated',
      `Juju controller ${controller} refuses the password of ${user}. Correct it where the cluster's settings say it is, or run \`juju login\`.`,
      { target },
    )
  }
  if (/macaroon|discharge/.test(text)) {
    return failure(
      'unauthenticated',
      `Juju controller ${controller} wants ${user} to log in by a browser, which a maintenance cannot wait for. Use an account with a password (\`juju add-user\`).`,
      { target },
    )
  }
  if (/'login' permission|permission denied/.test(text)) {
    return failure(
      'not-permitted',
      `${user} may not log in to Juju controller ${controller}. Have somebody run \`juju grant ${user} login\`.`,
      { target },
    )
  }
  return refusedFailure(target, `log in to Juju controller ${controller} as ${user}`, text)
}

/** The failure for a call that the controller answered with an error of its own. */
export function refusedFailure(target: string, doing: string, text: string): Failure {
  const more = { target, detail: text }
  const words = `Could not ${doing}: Juju says "${text}".`
  if (/permission denied|unauthorized/i.test(text)) {
    return failure(
      'not-permitted',
      `${words} Actions need write access to the model, commands on machines admin access: have somebody run \`juju grant\`.`,
      more,
    )
  }
  if (/not found|unknown model|no such/i.test(text)) return failure('not-found', words, more)
  if (/blocked/i.test(text)) {
    return failure('conflict', `${words} Changes of the model are blocked: look at \`juju disabled-commands\`.`, more)
  }
  if (/not defined on unit|not valid|validation|schema/i.test(text)) return failure('bad-input', words, more)
  if (/too many|rate limit|try again/i.test(text)) return failure('throttled', `${words} Try again.`, more)
  return failure('server-fault', `${words} Look at \`juju debug-log -m controller\`.`, more)
}
