import { Agent, request } from 'node:https'
import { parse } from 'yaml'
import { type Json, listAt, textAt } from '../kubernetes/store/json.ts'

interface KubeAnswer {
  readonly status: number
  readonly body: Json
}

/** A client that only uses a kubeconfig; it throws if the server does not answer. */
export interface KubeClient {
  get(path: string): Promise<KubeAnswer>
  create(path: string, body: Json): Promise<KubeAnswer>
  patch(path: string, body: Json): Promise<KubeAnswer>
  remove(path: string): Promise<KubeAnswer>
  close(): void
}

/** Makes a client for the first cluster and user of a kubeconfig with client certificates. */
export function createKubeClient(kubeconfig: string): KubeClient {
  const config: Json = parse(kubeconfig)
  const decoded = (value: string | undefined): string => Buffer.from(value ?? '', 'base64').toString()
  const cluster = listAt(config, 'clusters')[0]
  const user = listAt(config, 'users')[0]
  const server = textAt(cluster, 'cluster', 'server') ?? ''
  const agent = new Agent({
    keepAlive: true,
    ca: decoded(textAt(cluster, 'cluster', 'certificate-authority-data')),
    cert: decoded(textAt(user, 'user', 'client-certificate-data')),
    key: decoded(textAt(user, 'user', 'client-key-data')),
  })

  function sendToServer(
    method: string,
    path: string,
    body: Json | null,
    contentType = 'application/json',
  ): Promise<KubeAnswer> {
    const text = body === null ? '' : JSON.stringify(body)
    const headers = {
      'user-agent': 'lcm-controller',
      'content-type': contentType,
      'content-length': String(Buffer.byteLength(text)),
    }
    return new Promise((resolve, reject) => {
      const sent = request(server + path, { method, agent, headers }, response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: readJson(chunks) }))
      })
      sent.on('error', reject)
      sent.end(text)
    })
  }

  return {
    get: path => sendToServer('GET', path, null),
    create: (path, body) => sendToServer('POST', path, body),
    patch: (path, body) => sendToServer('PATCH', path, body, 'application/merge-patch+json'),
    remove: path => sendToServer('DELETE', path, null),
    close: () => agent.destroy(),
  }
}

function readJson(chunks: readonly Buffer[]): Json {
  const text = Buffer.concat(chunks).toString()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
