import type { Failure } from '../../../shared/domain/failure.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { type FaultHints, faultOf } from '../http/faults.ts'
import type { SocketFailure } from './juju-socket.ts'

export function connectFailure(controller: string, endpoint: string, trouble: SocketFailure): Failure {
  const target = `juju/${controller}`
  const where = { controller, endpoint }
  switch (trouble.kind) {
    case 'aborted':
      return refusal('aborted', because('StoppedBeforeJujuConnected', where), { target })
    case 'timed-out':
      return refusal('unreachable', because('JujuSilent', where), { target })
    case 'broken': {
      const { kind, fault } = faultOf(trouble.code, HINTS)
      return refusal('unreachable', because('JujuConnectFailed', { ...where, fault }), {
        target,
        detail: `${trouble.code}: ${trouble.text}`,
        retryable: kind !== 'tls',
      })
    }
    case 'no-address':
      return refusal('unreachable', because('JujuEndpointNoAddress', where), {
        target,
        detail: trouble.text,
        retryable: false,
      })
  }
}

const HINTS: FaultHints = {
  authority: because('CorrectJujuAuthority'),
  serverName: because('OtherThanJujuListens'),
  clientCertificate: because('CorrectClusterSettings'),
}

export function loginFailure(controller: string, user: string, text: string): Failure {
  const target = `juju/${controller}`
  const who = { controller, user }
  if (/granted permission to a model|invalid entity name or password/.test(text)) {
    return refusal('unauthenticated', because('JujuPasswordRefused', who), { target })
  }
  if (/macaroon|discharge/.test(text)) return refusal('unauthenticated', because('JujuWantsBrowser', who), { target })
  if (/'login' permission|permission denied/.test(text)) {
    return refusal('not-permitted', because('JujuLoginForbidden', who), { target })
  }
  return refusedFailure(target, call('LogInToJuju', who), text)
}

export function refusedFailure(target: string, doing: Finding, text: string): Failure {
  const more = { target, detail: text }
  const refused = { call: doing, cause: text }
  if (/permission denied|unauthorized/i.test(text))
    return refusal('not-permitted', because('JujuForbids', refused), more)
  if (/not found|unknown model|no such/i.test(text))
    return refusal('not-found', because('JujuHasNoSuch', refused), more)
  if (/blocked/i.test(text)) return refusal('conflict', because('JujuChangesBlocked', refused), more)
  if (/not defined on unit|not valid|validation|schema/i.test(text)) {
    return refusal('bad-input', because('JujuInputRefused', refused), more)
  }
  if (/too many|rate limit|try again/i.test(text)) return refusal('throttled', because('JujuThrottles', refused), more)
  return refusal('server-fault', because('JujuFaulty', refused), more)
}
