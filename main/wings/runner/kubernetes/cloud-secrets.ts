import type { V1Secret } from '@kubernetes/client-node'
import { because } from '../../../../shared/words/reasons.ts'
import type { KubernetesObject } from '../../../adapters/kubernetes/answers.ts'
import { MalformedAnswer, objectIn } from '../../../adapters/kubernetes/fields.ts'
import { readMetadata } from '../../../adapters/kubernetes/read-metadata.ts'
import { SECRETS } from '../../../adapters/kubernetes/resource-types.ts'
import type { KubernetesSession } from '../../../adapters/kubernetes/session.ts'
import { watchResource } from '../../../adapters/kubernetes/watch.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { CloudSecret, CloudSecretsPort } from '../ports/cloud-secrets.ts'

const CLOUD_LABEL = 'lockkeeper.dev/cloud'

/** Watches the Secrets of clouds in the runner's namespace and registers their values, so that no log contains one. */
export function createCloudSecrets(options: {
  readonly session: KubernetesSession
  readonly namespace: string
  readonly clock: Clock
}): CloudSecretsPort {
  const { session, namespace, clock } = options
  return {
    watch: async (listener, signal) => {
      const known = new Map<string, CloudSecret>()
      await watchResource({
        session,
        collection: { type: SECRETS, namespace },
        labelSelector: CLOUD_LABEL,
        parse: readCloudSecret,
        onChange: (upserts, removals) => {
          for (const { uid } of removals) known.delete(uid)
          for (const secret of upserts) known.set(secret.uid, secret)
          listener.onSecrets([...known.values()].sort((a, b) => a.name.localeCompare(b.name)))
        },
        onState: listener.onState,
        clock,
        signal,
      })
    },
  }
}

/** Reads a Secret; an error never quotes its content. */
function readCloudSecret(object: KubernetesObject<V1Secret>): CloudSecret {
  const { name, uid, resourceVersion, labels } = readMetadata(object)
  const data = Object.entries(objectIn(object, 'data')).map(([key, value]) => {
    if (typeof value !== 'string') throw new MalformedAnswer(because('SecretNotText', { secret: name }))
    return [key, Buffer.from(value, 'base64').toString('utf8')] as const
  })
  return { name, uid, resourceVersion, cloud: labels[CLOUD_LABEL] ?? '', data: Object.fromEntries(data) }
}
