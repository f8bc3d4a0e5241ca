import { jsonIn } from '../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { CommandOutput, ExecInPod, PodCommand } from '../../ports/kubernetes.ts'
import { withoutSecrets } from './errors.ts'
import { rawList, rawObject, rawText } from './raw.ts'
import type { KubernetesSession } from './session.ts'

/** v5 only adds a way to close stdin, which no command here uses; either version works. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io']

/** The first byte of a message names its stream (k8s.io/kubelet remotecommand). */
const STDOUT = 1
const STDERR = 2
const STATUS = 3

const LARGEST_OUTPUT_BYTES = 8 * 1024 * 1024

class OutputTooLarge extends Error {
  override readonly name = 'TooMuchOutput'
}

/** Runs commands in pods through the API server as the session's user: needs `get` and `create` on pods/exec. */
export function createExec(session: KubernetesSession): ExecInPod {
  return (command, signal) => execInPod(session, command, signal)
}

async function execInPod(
  session: KubernetesSession,
  { namespace, pod, container, command, timeoutMs }: PodCommand,
  signal?: AbortSignal,
): Promise<Result<CommandOutput>> {
  const where = `${namespace}/${pod}`
  const streams = { stdout: new CollectedStream(), stderr: new CollectedStream() }
  let status: unknown = null
  let tooMuch = false
  const query = new URLSearchParams({ stdout: 'true', stderr: 'true', stdin: 'false', tty: 'false' })
  for (const word of command) query.append('command', word)
  if (container !== null) query.set('container', container)
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec`
  const ended = await session.converse({
    path,
    query,
    protocols: PROTOCOLS,
    timeoutMs,
    signal,
    onMessage: message => {
      const rest = message.subarray(1)
      const stream = message[0] === STDOUT ? streams.stdout : message[0] === STDERR ? streams.stderr : null
      if (message[0] === STATUS) status = parsed(rest)
      if (stream === null || stream.add(rest)) return
      tooMuch = true
      throw new OutputTooLarge()
    },
  })
  const asked = { command: command.join(' '), pod: where }
  if (tooMuch) {
    return failed(
      refusal(
        'server-fault',
        because('PodOutputTooLong', { ...asked, mebibytes: LARGEST_OUTPUT_BYTES / 1024 / 1024 }),
        {
          target: `pod/${where}`,
          retryable: false,
        },
      ),
    )
  }
  if (!ended.ok) return ended
  const exit = exitOf(status)
  switch (exit.kind) {
    case 'ended':
      return ok({ exitCode: exit.code, stdout: streams.stdout.text(), stderr: streams.stderr.text() })
    case 'cut':
      return failed(
        refusal('unreachable', because('PodCommandCutOff', { server: session.host, ...asked }), {
          target: `pod/${where}`,
        }),
      )
    case 'not-run':
      return failed(
        refusal('server-fault', because('PodCommandNotRun', { ...asked, cause: withoutSecrets(exit.why) }), {
          target: `pod/${where}`,
        }),
      )
  }
}

type Exit =
  | { readonly kind: 'ended'; readonly code: number }
  | { readonly kind: 'not-run'; readonly why: string }
  | { readonly kind: 'cut' }

/** The status channel carries a Status; its cause `ExitCode` is the exit code. */
function exitOf(status: unknown): Exit {
  if (status === null) return { kind: 'cut' }
  const fields = rawObject(status)
  if (fields.status === 'Success') return { kind: 'ended', code: 0 }
  const cause = rawList(rawObject(fields.details).causes)
    .map(rawObject)
    .find(each => each.reason === 'ExitCode')
  const code = Number.parseInt(rawText(cause?.message), 10)
  if (Number.isNaN(code)) return { kind: 'not-run', why: rawText(fields.message).replace(/\.$/, '') }
  return { kind: 'ended', code }
}

function parsed(bytes: Buffer): unknown {
  try {
    return jsonIn(bytes.toString('utf8'))
  } catch {
    return {}
  }
}

/** The complete output of one stream, decoded at the end so that no character is split between messages. */
class CollectedStream {
  readonly #chunks: Buffer[] = []
  #bytes = 0

  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length
    if (this.#bytes > LARGEST_OUTPUT_BYTES) return false
    this.#chunks.push(chunk)
    return true
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}
