import type { Cluster } from '../../../shared/domain/cluster.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { type SignalEndpoint, signalsOf } from '../../../shared/domain/signals.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { SignalSecrets } from '../../clusters/signal-secrets.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { readNamedText } from '../../platform/files/named-file.ts'
import type { PrometheusPort } from '../../ports/prometheus.ts'
import { createAlertmanagerPort } from './alertmanager/alertmanager-port.ts'
import type { AlertmanagerPort } from './ports/alertmanager.ts'
import { createPrometheusPort } from './prometheus/prometheus-port.ts'
import { ALERTMANAGER_PART, PROMETHEUS_PART } from './secret-parts.ts'

export interface SignalPorts {
  readonly alertmanagerOf: (cluster: Cluster) => Promise<Result<AlertmanagerPort>>
  /** Null if not configured. */
  readonly prometheusOf: (cluster: Cluster) => PrometheusPort | null
}

/** Reads the login and the CA file again for each request. */
export function openSignalPorts(options: {
  readonly secrets: SignalSecrets
  readonly registerSecret: (secret: string) => void
  readonly clock: Clock
}): SignalPorts {
  const { secrets, registerSecret, clock } = options
  const how = { clock, environment: process.env }
  const accessTo = async (cluster: string, part: string, { url, login, caFile }: SignalEndpoint) => {
    const secret = login.kind === 'none' ? ok(null) : secrets.read(cluster, part)
    if (!secret.ok) return secret
    const ca = caFile === null ? ok(null) : await readNamedText(caFile)
    if (!ca.ok) return ca
    const authorization = secret.value === null ? null : authorizationOf(login, secret.value)
    for (const each of [secret.value, authorization]) if (each !== null) registerSecret(each)
    return ok({ url, authorization, ca: ca.value })
  }
  return {
    alertmanagerOf: async cluster => {
      const { alertmanager } = signalsOf(cluster)
      if (alertmanager === null)
        return failed(refusal('not-found', because('NoAlertmanagerSet', { cluster: cluster.name })))
      const access = await accessTo(cluster.name, ALERTMANAGER_PART, alertmanager.endpoint)
      return access.ok ? ok(createAlertmanagerPort(access.value, how)) : access
    },
    prometheusOf: cluster => {
      const { health } = signalsOf(cluster)
      if (health === null) return null
      return {
        query: async (text, signal) => {
          const access = await accessTo(cluster.name, PROMETHEUS_PART, health.endpoint)
          return access.ok ? createPrometheusPort(access.value, how).query(text, signal) : access
        },
      }
    },
  }
}

function authorizationOf(login: SignalEndpoint['login'], secret: string): string {
  if (login.kind === 'basic') return `Basic ${Buffer.from(`${login.user}:${secret}`).toString('base64')}`
  return `Bearer ${secret}`
}
