/** The vault's names for the secrets of a webhook. */
export function webhookPart(hook: string): { readonly url: string; readonly key: string } {
  return { url: `webhook/${hook} url`, key: `webhook/${hook} key` }
}

/** The token or password of a cluster's Alertmanager. */
export const ALERTMANAGER_PART = 'alertmanager'

/** The token or password of a cluster's Prometheus. */
export const PROMETHEUS_PART = 'prometheus'
